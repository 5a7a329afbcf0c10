internal import GitHubAPI
internal import PlatformModules
internal import StyledText

/// An issue for a reader with limited space: its details, its text, the most important comments, and the issues that
/// they mention. It is cut to a number of tokens, and ends with a list of the omitted parts and the commands that show
/// them.
struct IssueContext: Sendable {
  /// An issue that the texts mention.
  struct Linked: Sendable, Hashable {
    var number: Int
    /// The title; nil if it isn't known.
    var title: String?
    var state = ""
  }

  struct Omission: Sendable, Hashable, Encodable {
    let what: String
    /// The command that shows the issue; nil if there is none.
    let command: String?
  }

  struct Written: Sendable, Hashable {
    var text: String
    var tokens: Int
    var leftOut: [Omission]
  }

  /// The repository in the form that a user would type.
  var repository: String
  var issue: GitHub.Issue
  /// The comments, oldest first.
  var comments: [IssueComment] = []
  /// The reason that comments couldn't be read, and the command that shows them.
  var unread: Omission?
  var linked: [Linked] = []
  /// The number of mentions that weren't looked up.
  var furtherMentions = 0
  /// An option that commands need to use the same source.
  var option = ""
  /// The source of the issue, and its age.
  var source: String?

  static let leastTokens = 200

  func written(upTo most: Int) -> Written {
    let head = head
    // The reserve is for the headings and the list of omitted parts.
    let reserve = min(200, most / 4)
    let links = links(upTo: most / 8)
    var room = max(0, most - Self.tokens(head) - Self.tokens(links.text) - reserve)
    let blocks = comments.enumerated().map { index, comment in block(comment, index) }
    let wanted = blocks.reduce(0) { $0 + $1.tokens }
    let body = Self.cut(
      PlainText.quoted((issue.body ?? "").trimmingBlanks), upTo: max(room / 2, room - wanted))
    room = max(0, room - Self.tokens(body.text))
    var (chosen, cutComments) = choose(among: blocks, room)
    var (bodyText, isCut) = (body.text, body.isCut)
    while true {
      let omissions = omissions(
        cutsText: isCut, comments: chosen.count, cutComments.count, links.leftOut)
      let text = assembled(
        head, bodyText, chosen.sorted { $0.index < $1.index }, links.text, omissions)
      let tokens = Self.tokens(text)
      if tokens <= most { return Written(text: text, tokens: tokens, leftOut: omissions) }
      // The sum of the pieces can be less than the tokens of the whole text. The least important pieces are dropped
      // first.
      if let last = chosen.popLast() {
        cutComments.remove(last.index)
      } else if !bodyText.isEmpty {
        let less = max(0, Self.tokens(bodyText) - (tokens - most) - 8)
        (bodyText, isCut) = (String(TokenEstimate.prefix(bodyText, upTo: less)), true)
      } else {
        let text = String(TokenEstimate.prefix(text, upTo: most))
        return Written(text: text, tokens: Self.tokens(text), leftOut: omissions)
      }
    }
  }

  private static func tokens(_ text: String) -> Int { TokenEstimate.tokens(text) }

  // MARK: The parts

  private var kind: String { issue.isPullRequest ? "pull request" : "issue" }

  private var head: String {
    var state = issue.stateName.lowercased()
    if let reason = issue.stateReason, issue.state == .closed {
      state += " (\(reason.rawValue.replacing("_", with: " ")))"
    }
    let facts: [(String, String)] = [
      ("state", "\(state) \(kind)\(issue.isLocked ? ", locked" : "")"),
      ("author", Self.person(issue.user, issue.authorAssociation)),
      ("created", Self.day(issue.createdAt)), ("updated", Self.day(issue.updatedAt)),
      ("closed", Self.day(issue.closedAt)),
      ("assignees", issue.assignees.map(\.login).joined(separator: ", ")),
      ("reactions", Self.reactions(issue.reactions)),
      ("comments", "\(issue.commentsCount)"), ("from", source ?? ""),
    ]
    var text = "# \(Self.line(repository, upTo: 60))#\(issue.number)\n"
    text += Self.quoted(issue.title, upTo: 60)
    for (name, value) in facts where !value.isEmpty {
      text += "\(name): \(Self.line(value, upTo: 30))\n"
    }
    if let milestone = issue.milestone?.title {
      text += "milestone:\n\(Self.quoted(milestone, upTo: 30))"
    }
    if !issue.labels.isEmpty { text += "labels:\n\(labels(upTo: 40))" }
    return text
  }

  /// The labels, each in a line of its own, so that a comma in a name doesn't make two of one.
  private func labels(upTo most: Int) -> String {
    var text = ""
    for (index, label) in issue.labels.enumerated() {
      let line = Self.quoted(label.name, upTo: 30)
      guard Self.tokens(text + line) <= most else {
        return text + "and \(issue.labels.count - index) more\n"
      }
      text += line
    }
    return text
  }

  private struct Block {
    var index: Int
    var heading: String
    var text: String
    var tokens: Int
    var importance: Double
  }

  private func block(_ comment: IssueComment, _ index: Int) -> Block {
    let text = PlainText.quoted((comment.body ?? "").trimmingBlanks)
    var heading =
      "### \(index + 1). \(Self.person(comment.user, comment.authorAssociation)), "
      + Self.day(comment.createdAt)
    let reactions = Self.reactions(comment.reactions)
    if !reactions.isEmpty { heading += ", \(reactions)" }
    if comment.id == issue.pinnedCommentID { heading += ", pinned" }
    heading = Self.line(heading, upTo: 60)
    return Block(
      index: index, heading: heading, text: text, tokens: Self.tokens("\(heading)\n\(text)\n\n"),
      importance: importance(of: comment, index))
  }

  /// The importance of a comment. A pinned comment should be read first, maintainers know most, reactions are votes,
  /// the newest comments describe the current state, and the author answers questions.
  private func importance(of comment: IssueComment, _ index: Int) -> Double {
    var score = 0.0
    if comment.id == issue.pinnedCommentID { score += 10 }
    if ["OWNER", "MEMBER", "COLLABORATOR"].contains(comment.authorAssociation) { score += 3 }
    if let author = issue.user?.login, comment.user?.login == author { score += 1.5 }
    score += Double(Int.bitWidth - (comment.reactions?.total ?? 0).leadingZeroBitCount)
    let age = comments.count - 1 - index
    if age < 3 { score += 3 - Double(age) / 2 }
    if comment.user?.login.hasSuffix("[bot]") == true { score -= 3 }
    // Short comments often only say “+1” or “same here”.
    if (comment.body ?? "").utf8.count < 40 { score -= 1.5 }
    return score
  }

  /// The blocks that fit, most important first, and the indices of those that are cut.
  private func choose(among blocks: [Block], _ room: Int) -> ([Block], Set<Int>) {
    let least = 40
    var room = room
    let most = max(room / 3, least * 2)
    var (chosen, cut): ([Block], Set<Int>) = ([], [])
    let ordered = blocks.sorted { ($0.importance, $0.index) > ($1.importance, $1.index) }
    // If all blocks fit, none is cut.
    let isWhole = blocks.reduce(0) { $0 + $1.tokens } <= room
    for var block in ordered where room > least {
      let allowed = isWhole ? room : min(room, most)
      if block.tokens > allowed {
        let heading = Self.tokens("\(block.heading)\n\n")
        guard allowed - heading > least / 2 else { continue }
        block.text = Self.cut(block.text, upTo: allowed - heading).text
        block.tokens = Self.tokens("\(block.heading)\n\(block.text)\n\n")
        cut.insert(block.index)
      }
      room -= block.tokens
      chosen.append(block)
    }
    return (chosen, cut)
  }

  private func links(upTo most: Int) -> (text: String, leftOut: Int) {
    var text = ""
    var leftOut = furtherMentions
    for link in linked {
      let title = link.title.map { " \(link.state.lowercased())\n\(Self.quoted($0, upTo: 40))" }
      let line = "- #\(link.number)" + (title ?? "\n")
      if Self.tokens(text + line) <= most { text += line } else { leftOut += 1 }
    }
    return (text, leftOut)
  }

  // MARK: Omitted parts

  private func omissions(
    cutsText: Bool, comments shown: Int, _ cutComments: Int, _ links: Int
  ) -> [Omission] {
    let view = "issues view \(repository) \(issue.number)"
    var omissions: [Omission] = []
    if cutsText {
      omissions.append(Omission(what: "the end of the text", command: "\(view)\(option)"))
    }
    let missing = comments.count - shown
    var parts: [String] = []
    if missing > 0 { parts.append("\(missing) of \(comments.count) comments") }
    if cutComments > 0 { parts.append("the ends of \(cutComments)") }
    if !parts.isEmpty {
      omissions.append(
        Omission(
          what: parts.joined(separator: " and ") + (missing > 0 ? "" : " comments"),
          command: "\(view) --comments\(option)"))
    }
    if let unread { omissions.append(unread) }
    if links > 0 {
      omissions.append(
        Omission(what: "\(links) of the issues that are mentioned", command: nil))
    }
    return omissions
  }

  private func assembled(
    _ head: String, _ body: String, _ comments: [Block], _ links: String, _ omissions: [Omission]
  ) -> String {
    var text = head
    if !body.isEmpty { text += "\n## Text\n\n\(body)\n" }
    if !comments.isEmpty {
      text += "\n## Comments\n"
      for comment in comments { text += "\n\(comment.heading)\n\n\(comment.text)\n" }
    }
    if !links.isEmpty { text += "\n## Mentioned\n\n\(links)" }
    if !omissions.isEmpty {
      text += "\n## Left out\n\n"
      for omission in omissions {
        let command = omission.command.map { ": \($0)" } ?? ""
        text += "- \(TerminalText(omission.what + command))\n"
      }
    }
    return text
  }

  // MARK: Untrusted text

  /// The text in one line, without control characters.
  private static func line(_ text: String, upTo tokens: Int) -> String {
    let text = TerminalText(String(text.unicodeScalars.prefix(1_000))).string
    let prefix = TokenEstimate.prefix(text, upTo: tokens)
    return prefix.endIndex < text.endIndex ? "\(prefix)…" : text
  }

  /// A line of a stranger's text, marked like each line of a body (``PlainText/quoted(_:)``).
  private static func quoted(_ text: String, upTo tokens: Int) -> String {
    "> \(line(text, upTo: tokens))\n"
  }

  /// The text, cut at the end of a nearby line or word if possible.
  private static func cut(_ text: String, upTo tokens: Int) -> (text: String, isCut: Bool) {
    var prefix = TokenEstimate.prefix(text, upTo: tokens)
    guard prefix.endIndex < text.endIndex else { return (text, false) }
    prefix = TokenEstimate.prefix(text, upTo: max(0, tokens - 4))
    let end = prefix.suffix(200)
    if let place = end.lastIndex(where: \.isNewline) ?? end.lastIndex(of: " ") {
      prefix = prefix[..<place]
    }
    return ("\(String(prefix).trimmingBlanks) […]", true)
  }

  private static func person(_ user: GitHub.User?, _ association: String?) -> String {
    let relation = association.map { $0.lowercased().replacing("_", with: " ") } ?? "none"
    return (user?.login ?? "ghost") + (relation == "none" ? "" : " (\(relation))")
  }

  private static func day(_ date: Date?) -> String {
    date.map { String(Timestamp.string(from: $0).prefix(10)) } ?? ""
  }

  private static func reactions(_ reactions: Reactions?) -> String {
    Reactions.Kind.allCases.compactMap { kind in
      reactions?.counts[kind].map { "\(kind.rawValue) \($0)" }
    }.joined(separator: ", ")
  }
}

extension ValueReader {
  static func tokens(_ text: String) throws -> Int {
    let least = IssueContext.leastTokens
    return try read(
      text, { Int($0).flatMap { (least...10_000_000).contains($0) ? $0 : nil } },
      "use a number of at least \(least)")
  }
}
