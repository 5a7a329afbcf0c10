package import IssueOutbox
internal import IssueTracker
package import StyledText
package import TerminalMarkdown

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// An issue or a pull request as lines for a terminal.
///
/// ```
/// Compiler crashes when a macro expands to an empty switch #85968
/// Open · octocat opened about 3 days ago · 2 comments
/// Labels: bug, macros
/// Assignees: ada
/// 👍 3  🚀 1
///
/// The text …
///
/// ────────────────────────────────────────────────────
/// ada · member · about 2 days ago · edited
///
/// The comment …
/// ```
package struct IssuePage: Sendable {
  /// In columns, however wide the window is: longer lines are hard to read.
  package static let maximumWidth = 100

  package let issue: Issue
  package let comments: [IssueComment]
  package let now: Date
  package let width: Int
  package let links: MarkdownRenderer.Links
  /// The page that `#12` belongs to; nil for no such links.
  package let repositoryURL: String?
  package var isUnicode = true
  /// What isn't sent yet. ``issue`` already has its changes.
  package var pending: PendingChanges?
  package var hasStrikethrough = true

  package init(
    issue: Issue, comments: [IssueComment] = [], now: Date, width: Int,
    links: MarkdownRenderer.Links = .footnotes, repositoryURL: String? = nil
  ) {
    self.issue = issue
    self.comments = comments
    self.now = now
    self.width = max(1, min(width, Self.maximumWidth))
    self.links = links
    self.repositoryURL = repositoryURL
  }

  package var lines: [StyledLine] {
    comments.reduce(into: issueLines) { $0 += lines(of: $1) } + pendingCommentLines
  }

  package var issueLines: [StyledLine] {
    let standing = IssueStanding(of: issue)
    let title = StyledLine(runs: [
      StyledLine.Run(issue.title, style: .heading), StyledLine.Run(" "),
      StyledLine.Run(target.name, style: standing.style),
    ])
    let age = issue.createdAt.map { " \(RelativeTime.describe($0, relativeTo: now))" } ?? " this"
    let count = issue.commentsCount
    var facts = [
      "\(Self.login(of: issue.user, isOwn: issue.number < 0)) opened\(age)",
      "\(count) \(count == 1 ? "comment" : "comments")",
    ]
    if issue.isLocked { facts.append("locked") }
    let summary = StyledLine(runs: [
      StyledLine.Run(standing.text, style: standing.style),
      StyledLine.Run(facts.map { " · \($0)" }.joined(), style: .faint),
    ])
    let details = [
      Self.detail("Labels", issue.labels.map { StyledLine.Run($0.name, style: .label($0.color)) }),
      Self.detail("Assignees", issue.assignees.map { StyledLine.Run($0.login) }),
      Self.detail("Milestone", issue.milestone.map { [StyledLine.Run($0.title)] } ?? []),
      reactions(issue.reactions),
      pending?.note(on: target).map { Self.detail("Not sent yet", $0) },
    ]
    // In the narrowest windows, an indent leaves no room.
    let indent = StyledLine(width < 10 ? "" : "  ")
    return title.wrapped(to: width) + summary.wrapped(to: width)
      + details.compactMap(\.self).flatMap { $0.wrapped(to: width, hangingIndent: indent) }
      + [StyledLine()] + text(issue.body, otherwise: "No description provided.")
  }

  /// A comment, below a line that separates it from earlier text.
  package func lines(of comment: IssueComment) -> [StyledLine] {
    let changed = pending?.applied(to: comment)
    return lines(of: changed?.comment ?? comment, changed?.note)
  }

  package var pendingCommentLines: [StyledLine] {
    (pending?.newComments(on: target) ?? []).flatMap { lines(of: $0.comment, $0.note) }
  }

  private var target: IssueTarget { IssueTarget(shownAs: issue.number) }

  private func lines(of comment: IssueComment, _ note: PendingNote?) -> [StyledLine] {
    var facts: [String] = []
    if let role = Self.role(comment.authorAssociation) { facts.append(role) }
    if let date = comment.createdAt { facts.append(RelativeTime.describe(date, relativeTo: now)) }
    if comment.isEdited { facts.append("edited") }
    let author = Self.login(of: comment.user, isOwn: comment.id < 0)
    var heading = StyledLine(runs: [
      StyledLine.Run(author, style: .heading),
      StyledLine.Run(facts.map { " · \($0)" }.joined(), style: .faint),
    ])
    if let note {
      heading.runs +=
        [StyledLine.Run(" · ", style: .faint)]
        + Self.detail("not sent yet", note).runs
    }
    var lines = [
      StyledLine(),
      StyledLine(String(repeating: isUnicode ? "─" : "-", count: width), style: .faint),
    ]
    lines += heading.wrapped(to: width)
    lines.append(StyledLine())
    lines += text(comment.body, otherwise: "This comment has no text.")
    if let reactions = reactions(comment.reactions) {
      lines.append(StyledLine())
      lines += reactions.wrapped(to: width)
    }
    return lines
  }

  private func text(_ markdown: String?, otherwise substitute: String) -> [StyledLine] {
    guard let markdown, !markdown.allSatisfy(\.isWhitespace) else {
      return StyledLine(substitute, style: Style(isFaint: true, isItalic: true)).wrapped(to: width)
    }
    var renderer = MarkdownRenderer(width: width, links: links, repositoryURL: repositoryURL)
    renderer.isUnicode = isUnicode
    renderer.hasStrikethrough = hasStrikethrough
    return renderer.lines(of: markdown)
  }

  /// Such as `👍 2  ❤️ 1`.
  private func reactions(_ reactions: Reactions?) -> StyledLine? {
    guard let counts = reactions?.counts, !counts.isEmpty else { return nil }
    let texts = Reactions.Kind.allCases.compactMap { kind in
      counts[kind].map { "\(isUnicode ? kind.emoji : kind.rawValue) \($0)" }
    }
    return StyledLine(texts.joined(separator: "  "))
  }

  private static func detail(_ name: String, _ values: [StyledLine.Run]) -> StyledLine? {
    guard !values.isEmpty else { return nil }
    return StyledLine(
      runs: [StyledLine.Run("\(name): ", style: .faint)] + StyledLine(list: values).runs)
  }

  private static func detail(_ name: String, _ note: PendingNote) -> StyledLine {
    StyledLine(runs: [
      StyledLine.Run("\(name): ", style: .faint),
      StyledLine.Run(note.text, style: Style(foreground: .yellow)),
    ])
  }

  /// GitHub shows a deleted account as `ghost`. The outbox may not know one's own login.
  private static func login(of user: User?, isOwn: Bool) -> String {
    user?.login ?? (isOwn ? "you" : "ghost")
  }

  /// See <https://docs.github.com/en/graphql/reference/enums#commentauthorassociation>.
  private static func role(_ association: String?) -> String? {
    switch association {
    case "OWNER": "owner"
    case "MEMBER": "member"
    case "COLLABORATOR": "collaborator"
    case "CONTRIBUTOR": "contributor"
    case "FIRST_TIME_CONTRIBUTOR": "first-time contributor"
    case "FIRST_TIMER": "first-timer"
    default: nil
    }
  }
}

extension Reactions.Kind {
  var emoji: String {
    switch self {
    case .thumbsUp: "👍"
    case .thumbsDown: "👎"
    case .laugh: "😄"
    case .hooray: "🎉"
    case .confused: "😕"
    case .heart: "❤️"
    case .rocket: "🚀"
    case .eyes: "👀"
    }
  }
}
