internal import IssueMirror
internal import PlatformModules
internal import StyledText

/// An issue that is like another one, with what they share.
struct SimilarIssue: ListItem {
  static let fieldNames =
    FoundIssue.fieldNames.filter { $0 != PendingLookup.field && $0 != "score" } + ["score"]

  static var columns: [Column] {
    [Column(title: "LIKE", alignment: .trailing, sizing: .whole)]
      + FoundIssue.columns(showsRepository: false)
  }

  let found: FoundIssue
  let score: Double

  init(_ result: SearchResult) {
    found = FoundIssue(
      sent: Sent(result.issue, json: result.json), repository: result.repository.typedName,
      showsRepository: false, title: result.title, snippet: result.snippet)
    score = result.score
  }

  /// In hundredths: more digits would claim to be exact.
  private var hundredths: Int { Int((score * 100).rounded()) }

  func tableCells(now: Date) -> [StyledLine] {
    [StyledLine("\(hundredths)%", style: .faint)] + found.tableCells(now: now)
  }

  var note: StyledLine? { found.note }

  func plainCells() -> [StyledLine] { found.plainCells() + [StyledLine(decimal)] }

  private var decimal: String {
    hundredths >= 100 ? "1.00" : "0.\(hundredths < 10 ? "0" : "")\(hundredths)"
  }

  func object() throws -> JSONObject {
    var object = try found.object()
    object.additions.append(.init(name: "score", value: Data(decimal.utf8)))
    return object
  }
}
