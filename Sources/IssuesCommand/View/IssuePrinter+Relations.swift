internal import IssueBrowser
internal import IssueTracker
internal import PlatformModules
internal import StyledText
internal import TerminalMarkdown

/// The relations of an issue: as lines below its details, as fields for programs, or as JSON.
extension IssuePrinter {
  static let parentField = "parent"
  static let subIssuesField = "sub_issues"
  static let blockedByField = "blocked_by"
  static let blockingField = "blocking"
  static let relationFields = [parentField, subIssuesField, blockedByField, blockingField]
  static let fieldsField = "fields"

  /// The maximum number of lines. If there are more, an issue's page shows the number of the rest: `issues tree` shows
  /// all.
  private static let mostLines = 30

  static func lines(
    of relations: IssueRelations, of issue: GitHub.Issue, on page: IssuePage
  ) -> [StyledLine] {
    func name(_ other: GitHub.Issue) -> StyledLine.Run {
      let place = other.url.flatMap { IssuePlace($0) }
      let own = issue.url.flatMap { IssuePlace($0) }
      let isNear = place == nil || place?.repository == own?.repository
      return StyledLine.Run(
        isNear ? "#\(other.number)" : place.map { "\($0)" } ?? "",
        style: page.look.state(of: other),
        link: page.links == .hyperlinks ? other.htmlURL.flatMap { WebLink($0) } : nil)
    }
    func line(_ title: String, _ others: [Sent<GitHub.Issue>]) -> [StyledLine] {
      guard !others.isEmpty else { return [] }
      let head = StyledLine("\(title):", style: page.look[.muted])
      var lines = [head]
      for other in others.prefix(Self.mostLines) {
        let issue = other.entity
        var runs = [
          StyledLine.Run(
            "  \(page.look.symbols.state(issue.state, issue.stateReason)) ",
            style: page.look.state(of: issue)),
          name(issue), StyledLine.Run(" \(issue.title)"),
        ]
        if let progress = issue.subIssues?.progress {
          runs.append(StyledLine.Run(" \(progress)", style: page.look[.muted]))
        }
        lines.append(StyledLine(runs: runs))
      }
      if others.count > Self.mostLines {
        lines.append(
          StyledLine("  and \(others.count - Self.mostLines) more", style: page.look[.muted]))
      }
      return lines
    }
    var lines: [StyledLine] = []
    if let parent = relations.parent?.entity {
      lines.append(
        StyledLine(runs: [
          StyledLine.Run("Parent: ", style: page.look[.muted]), name(parent),
          StyledLine.Run(" \(parent.title)"),
          StyledLine.Run(
            parent.subIssues?.progress.map { " \($0)" } ?? "", style: page.look[.muted]),
        ]))
    }
    let done = relations.subIssues.count { $0.entity.state == .closed }
    lines += line("Sub-issues, \(done) of \(relations.subIssues.count) done", relations.subIssues)
    let open = relations.blockedBy.filter { $0.entity.state == .open }
    lines += line(open.isEmpty ? "Was blocked by" : "Blocked by", relations.blockedBy)
    lines += line("Blocks", relations.blocking)
    return lines
  }

  /// The fields for programs. They include only existing relations, because most issues have none.
  static func plainFields(
    of issue: GitHub.Issue, _ relations: IssueRelations?
  ) -> [(name: String, value: StyledLine)] {
    func names(_ issues: [Sent<GitHub.Issue>]) -> String {
      issues.map { sent in
        sent.entity.url.flatMap { IssuePlace($0) }.map { "\($0)" } ?? "#\(sent.entity.number)"
      }.joined(separator: ", ")
    }
    var fields: [(name: String, value: StyledLine)] = []
    func add(_ name: String, _ text: String?) {
      if let text, !text.isEmpty { fields.append((name, StyledLine(text))) }
    }
    add("type", issue.type?.name)
    add("parent", issue.parent.map { "\($0)" })
    add("sub-issues", relations.map { names($0.subIssues) })
    add("sub-issues-done", issue.subIssues?.progress)
    add("blocked-by", relations.map { names($0.blockedBy) })
    add("blocking", relations.map { names($0.blocking) })
    add("closed-by", issue.closedBy?.login)
    add("fields", issue.fieldsText)
    return fields
  }

  /// The addition with the value of each field by its name. The server's form is in `issue_field_values`.
  static func fieldsAddition(of issue: GitHub.Issue) throws -> JSONObject.Addition {
    let values = issue.fieldValues.compactMap { value in
      value.name.map { ($0, value.content) }
    }
    return .init(
      name: fieldsField,
      value: try GitHubJSON.encoder().encode(Dictionary(values) { first, _ in first }))
  }

  /// The additions in the form in which the server sent them.
  static func additions(of relations: IssueRelations) -> [JSONObject.Addition] {
    func list(_ issues: [Sent<GitHub.Issue>]) -> Data {
      var list = Data("[".utf8)
      for (index, issue) in issues.enumerated() {
        list += Data((index == 0 ? "" : ",").utf8) + issue.json
      }
      return list + Data("]".utf8)
    }
    return [
      .init(name: parentField, value: relations.parent?.json ?? Data("null".utf8)),
      .init(name: subIssuesField, value: list(relations.subIssues)),
      .init(name: blockedByField, value: list(relations.blockedBy)),
      .init(name: blockingField, value: list(relations.blocking)),
    ]
  }
}
