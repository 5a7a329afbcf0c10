import GitHubAPI
import Testing

@Suite("Descriptions of names")
struct DescriptionTests {
  @Test("the description of a name can be typed by a user")
  func texts() throws {
    #expect("\(IssueState.open) \(StateReason.notPlanned)" == "open not_planned")
    #expect("\(InvalidInput.Code.apiURL)" == "apiURL")
    #expect("\(Reactions.Kind.thumbsUp)" == "+1")
    #expect("\(GitHub.Issue.Field.commentsCount) \(GitHub.User.Field.serverID)" == "comments id")
    #expect("\(GitHub.Repository.Field.isFork) \(IssueComment.Field.htmlURL)" == "fork html_url")
    let filter = IssueFilter(state: .all, labels: ["good first issue"], assignee: .nobody)
    #expect("\(filter)" == #"is:all label:"good first issue" no:assignee"#)
    #expect(try IssueFilter(query: "\(filter)") == filter)
  }
}
