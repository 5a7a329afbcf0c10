internal import IssueBrowser
internal import IssueMirror
internal import StyledText

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// An issue that a search found, and where in it.
struct FoundIssue: Sendable {
  let issue: Issue
  /// Its repository, as one would type it; empty where the server doesn't tell.
  let repository: String
  /// Whether its row tells its repository.
  let showsRepository: Bool
  /// The title, in parts that match and parts that don't.
  let title: [SnippetPart]
  /// A piece of the text or of a comment, in such parts.
  let snippet: [SnippetPart]

  /// The columns of its table.
  static func columns(showsRepository: Bool) -> [Column] {
    let repository = Column(title: "REPOSITORY", sizing: .limited(percent: 25), dropOrder: 2)
    return (showsRepository ? [repository] : []) + IssueRow.columns(showsKind: true)
  }
}

extension FoundIssue: ListItem {
  /// A field of the object that `--json` writes.
  enum Field: RawRepresentable, CaseIterable, Sendable {
    /// A field of the issue.
    case issue(Issue.Field)
    /// The repository, as one would type it.
    case repository
    /// The piece of text, in one.
    case snippet

    static let allCases = Issue.Field.allCases.map { Field.issue($0) } + [.repository, .snippet]

    init?(rawValue: String) {
      switch rawValue {
      case "repository": self = .repository
      case "snippet": self = .snippet
      default:
        guard let field = Issue.Field(rawValue: rawValue) else { return nil }
        self = .issue(field)
      }
    }

    var rawValue: String {
      switch self {
      case .issue(let field): field.rawValue
      case .repository: "repository"
      case .snippet: "snippet"
      }
    }
  }

  static var columns: [Column] { columns(showsRepository: true) }

  func tableCells(now: Date) -> [StyledLine] {
    let cells = row.tableCells(title: Self.line(title, style: .plain), now: now)
    return showsRepository ? [StyledLine(repository)] + cells : cells
  }

  var note: StyledLine? {
    guard !snippet.isEmpty else { return nil }
    let line = Self.line(snippet, style: .faint)
    return StyledLine(runs: [StyledLine.Run("    ")] + line.runs)
  }

  func plainCells() -> [StyledLine] {
    [StyledLine(repository)] + row.plainCells()
  }

  func selecting(_ fields: [Field]) -> Selection {
    Selection(found: self, fields: fields)
  }

  private var row: IssueRow { IssueRow(issue: issue, showsKind: true) }

  private static func line(_ parts: [SnippetPart], style: Style) -> StyledLine {
    StyledLine(
      runs: parts.map { StyledLine.Run($0.text, style: $0.isMatch ? .match : style) })
  }

  /// The issue reduced to fields.
  struct Selection: Encodable, Sendable {
    let found: FoundIssue
    let fields: [Field]

    private enum Key: String, CodingKey {
      case repository
      case snippet
    }

    func encode(to encoder: any Encoder) throws {
      let own = fields.compactMap { if case .issue(let field) = $0 { field } else { nil } }
      try found.issue.selecting(own).encode(to: encoder)
      var container = encoder.container(keyedBy: Key.self)
      for field in fields {
        switch field {
        case .issue: continue
        case .repository: try container.encode(found.repository, forKey: .repository)
        case .snippet:
          try container.encode(found.snippet.map(\.text).joined(), forKey: .snippet)
        }
      }
    }
  }
}
