package import IssueOutbox
internal import IssueTracker
package import PlatformModules
package import StyledText
package import TerminalMarkdown

/// An issue or a pull request as lines for a terminal.
///
/// ```
/// Compiler crashes when a macro expands to an empty switch #85968
/// Open · octocat opened about 3 days ago · 2 comments
/// Labels: [bug] [macros]
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
  /// The maximum width in columns, even in a wider window: longer lines are hard to read.
  package static let maximumWidth = 100

  package let issue: GitHub.Issue
  package let comments: [IssueComment]
  package let now: Date
  package let width: Int
  package let links: MarkdownRenderer.Links
  /// The repository page for links such as `#12`; nil to leave them as text.
  package let repositoryURL: String?
  package var look = Look()
  /// The pending changes. ``issue`` already includes them.
  package var pending: PendingChanges?
  /// Lines about the parent, the sub-issues and the dependencies; nil to use the issue's own data.
  package var relations: [StyledLine]?
  /// Lines about the branches, the pull requests that close the issue, and its projects.
  package var development: [StyledLine] = []
  /// Whether the page shows the number and the state. The reader shows them above the page.
  package var showsStanding = true
  package var hasStrikethrough = true
  /// Whether bold and italic text can be shown. If false, headings in texts have rules instead.
  package var hasStyles = true
  /// The sizes of images to leave space for; nil to ignore images.
  package var images: [WebLink: ImageBox]?

  package init(
    issue: GitHub.Issue, comments: [IssueComment] = [], now: Date, width: Int,
    links: MarkdownRenderer.Links = .footnotes, repositoryURL: String? = nil
  ) {
    self.issue = issue
    self.comments = comments
    self.now = now
    self.width = max(1, min(width, Self.maximumWidth))
    self.links = links
    self.repositoryURL = repositoryURL
  }

  package var document: RenderedDocument {
    comments.reduce(into: beginning) { $0.append(part(of: $1)) } + end
  }

  /// The part of the page for the issue itself.
  package var beginning: RenderedDocument {
    let standing = IssueStanding(of: issue)
    let stateStyle = look.state(of: issue)
    var title = StyledLine(issue.title, style: look[.title])
    if showsStanding {
      title.runs += [StyledLine.Run(" "), StyledLine.Run(target.name, style: stateStyle)]
    }
    let age = issue.createdAt.map { " \(RelativeTime.describe($0, relativeTo: now))" } ?? " this"
    let count = issue.commentsCount
    var facts = [
      "\(Self.login(of: issue.user, isOwn: issue.number < 0)) opened\(age)",
      "\(count) \(count == 1 ? "comment" : "comments")",
    ]
    if issue.isLocked { facts.append("locked") }
    let separator = " \(look.symbols.dot) "
    let words = facts.joined(separator: separator)
    let summary =
      showsStanding
      ? StyledLine(runs: [
        StyledLine.Run(standing.text, style: stateStyle),
        StyledLine.Run(separator + words, style: look[.muted]),
      ]) : StyledLine(words, style: look[.muted])
    let details = [
      detail("Assignees", issue.assignees.map { StyledLine.Run($0.login) }),
      detail("Milestone", issue.milestone.map { [StyledLine.Run($0.title)] } ?? []),
      detail("Type", issue.type.map { [StyledLine.Run($0.name)] } ?? []),
      detail(
        "Fields",
        issue.fieldValues.compactMap(\.assignment).map { StyledLine.Run($0) }),
      detail("Closed by", issue.closedBy.map { [StyledLine.Run($0.login)] } ?? []),
      reactions(issue.reactions),
      pending?.note(on: target).map { detail("Not sent yet", $0) },
    ]
    // The narrowest windows have no room for an indent.
    let indent = StyledLine(width < 10 ? "" : "  ")
    let lines =
      title.wrapped(to: width) + summary.wrapped(to: width) + labelLines
      + (details.compactMap(\.self) + (relations ?? countedRelations) + development)
      .flatMap {
        $0.wrapped(to: width, hangingIndent: indent)
      }
    return RenderedDocument(lines: lines + [StyledLine()])
      + text(issue.body, otherwise: "No description provided.")
  }

  /// A comment, after a line that separates it from earlier text.
  package func part(of comment: IssueComment) -> RenderedDocument {
    let changed = pending?.applied(to: comment)
    return part(of: changed?.comment ?? comment, changed?.note)
  }

  /// The part of the page for the pending comments.
  package var end: RenderedDocument {
    (pending?.newComments(on: target) ?? []).reduce(into: RenderedDocument()) {
      $0.append(part(of: $1.comment, $1.note))
    }
  }

  /// The labels, with as many in a line as fit.
  private var labelLines: [StyledLine] {
    guard !issue.labels.isEmpty else { return [] }
    let name = StyledLine("Labels:", style: look[.muted])
    var lines = [name]
    var last = name
    for label in issue.labels {
      let pill = look.pill(label, within: max(3, width - 2))
      if last.columns + 1 + pill.columns > width {
        last = StyledLine(width < 10 ? "" : " ")
        lines.append(last)
      }
      last.runs += [StyledLine.Run(" "), pill]
      lines[lines.count - 1] = last
    }
    return lines.flatMap { $0.broken(to: width) }
  }

  private var countedRelations: [StyledLine] {
    func open(_ count: Int) -> String { "\(count) open \(count == 1 ? "issue" : "issues")" }
    let (blockedBy, blocking) = (
      issue.dependencies?.blockedBy ?? 0, issue.dependencies?.blocking ?? 0
    )
    return [
      detail("Parent", issue.parent.map { [StyledLine.Run("\($0)")] } ?? []),
      detail("Sub-issues done", issue.subIssues?.progress.map { [StyledLine.Run($0)] } ?? []),
      detail("Blocked by", blockedBy > 0 ? [StyledLine.Run(open(blockedBy))] : []),
      detail("Blocks", blocking > 0 ? [StyledLine.Run(open(blocking))] : []),
    ].compactMap(\.self)
  }

  private var target: IssueTarget { IssueTarget(shownAs: issue.number) }

  private func part(of comment: IssueComment, _ note: PendingNote?) -> RenderedDocument {
    var facts: [String] = []
    if let role = Self.role(comment.authorAssociation) { facts.append(role) }
    if let date = comment.createdAt { facts.append(RelativeTime.describe(date, relativeTo: now)) }
    if comment.isEdited { facts.append("edited") }
    if comment.id == issue.pinnedCommentID { facts.append("pinned") }
    let author = Self.login(of: comment.user, isOwn: comment.id < 0)
    var authorStyle = look.initials(of: author).style
    authorStyle.isBold = true
    var heading = StyledLine(runs: [
      StyledLine.Run(look.symbols.isPlain ? "Comment by " : ""),
      StyledLine.Run(author, style: authorStyle),
      StyledLine.Run(joined(facts), style: look[.muted]),
    ])
    if let note {
      heading.runs +=
        [StyledLine.Run(joined([""]), style: look[.muted])] + detail("not sent yet", note).runs
    }
    var lines = [
      StyledLine(),
      StyledLine(String(repeating: look.symbols.horizontal, count: width), style: look[.border]),
    ]
    lines += heading.wrapped(to: width)
    lines.append(StyledLine())
    // The line that separates the comment from earlier text.
    var part = RenderedDocument(lines: lines, comments: [1])
    part.append(text(comment.body, otherwise: "This comment has no text."))
    if let reactions = reactions(comment.reactions) {
      part.append(RenderedDocument(lines: [StyledLine()] + reactions.wrapped(to: width)))
    }
    return part
  }

  private func text(_ markdown: String?, otherwise substitute: String) -> RenderedDocument {
    guard let markdown, !markdown.allSatisfy(\.isWhitespace) else {
      var style = look[.muted]
      style.isItalic = true
      return RenderedDocument(lines: StyledLine(substitute, style: style).wrapped(to: width))
    }
    var renderer = MarkdownRenderer(width: width, links: links, repositoryURL: repositoryURL)
    renderer.isUnicode = look.symbols.isUnicode
    renderer.isPlain = look.symbols.isPlain
    renderer.hasStrikethrough = hasStrikethrough
    renderer.hasStyles = hasStyles
    renderer.styles = look.markdown
    renderer.images = images
    return renderer.document(of: markdown)
  }

  /// The reactions, such as `👍 2  ❤️ 1`.
  private func reactions(_ reactions: Reactions?) -> StyledLine? {
    guard let counts = reactions?.counts, !counts.isEmpty else { return nil }
    let texts = Reactions.Kind.allCases.compactMap { kind in
      counts[kind].map { "\(look.symbols.isUnicode ? kind.emoji : kind.rawValue) \($0)" }
    }
    return StyledLine(texts.joined(separator: "  "))
  }

  package func detail(_ name: String, _ values: [StyledLine.Run]) -> StyledLine? {
    guard !values.isEmpty else { return nil }
    return StyledLine(
      runs: [StyledLine.Run("\(name): ", style: look[.muted])] + StyledLine(list: values).runs)
  }

  private func detail(_ name: String, _ note: PendingNote) -> StyledLine {
    StyledLine(runs: [
      StyledLine.Run("\(name): ", style: look[.muted]),
      StyledLine.Run(note.text, style: look[.pending]),
    ])
  }

  /// The facts, separated by dots.
  private func joined(_ facts: [String]) -> String {
    facts.map { " \(look.symbols.dot) \($0)" }.joined()
  }

  /// GitHub shows a deleted account as `ghost`. The outbox may not know the user's own login.
  private static func login(of user: GitHub.User?, isOwn: Bool) -> String {
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

extension Look {
  /// The styles of Markdown.
  package var markdown: MarkdownStyles {
    var styles = MarkdownStyles()
    styles.heading = self[.heading]
    styles.link = self[.link]
    styles.code = self[.code]
    styles.quote = self[.quote]
    styles.frame = self[.border]
    styles.aside = self[.muted]
    styles.done = self[.success]
    styles.note = self[.note]
    styles.tip = self[.tip]
    styles.important = self[.important]
    styles.warning = self[.warning]
    styles.caution = self[.caution]
    styles.keyword = self[.keyword]
    styles.type = self[.type]
    styles.string = self[.string]
    styles.number = self[.number]
    styles.comment = self[.comment]
    styles.added = self[.added]
    styles.removed = self[.removed]
    styles.meta = self[.function]
    styles.meta.isBold = true
    return styles
  }
}

extension Reactions.Kind {
  package var emoji: String {
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
