import GitHubAPI
import PlatformModules
import StyledText
import TerminalMarkdown
import TestSupport
import Testing

@testable import IssueBrowser

@Suite("The page of one issue")
struct IssuePageTests {
  private static let now = Date(timeIntervalSince1970: 1_800_000_000)
  private static let hour = 3600.0

  private static func ago(_ hours: Double) -> Date {
    now.addingTimeInterval(-hours * hour)
  }

  private static func user(_ login: String) -> GitHub.User { GitHub.User(login: login) }

  private static let issue = GitHub.Issue(
    id: 1, number: 85968, title: "Compiler crashes when a macro expands to an empty switch",
    body: "It crashes.", state: .open, user: user("octocat"),
    labels: [
      GitHub.Label(name: "bug", color: "fc2929"), GitHub.Label(name: "macros", color: "1d76db"),
    ],
    assignees: [user("ada"), user("grace-h")], milestone: GitHub.Milestone(title: "6.3"),
    commentsCount: 14, createdAt: ago(75),
    reactions: Reactions(counts: [.rocket: 1, .thumbsUp: 3, .heart: 2]))

  private static let comments = [
    IssueComment(
      id: 1, body: "I see this too.", user: user("ada"), authorAssociation: "MEMBER",
      createdAt: ago(50), updatedAt: ago(49)),
    IssueComment(
      id: 2, body: "Fixed.", user: nil, authorAssociation: "NONE", createdAt: ago(1.5),
      updatedAt: ago(1.5), reactions: Reactions(counts: [.hooray: 12])),
    IssueComment(id: 3, body: " \r\n", user: user("octocat"), authorAssociation: "CONTRIBUTOR"),
  ]

  private static func page(
    _ change: (inout GitHub.Issue) -> Void = { _ in }, comments: [IssueComment] = [],
    width: Int = 80
  ) -> IssuePage {
    var issue = issue
    change(&issue)
    var page = IssuePage(issue: issue, comments: comments, now: now, width: width)
    // The terminal's own colors.
    page.look = Look(theme: .named("ansi") ?? .standard, colors: .basic)
    return page
  }

  private static func text(_ lines: [StyledLine]) -> String {
    lines.map(\.plain).joined(separator: "\n")
  }

  @Test("a page below a heading leaves the number and the state to it")
  func headed() {
    var page = Self.page()
    page.showsStanding = false
    let lines = page.document.lines
    #expect(lines[0].plain == Self.issue.title)
    #expect(lines[1].plain == "octocat opened about 3 days ago · 14 comments")
  }

  @Test("the page shows all details, from the title to the last comment")
  func whole() {
    let rule = String(repeating: "─", count: 80)
    let expected = """
      Compiler crashes when a macro expands to an empty switch #85968
      Open · octocat opened about 3 days ago · 14 comments
      Labels: [bug] [macros]
      Assignees: ada, grace-h
      Milestone: 6.3
      👍 3  ❤️ 2  🚀 1

      It crashes.

      \(rule)
      ada · member · about 2 days ago · edited

      I see this too.

      \(rule)
      ghost · about 1 hour ago

      Fixed.

      🎉 12

      \(rule)
      octocat · contributor

      This comment has no text.
      """
    #expect(Self.text(Self.page(comments: Self.comments).document.lines) == expected)
  }

  @Test("only the pinned comment is labeled as pinned")
  func pinned() {
    let page = Self.page({ $0.pinnedCommentID = 2 }, comments: Self.comments)
    let headings = Self.text(page.document.lines).split(separator: "\n").filter {
      $0.contains("pinned")
    }
    #expect(headings == ["ghost · about 1 hour ago · pinned"])
  }

  @Test("unknown details are omitted")
  func bare() {
    let issue = GitHub.Issue(id: 1, number: 1, title: "T")
    let page = IssuePage(issue: issue, now: Self.now, width: 80)
    #expect(
      Self.text(page.document.lines) == """
        T #1
        Open · ghost opened this · 0 comments

        No description provided.
        """)
  }

  @Test(
    "the state is shown with its reason and color",
    arguments: [
      (.open, .reopened, nil, "Open", .green), (.open, nil, nil, "Open", .green),
      (.closed, nil, nil, "Closed", .magenta),
      (.closed, .completed, nil, "Closed as completed", .magenta),
      (.closed, .notPlanned, nil, "Closed as not planned", .grey),
      (.closed, .duplicate, nil, "Closed as duplicate", .grey),
      (.closed, StateReason(rawValue: "\u{1B}[2J"), nil, "Closed", .magenta),
      (.open, nil, PullRequestLink(url: "u"), "Open pull request", .green),
      (.closed, nil, PullRequestLink(url: "u"), "Closed pull request", .red),
      (.closed, nil, PullRequestLink(url: "u", mergedAt: now), "Merged pull request", .magenta),
    ] as [(IssueState, StateReason?, PullRequestLink?, String, Style.Paint)])
  func states(
    state: IssueState, reason: StateReason?, pullRequest: PullRequestLink?, text: String,
    color: Style.Paint
  ) {
    let page = Self.page {
      $0.state = state
      $0.stateReason = reason
      $0.pullRequest = pullRequest
    }
    let shown = page.document.lines.flatMap(\.runs).first { $0.text.string.hasPrefix(text) }
    #expect(shown?.text.string == text)
    #expect(shown?.style.foreground == color)
    let number = page.document.lines.flatMap(\.runs).first { $0.text.string == "#85968" }
    #expect(number?.style.foreground == color)
  }

  @Test("one comment is counted in the singular, and a locked conversation is labeled")
  func facts() {
    let page = Self.page {
      $0.commentsCount = 1
      $0.isLocked = true
    }
    #expect(
      page.document.lines[1].plain == "Open · octocat opened about 3 days ago · 1 comment · locked")
  }

  @Test("labels have their own colors, and the title is bold")
  func styles() {
    var page = Self.page()
    page.look.colors = .trueColor
    let runs = page.document.lines.flatMap(\.runs)
    let label = GitHub.Label(name: "bug", color: "fc2929")
    #expect(runs.contains(page.look.pill(label)))
    #expect(runs.first?.style.isBold == true)
    #expect(Self.page().document.lines.allSatisfy { !$0.rendered(in: .none).contains("\u{1B}") })
  }

  @Test("labels that don't fit continue unbroken on the next line")
  func manyLabels() {
    let page = Self.page(
      {
        $0.labels = ["one", "two words", "three", "a long name of a label"].map {
          GitHub.Label(name: $0)
        }
      },
      width: 24)
    let lines = page.document.lines.map(\.plain)
    let first = lines.firstIndex { $0.hasPrefix("Labels:") } ?? 0
    #expect(
      Array(lines[first..<first + 3]) == [
        "Labels: [one]", "  [two words] [three]", "  [a long name of a la…]",
      ])
  }

  @Test(
    "labels are legible on white and on black backgrounds", arguments: [Color.white, .black, nil])
  func legibleLabels(background: Color?) throws {
    let colors = ["ffffff", "000000", "ededed", "0075ca", "7f7f7f", "fbca04"]
    for mode in [ColorMode.palette, .trueColor] {
      var page = Self.page({ $0.labels = colors.map { GitHub.Label(name: "l-\($0)", color: $0) } })
      page.look = Look(colors: mode, background: background)
      let runs = page.document.lines.flatMap(\.runs).filter { $0.text.string.hasPrefix(" l-") }
      #expect(runs.count == colors.count)
      for run in runs {
        guard case .exact(let text) = run.style.foreground,
          case .exact(let behind) = run.style.background
        else {
          Issue.record("\(run)")
          continue
        }
        #expect(text.contrast(with: behind) >= Color.readableContrast, "\(run.text.string)")
      }
      guard let background else { continue }
      for color in colors {
        guard case .exact(let text) = page.look.labelName(color).foreground else {
          Issue.record("\(color)")
          continue
        }
        #expect(text.contrast(with: background) >= Color.readableContrast, "\(color)")
      }
    }
  }

  @Test("authors have the colors of their initials in lists")
  func authors() {
    let page = Self.page(comments: Self.comments)
    let author = page.document.lines.flatMap(\.runs).first {
      $0.text.string == "ada" && $0.style.isBold
    }
    #expect(author?.style.foreground == page.look.initials(of: "ada").style.foreground)
  }

  @Test("no line is wider than the window or a readable width", arguments: [1, 2, 7, 20, 40, 500])
  func widths(width: Int) {
    let long = String(repeating: "長い題名 and words 👩‍👩‍👧‍👦 ", count: 40)
    let page = Self.page(
      {
        $0.title = long
        $0.body = long
        $0.labels = (0..<30).map { GitHub.Label(name: "label number \($0)") }
        $0.milestone = GitHub.Milestone(title: String(repeating: "x", count: 300))
      }, comments: Self.comments, width: width)
    let limit = min(width, IssuePage.maximumWidth)
    // A character of two columns doesn't fit into one.
    let widest = page.document.lines.map(\.columns).max() ?? 0
    #expect(widest <= max(limit, 2))
    #expect(widest > limit / 2)
  }

  @Test("the page's own drawing is ASCII without Unicode symbols")
  func ascii() {
    var page = Self.page({ $0.body = "- [x] done" }, comments: Self.comments)
    page.look.symbols = .ascii
    let text = Self.text(page.document.lines)
    #expect(text.contains("+1 3  heart 2  rocket 1"))
    #expect(text.contains("[x] done"))
    #expect(text.contains(String(repeating: "-", count: 80)))
  }

  @Test("a comment is labeled as edited after a later change, and shows only meaningful roles")
  func comments() {
    for (association, role) in [
      ("OWNER", "owner"), ("MEMBER", "member"), ("COLLABORATOR", "collaborator"),
      ("CONTRIBUTOR", "contributor"), ("FIRST_TIME_CONTRIBUTOR", "first-time contributor"),
      ("FIRST_TIMER", "first-timer"), ("NONE", nil), ("MANNEQUIN", nil), ("\u{1B}c", nil),
    ] {
      let comment = IssueComment(
        id: 1, body: "x", user: Self.user("ada"), authorAssociation: association)
      let heading = Self.page().part(of: comment).lines[2].plain
      #expect(heading == "ada" + (role.map { " · \($0)" } ?? ""))
    }
    let date = Self.ago(30)
    for updated in [date, date.addingTimeInterval(-5)] {
      #expect(!IssueComment(id: 1, createdAt: date, updatedAt: updated).isEdited)
    }
    #expect(IssueComment(id: 1, createdAt: date, updatedAt: date.addingTimeInterval(1)).isEdited)
    #expect(!IssueComment(id: 1, createdAt: nil, updatedAt: date).isEdited)
  }

  @Test("hostile text is shown as text and not interpreted", arguments: HostileText.samples)
  func hostile(text: String) {
    let author = Self.user(text)
    let page = Self.page(
      {
        $0.title = text
        $0.body = text
        $0.labels = [GitHub.Label(name: text, color: text)]
        $0.user = author
        $0.assignees = [author]
        $0.milestone = GitHub.Milestone(title: text)
        $0.stateReason = StateReason(rawValue: text)
      },
      comments: [
        IssueComment(id: 1, body: text, user: author, authorAssociation: text)
      ], width: 40)
    let shown = page.document.lines.map { $0.rendered(in: .none, links: false) }
    for scalar in shown.joined().unicodeScalars {
      #expect(scalar.value >= 0x20 && !TerminalText.isConcealed(scalar))
    }
    #expect(shown.count > 10)
  }
}
