/// The table of faults as Markdown: what `Documentation/faults.md` has and `Scripts/faults` prints.
public enum FaultTable {
  /// The whole page.
  public static var page: String {
    var page = """
      # Faults, and what comes of them

      Every row is a test that runs twice: against the library over a real socket, and against the built
      command. `Scripts/faults` runs them all and prints this page with what came of each.

      Unless a row says otherwise, a fault stays, and is met while the repository is looked up, and again on
      the second page of the list: then what was printed stays, the exit status isn't 0, and standard error
      says that the list is incomplete. Where the exit status is followed by “0 if once”, the request is
      sent again (`--retries`, `--wait`), and a fault that strikes once leaves the list whole. In no row
      does a list look whole that isn't, is the token sent to or printed for anybody but its server, or does
      a control character reach a terminal.

      This page is made of the list that the tests run (`FaultCase.all`). After a change to the list,
      `ISSUES_RECORD_SNAPSHOTS=1 swift test --filter FaultTable` writes it anew.

      """
    var group = ""
    for row in FaultCase.all {
      if row.group != group {
        group = row.group
        page += """

          ## \(group)

          | fault | what happens | the library throws | exit status |
          |---|---|---|---|

          """
      }
      let (code, status) =
        switch row.outcome {
        case .complete: ("—", "0")
        case .failure(let status, let code, _):
          ("`\(code)`", row.isWorthRetrying ? "\(status), 0 if once" : "\(status)")
        }
      page += "| \(cell(row.fault)) | \(cell(row.promise)) | \(code) | \(status) |\n"
    }
    page += """

      ## HTTP/2

      `RST_STREAM`, `REFUSED_STREAM` and `GOAWAY`, before an answer and in the middle of one, are
      `transport (interrupted)`: exit status 6, 0 if once. They are tested at the transport
      (`HTTP2FaultTests`), because HTTP/2 is used with libcurl 8.1.0 and newer, and the machine that runs
      the tests may have an older one.

      """
    return page
  }

  private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
