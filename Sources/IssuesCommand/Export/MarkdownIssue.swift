internal import IssueMirror
internal import IssueTracker
internal import PlatformModules
internal import StyledText

/// An issue as a Markdown file: its properties as YAML, its text and its comments.
///
/// Text from the server is a quotation, whose lines begin with `> `, or a string of the YAML in one line. So no text can
/// be mistaken for a property, a heading or another comment.
struct MarkdownIssue {
  let text: String

  /// Creates the file's text. The next export recognizes the file by `mark`. Throws if the issue can't be decoded.
  init(_ entry: ExportedIssue, mark: String) throws {
    let issue = try entry.issue()
    var lines = [
      "---", mark,
      "number: \(issue.number)",
      "title: \(Self.string(issue.title))",
      "kind: \(issue.isPullRequest ? "pull_request" : "issue")",
      "state: \(Self.string(issue.state.rawValue))",
      "reason: \(Self.optional(issue.stateReason?.rawValue))",
      "author: \(Self.optional(issue.user?.login))",
      "labels: \(Self.list(issue.labels.map(\.name)))",
      "assignees: \(Self.list(issue.assignees.map(\.login)))",
      "milestone: \(Self.optional(issue.milestone?.title))",
      "type: \(Self.optional(issue.type?.name))",
      "created: \(Self.time(issue.createdAt))",
      "updated: \(Self.time(issue.updatedAt))",
      "closed: \(Self.time(issue.closedAt))",
      "url: \(Self.optional(issue.htmlURL))",
      "comments: \(issue.commentsCount)",
      "---",
    ]
    if let body = issue.body, !body.isEmpty { lines += ["", PlainText.quoted(body)] }
    for comment in try entry.decodedComments() {
      let author = TerminalText(comment.user?.login ?? "ghost").string
      lines += ["", "## Comment by \(author), \(Self.time(comment.createdAt))"]
      if let url = comment.htmlURL { lines += ["", "<\(TerminalText(url).string)>"] }
      if let body = comment.body, !body.isEmpty { lines += ["", PlainText.quoted(body)] }
    }
    text = lines.joined(separator: "\n") + "\n"
  }

  private static func time(_ date: Date?) -> String {
    date.map(Timestamp.string(from:)) ?? "null"
  }

  private static func optional(_ text: String?) -> String { text.map(string) ?? "null" }

  private static func list(_ texts: [String]) -> String {
    "[\(texts.map(string).joined(separator: ", "))]"
  }

  /// A double-quoted string in one line (<https://yaml.org/spec/1.2.2/#731-double-quoted-style>).
  private static func string(_ text: String) -> String {
    var result = "\""
    for scalar in TerminalText(text).string.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      // YAML files can't contain these two characters.
      case "\u{FFFE}", "\u{FFFF}": result += "\\u\(String(scalar.value, radix: 16))"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
