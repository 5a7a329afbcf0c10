import Foundation
import GitHubAPI
import Testing

@Suite("Relations of an issue")
struct IssueRelationTests {
  private func decode(with fields: String) throws -> GitHub.Issue {
    let json = #"{"id": 1, "number": 2, "title": "t", "state": "open", \#(fields)}"#
    return try GitHubJSON.decode(GitHub.Issue.self, from: Data(json.utf8))
  }

  @Test("the type, parent, summaries, closer and pinned comment survive decoding and encoding")
  func all() throws {
    let issue = try decode(
      with: """
        "type": {"id": 9, "name": "Bug", "color": "red", "description": null, "is_enabled": true},
        "parent_issue_url": "https://ghe.example/api/v3/repos/a/b/issues/12",
        "sub_issues_summary": {"total": 5, "completed": 2, "percent_completed": 40},
        "issue_dependencies_summary":
          {"blocked_by": 1, "total_blocked_by": 2, "blocking": 3, "total_blocking": 4},
        "closed_by": {"login": "ada"}, "pinned_comment": {"id": 5000000001, "body": "b"}
        """)
    #expect(
      issue.type == GitHub.IssueType(serverID: 9, name: "Bug", color: "red", isEnabled: true))
    #expect(issue.parent.map { "\($0)" } == "a/b#12")
    #expect(issue.subIssues == GitHub.SubIssuesSummary(total: 5, completed: 2))
    #expect(
      issue.dependencies
        == GitHub.DependenciesSummary(
          blockedBy: 1, blocking: 3, totalBlockedBy: 2, totalBlocking: 4))
    #expect(issue.closedBy?.login == "ada")
    #expect(issue.pinnedCommentID == 5_000_000_001)
    let again = try GitHubJSON.encoder().encode(issue)
    #expect(try GitHubJSON.decode(GitHub.Issue.self, from: again) == issue)
    #expect(String(decoding: again, as: UTF8.self).contains(#""percent_completed":40"#))
  }

  @Test("field values are decoded with the names of their options, and survive encoding")
  func fieldValues() throws {
    let issue = try decode(
      with: """
        "issue_field_values": [
          {"issue_field_id": 1, "issue_field_name": "Priority", "node_id": "n",
           "data_type": "single_select", "value": "17",
           "single_select_option": {"id": 17, "name": "High", "color": "red"}},
          {"issue_field_id": 2, "issue_field_name": "Effort", "node_id": "n", "data_type": "number",
           "value": 3},
          {"issue_field_id": 3, "node_id": "n", "data_type": "multi_select", "value": "1,2",
           "multi_select_options": [{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]},
          {"issue_field_id": 4, "node_id": "n", "data_type": "date", "value": "2026-12-31"},
          {"issue_field_id": 5, "node_id": "n", "data_type": "text", "value": null}
        ]
        """)
    #expect(issue.fieldValues.map(\.fieldID) == [1, 2, 3, 4, 5])
    #expect(issue.fieldValues.map(\.name) == ["Priority", "Effort", nil, nil, nil])
    #expect(
      issue.fieldValues.map(\.content) == [
        .text("High"), .number(3), .options(["a", "b"]), .text("2026-12-31"), nil,
      ])
    #expect(
      issue.fieldValues.compactMap { $0.content.map { "\($0)" } } == [
        "High", "3", "a, b", "2026-12-31",
      ])
    let again = try GitHubJSON.encoder().encode(issue)
    #expect(try GitHubJSON.decode(GitHub.Issue.self, from: again) == issue)
    let field = try GitHubJSON.decode(
      GitHub.IssueField.self,
      from: Data(
        #"{"id": 1, "node_id": "n", "name": "P", "data_type": "single_select", "options": [{"name": "High"}]}"#
          .utf8))
    #expect(field == GitHub.IssueField(id: 1, name: "P", kind: .singleSelect, options: ["High"]))
  }

  @Test("a filter's fields become query items and qualifiers, and are accepted in a search")
  func fieldFilter() throws {
    let filter = try IssueFilter(query: #"field.priority:High field.target-date:2026-12-31"#)
    #expect(filter.fields.map { "\($0)" } == ["priority:High", "target-date:2026-12-31"])
    #expect(
      filter.queryItems.contains {
        $0 == ("issue_field_values", "priority:High,target-date:2026-12-31")
      })
    #expect(try IssueFilter(query: filter.query) == filter)
    let json = try GitHubJSON.encoder().encode(filter)
    #expect(try GitHubJSON.decode(IssueFilter.self, from: json) == filter)
    try GitHubQualifier.check("field.priority:High no:field.effort has:field.effort -field.a:b")
    for wrong in ["field.:High", "field.priority:", "no:feld.effort"] {
      #expect(throws: InvalidInput.self) { try GitHubQualifier.check(wrong) }
    }
    for text in ["", ":", "a:", ":b", "a:b,c", "a,b:c"] {
      #expect(IssueFieldChoice(text) == nil, "\(text)")
    }
    #expect(IssueFieldChoice(name: "Target Date", value: "x:y")?.description == "target-date:x:y")
    #expect(IssueFieldChoice(name: "a:b", value: "c") == nil)
  }

  @Test(
    "an unexpected JSON form of one property loses only that property",
    arguments: [
      #""type": 7"#, #""sub_issues_summary": "none""#, #""issue_dependencies_summary": []"#,
      #""parent_issue_url": {}"#, #""closed_by": 1"#, #""pinned_comment": true"#,
      #""issue_field_values": {}"#, #""issue_field_values": [7]"#,
    ])
  func forms(field: String) throws {
    #expect(try decode(with: field) == GitHub.Issue(id: 1, number: 2, title: "t"))
  }

  @Test(
    "an issue's place is parsed only from an API URL of an issue",
    arguments: [
      ("https://api.github.com/repos/a/b/issues/12", "a/b#12"),
      ("http://127.0.0.1:8080/api/v3/repos/a/b/issues/1", "a/b#1"),
      ("https://api.github.com/repos/a/b/pulls/12", nil), ("repos/a/b/issues/0", nil),
      ("repos/a/b/issues/-1", nil), ("repos/../b/issues/1", nil), ("", nil), ("a/b#12", nil),
      ("https://api.github.com/repos/a/b/issues/12/", nil),
    ])
  func places(url: String, expected: String?) {
    #expect(IssuePlace(url).map { "\($0)" } == expected)
  }

  @Test(
    "a filter by type is sent, matches issues, and is parsed again",
    arguments: [
      ("Bug", "type:Bug", [1]), ("*", "type:*", [1, 2]), ("none", "no:type", [3]),
      ("big task", #"type:"big task""#, [2]),
    ])
  func filter(text: String, words: String, numbers: [Int]) throws {
    let filter = IssueFilter(type: IssueTypeChoice(text))
    #expect(filter.queryItems.map(\.value) == ["open", text])
    #expect(filter.query == "is:open \(words)")
    #expect(try IssueFilter(query: filter.query) == filter)
    let data = try JSONEncoder().encode(filter)
    #expect(try JSONDecoder().decode(IssueFilter.self, from: data) == filter)
    let issues = ["bug", "Big Task", nil].enumerated().map { index, name in
      GitHub.Issue(
        id: 1, number: index + 1, title: "t", type: name.map { GitHub.IssueType(name: $0) })
    }
    #expect(issues.filter(filter.matches).map(\.number) == numbers)
    #expect(try IssueFilter(query: "is:open type:issue") == IssueFilter())
    #expect(throws: InvalidInput.self) { try IssueFilter(query: "type:pr") }
  }

  @Test("the relations of stubbed issues are consistent")
  func samples() throws {
    let name = "vapor/vapor"
    func list(_ target: GitHub) throws -> [GitHub.Issue] {
      try GitHubJSON.decode([GitHub.Issue].self, from: target.sampleData)
    }
    let all = try list(
      .issues(repositoryFullName: name, filter: IssueFilter(state: .all), pageSize: 100))
    let parents = all.filter { $0.subIssues?.total ?? 0 > 0 }
    #expect(!parents.isEmpty)
    #expect(Set(all.compactMap(\.type?.name)) == ["Bug", "Feature", "Task"])
    for parent in parents {
      let children = try list(.subIssues(repositoryFullName: name, number: parent.number))
      #expect(children.count == parent.subIssues?.total)
      #expect(children.count { $0.state == .closed } == parent.subIssues?.completed)
      #expect(children.allSatisfy { $0.parent?.number == parent.number })
    }
    let blocked = all.filter { $0.dependencies?.totalBlockedBy ?? 0 > 0 }
    #expect(!blocked.isEmpty)
    for issue in blocked {
      let blockers = try list(.blockedBy(repositoryFullName: name, number: issue.number))
      #expect(blockers.count == 1)
      let back = try list(.blocking(repositoryFullName: name, number: blockers[0].number))
      #expect(back.map(\.number) == [issue.number])
    }
    let closed = try #require(all.first { $0.state == .closed && $0.commentsCount > 0 })
    let events = try GitHubJSON.decode(
      [TimelineEvent].self,
      from: GitHub.timeline(repositoryFullName: name, number: closed.number).sampleData)
    #expect(events.last?.kind == .closed)
    #expect(events.compactMap(\.comment).count == closed.commentsCount)
  }
}
