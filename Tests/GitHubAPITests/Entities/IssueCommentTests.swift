import Foundation
import GitHubAPI
import TestSupport
import Testing

@Suite("IssueComment")
struct IssueCommentTests {
  private func decode(_ json: String) throws -> IssueComment {
    try GitHubJSON.decode(IssueComment.self, from: Data(json.utf8))
  }

  @Test("a comment requires only its ID")
  func required() throws {
    #expect(try decode(#"{"id":4712345012}"#) == IssueComment(id: 4_712_345_012))
    let nulls = IssueComment.Field.allCases.filter { $0 != .id }
      .map { #""\#($0.rawValue)":null"# }.joined(separator: ",")
    #expect(try decode(#"{"id":1,\#(nulls)}"#) == IssueComment(id: 1))
    #expect(throws: DecodingError.self) { try decode("{\(nulls)}") }
  }

  @Test("a comment survives encoding and decoding")
  func roundTrip() throws {
    let comment = try decode(
      """
      {"id":7,"body":"Yes, 🎉","user":{"login":"ghost","id":10137},"author_association":"NONE",\
      "created_at":"2026-01-31T12:00:00Z","updated_at":"2026-02-01T12:00:00+01:00",\
      "html_url":"https://github.com/a/b/issues/1#issuecomment-7",\
      "issue_url":"https://api.github.com/repos/a/b/issues/1",\
      "reactions":{"total_count":1,"hooray":1},"performed_via_github_app":null,"pin":null}
      """)
    #expect(comment.user?.login == "ghost")
    #expect(comment.issueNumber == 1)
    #expect(comment.reactions == Reactions(counts: [.hooray: 1]))
    #expect(comment.updatedAt == comment.createdAt.map { $0 + 82_800 })
    let encoded = try GitHubJSON.encoder().encode(comment)
    #expect(try GitHubJSON.decode(IssueComment.self, from: encoded) == comment)
  }

  @Test(
    "the issue number of a comment is the end of its issue URL",
    arguments: [
      ("https://h.example/api/v3/repos/a/issues/issues/85968", 85_968),
      ("https://codeberg.org/a/b/pulls/1", 1), ("issues/7", 7), ("7", nil), ("", nil),
      ("issues/", nil), ("issues/0", nil), ("issues/-1", nil), ("issues/+1", nil),
      ("issues/1/", nil), ("issues/1?x=2", nil), ("issues/1#x", nil), ("issues/١", nil),
      ("issues/99999999999999999999", nil),
    ])
  func issueNumber(url: String, number: Int?) {
    #expect(IssueComment(id: 1, issueURL: url).issueNumber == number)
  }

  @Test(
    "the recorded comments are decoded with their emoji",
    .enabled(if: RecordedExchanges.folder != nil, "the recorded fixtures are not here"))
  func recorded() throws {
    let exchange = try #require(
      try RecordedExchanges(file: "comments-03-emoji.json").exchanges.first)
    let comments = try GitHubJSON.decode([IssueComment].self, from: Data(exchange.body.utf8))
    #expect(comments.count == 14)
    #expect(Set(comments.map(\.id)).count == 14)
    #expect(Set(comments.map(\.issueNumber)).count == 1 && comments[0].issueNumber != nil)
    #expect(
      comments.allSatisfy { $0.user != nil && $0.createdAt != nil && $0.body?.isEmpty == false })
    #expect(
      comments.contains { comment in
        comment.body?.unicodeScalars.contains { $0.value > 0xFFFF } == true
      })
    // GitHub counted no reactions yet.
    #expect(comments.allSatisfy { $0.reactions == nil })
  }
}
