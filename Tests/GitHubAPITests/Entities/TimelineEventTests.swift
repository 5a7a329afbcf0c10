import Foundation
import GitHubAPI
import TestSupport
import Testing

@Suite("Timeline events")
struct TimelineEventTests {
  private func decode(_ json: String) throws -> TimelineEvent {
    try GitHubJSON.decode(TimelineEvent.self, from: Data(json.utf8))
  }

  @Test(
    "each kind of event keeps its data and survives encoding",
    arguments: [
      #"{"event":"closed","id":1,"actor":{"login":"ada"},"created_at":"2026-01-02T03:04:05Z","state_reason":"completed","commit_id":"abc"}"#,
      #"{"event":"renamed","id":1,"rename":{"from":"a","to":"b"}}"#,
      #"{"event":"labeled","id":1,"label":{"name":"bug","color":"ff0000"}}"#,
      #"{"event":"assigned","id":1,"assignee":{"login":"ada"}}"#,
      #"{"event":"review_requested","id":1,"requested_reviewer":{"login":"ada"}}"#,
      #"{"event":"milestoned","id":1,"milestone":{"title":"6.3"}}"#,
      #"{"event":"locked","id":1,"lock_reason":"spam"}"#,
      #"{"event":"issue_type_changed","id":1,"issue_type":{"name":"Bug"},"prev_issue_type":{"name":"Task"}}"#,
      #"{"event":"sub_issue_added","id":1,"sub_issue":{"number":3,"title":"t","state":"open","repository":{"full_name":"a/b"}}}"#,
      #"{"event":"parent_issue_removed","id":1,"parent_issue":{"number":3}}"#,
      #"{"event":"blocked_by_added","id":1,"blocked_by":{"number":3}}"#,
      #"{"event":"blocking_removed","id":1,"blocking":{"number":3}}"#,
      #"{"event":"reviewed","id":1,"user":{"login":"ada"},"state":"approved","body":"b","submitted_at":"2026-01-02T03:04:05Z"}"#,
      #"{"event":"committed","sha":"abc","message":"m","author":{"name":"Ada","date":"2026-01-02T03:04:05Z"}}"#,
      #"{"event":"commented","id":1,"user":{"login":"ada"},"body":"b","created_at":"2026-01-02T03:04:05Z"}"#,
    ])
  func kinds(json: String) throws {
    let event = try decode(json)
    let again = try GitHubJSON.encoder().encode(event)
    #expect(try GitHubJSON.decode(TimelineEvent.self, from: again) == event)
    #expect(try JSONDecoder().decode(TimelineEvent.self, from: again) == event)
    #expect(event != TimelineEvent(kind: event.kind, serverID: event.serverID))
  }

  @Test(
    "comments on code have their author and their text",
    arguments: ["line-commented", "commit-commented"])
  func commentsOnCode(kind: String) throws {
    let event = try decode(
      """
      {"event":"\(kind)","node_id":"x","comments":[\
      {"id":7,"user":{"login":"ada"},"body":"Why?","path":"a.swift","created_at":"2026-01-02T03:04:05Z"},\
      {"id":8,"user":{"login":"mia"},"body":"Because."}]}
      """)
    #expect(event.actor?.login == "ada" && event.createdAt != nil)
    #expect(event.comment?.body == "Why?\n\nBecause." && event.comment?.id == 7)
    let again = try GitHubJSON.encoder().encode(event)
    #expect(try GitHubJSON.decode(TimelineEvent.self, from: again) == event)
  }

  @Test("a cross-reference has no ID and may be from a pull request")
  func reference() throws {
    let event = try decode(
      """
      {"event":"cross-referenced","actor":{"login":"ada"},"created_at":"2026-01-02T03:04:05Z","source":\
      {"type":"issue","issue":{"id":9,"number":3,"title":"t","state":"open",\
      "repository_url":"https://api.github.com/repos/a/b","pull_request":{"url":"u"}}}}
      """)
    #expect(event.serverID == nil)
    let expected = MentionedIssue(
      number: 3, title: "t", state: .open, repository: RepositoryName("a/b"), isPullRequest: true)
    #expect(event.other == expected)
    let again = try GitHubJSON.encoder().encode(event)
    #expect(try GitHubJSON.decode(TimelineEvent.self, from: again) == event)
  }

  @Test("an unknown kind, a missing actor or an unexpected member loses nothing else")
  func unknown() throws {
    let event = try decode(
      """
      {"event":"moved_to_mars","id":"x","actor":null,"label":7,"created_at":"2026-01-02T03:04:05Z",\
      "sub_issue":{"number":-1}}
      """)
    #expect(event.kind.rawValue == "moved_to_mars")
    #expect(event.actor == nil && event.serverID == nil && event.label == nil && event.other == nil)
    #expect(event.createdAt == Date(timeIntervalSince1970: 1_767_323_045))
    #expect(throws: DecodingError.self) { try decode(#"{"id":1}"#) }
  }

  @Test("only a comment event has a comment")
  func comment() throws {
    let event = try decode(#"{"event":"commented","id":7,"user":{"login":"ada"},"body":"b"}"#)
    #expect(event.comment == IssueComment(id: 7, body: "b", user: GitHub.User(login: "ada")))
    #expect(try decode(#"{"event":"closed","id":7,"body":"b"}"#).comment == nil)
  }

  @Test(
    "recorded events are decoded with their actor and time",
    .enabled(if: RecordedExchanges.folder != nil, "the recorded fixtures are not here"))
  func recorded() throws {
    let recorded = try RecordedExchanges(file: "writes-10-events.json")
    var count = 0
    for exchange in recorded.exchanges where exchange.url.contains("/events") {
      let body = Data(exchange.body.utf8)
      guard let events = try? GitHubJSON.decode([TimelineEvent].self, from: body) else { continue }
      #expect(events.allSatisfy { $0.actor != nil && $0.createdAt != nil && $0.serverID != nil })
      count += events.count
    }
    #expect(count > 20)
  }
}
