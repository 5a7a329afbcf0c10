/// The table of faults as Markdown, for `Documentation/contributing/faults.md`.
public enum FaultTable {
  /// The whole page.
  public static var page: String {
    var page = """
      # Faults and their outcomes

      Every row is a test that runs twice: against the library over a real socket, and against the
      built command. An ordinary run of the tests tries each at one of its places, and
      `ISSUES_FULL_TESTS=1` at all of them.

      Unless a row says otherwise, the fault persists. It strikes while the command looks the
      repository up, and again on the second page of the list. The rows already printed then stay,
      the exit status isn't 0, and standard error says that the list is incomplete. “0 if once”
      means that the request is sent again (`--retries`, `--wait`): a fault that strikes once
      leaves the list whole. In no row does an incomplete list look whole, does the token reach
      anybody but its server, or does a control character reach a terminal.

      The list that the tests run (`FaultCase.all`) makes this page. After a change to the list,
      run `ISSUES_RECORD_SNAPSHOTS=1 swift test --filter FaultTable` to write the page anew.

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

      ## Many repositories, and what servers may lack

      These rows run against the built command alone. Without a command in the first column, it is
      `list`.

      | fault | what happens | exit status |
      |---|---|---|

      """
    for row in CommandFault.all {
      page += "| \(cell(row.fault)) | \(cell(row.promise)) | \(row.status) |\n"
    }
    page += """

      ## Relations and fields

      These rows run against the built command alone: `issues edit`, with options that change what an
      issue has to do with others, and the fields of an organization. What is kept is sent by
      `issues outbox send`.

      | fault | what happens | exit status |
      |---|---|---|

      """
    for row in WriteFault.all {
      page += "| \(cell(row.fault)) | \(cell(row.promise)) | \(row.status) |\n"
    }
    page += """

      ## Agents

      These rows run against the built command alone, `issues mcp`, which asks no server. After
      each one that isn't about an option, the server answers the next request.

      | fault | what happens | the client gets | exit status |
      |---|---|---|---|

      """
    for row in AgentFault.all {
      let (answer, status) =
        switch row.outcome {
        case .refusal: ("`isError`", "0")
        case .error(let code): ("`\(code)`", "0")
        case .silence: ("—", "0")
        case .failure(let status, _): ("—", "\(status)")
        }
      page += "| \(cell(row.fault)) | \(cell(row.promise)) | \(answer) | \(status) |\n"
    }
    page += """

      ## A team's mirror

      These rows run against the built command alone, with a mirror in PostgreSQL (`--database`,
      `ISSUES_DATABASE`, or `database` of the configuration). Without a command in the first column,
      it is `list --offline`.

      | fault | what happens | exit status |
      |---|---|---|

      """
    for row in TeamFault.all {
      page += "| \(cell(row.fault)) | \(cell(row.promise)) | \(row.status) |\n"
    }
    page += """

      ## Lists that go on

      These rows run against the built command alone, `issues list --follow --retries 0`. They strike
      once the list is shown.

      | fault | what happens | exit status |
      |---|---|---|

      """
    for row in FollowFault.all {
      let status =
        switch row.outcome {
        case .goesOn: "it goes on"
        case .ends(let status, _): "\(status)"
        }
      page += "| \(cell(row.fault)) | \(cell(row.promise)) | \(status) |\n"
    }
    page += """

      ## The budget that processes share

      These rows run against the built command alone: something else is in the place of the file in
      `$XDG_STATE_HOME/issues/rate-limits`. The list is whole, and nothing is said.

      | fault | what happens | exit status |
      |---|---|---|

      """
    for row in BudgetFault.all {
      page += "| \(cell(row.fault)) | \(cell(row.promise)) | 0 |\n"
    }
    page += """

      ## HTTP/2

      `RST_STREAM`, `REFUSED_STREAM` and `GOAWAY`, before an answer and in the middle of one, are
      `transport (interrupted)`: exit status 6, 0 if once. `HTTP2FaultTests` tests them at the
      transport, because only libcurl 8.1.0 and newer use HTTP/2, and the machine that runs the
      tests may have an older one.

      """
    return page
  }

  private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
