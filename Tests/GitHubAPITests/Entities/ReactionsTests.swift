import Foundation
import GitHubAPI
import Testing

@Suite("Reactions")
struct ReactionsTests {
  private func decode(_ json: String) throws -> Reactions {
    try GitHubJSON.decode(Reactions.self, from: Data(json.utf8))
  }

  @Test("reactions are decoded as counted by GitHub")
  func reading() throws {
    let reactions = try decode(
      """
      {"url":"https://api.github.com/repos/a/b/issues/1/reactions","total_count":36,"+1":1,"-1":2,\
      "laugh":3,"hooray":4,"confused":5,"heart":6,"rocket":7,"eyes":8}
      """)
    #expect(
      reactions.counts == [
        .thumbsUp: 1, .thumbsDown: 2, .laugh: 3, .hooray: 4, .confused: 5, .heart: 6, .rocket: 7,
        .eyes: 8,
      ])
    #expect(reactions.total == 36)
  }

  @Test(
    "a missing, null or nonpositive reaction count is zero",
    arguments: [
      "{}", #"{"total_count":0}"#, #"{"total_count":null,"+1":null}"#, #"{"+1":0,"heart":-3}"#,
      #"{"total_count":1,"unicorn":1}"#,
      // The total is believed, as a list of a hundred issues has a hundred of them.
      #"{"total_count":0,"+1":1}"#,
    ])
  func none(json: String) throws {
    let reactions = try decode(json)
    #expect(reactions == Reactions())
    #expect(reactions.total == 0)
  }

  @Test("reactions are counted even without a total")
  func withoutTotal() throws {
    #expect(try decode(#"{"heart":2}"#) == Reactions(counts: [.heart: 2]))
  }

  @Test(
    "a reaction count that isn't a number throws an error with its path",
    arguments: [
      (#"{"total_count":"1"}"#, "total_count"), (#"{"total_count":1,"heart":"1"}"#, "heart"),
      (#"{"total_count":1,"eyes":{}}"#, "eyes"), (#"{"rocket":true}"#, "rocket"),
    ])
  func noNumber(json: String, key: String) throws {
    let issue = #"{"id":1,"number":2,"title":"t","state":"open","reactions":\#(json)}"#
    let error = #expect(throws: DecodingError.self) {
      try GitHubJSON.decode(GitHub.Issue.self, from: Data(issue.utf8))
    }
    switch error {
    case .typeMismatch(_, let context), .dataCorrupted(let context):
      #expect(context.codingPath.map(\.stringValue) == ["reactions", key])
    default: Issue.record("another error: \(String(describing: error))")
    }
  }

  @Test("the total of huge reaction counts doesn't overflow")
  func overflow() throws {
    let reactions = try decode(#"{"+1":9223372036854775807,"-1":9223372036854775807}"#)
    #expect(reactions.total == .max)
    #expect(try GitHubJSON.encoder().encode(reactions).count > 0)
  }

  @Test("reactions are encoded with every kind and the total")
  func writing() throws {
    let encoded = try GitHubJSON.encoder().encode(Reactions(counts: [.heart: 2, .eyes: 1]))
    #expect(
      String(decoding: encoded, as: UTF8.self)
        == #"{"+1":0,"-1":0,"confused":0,"eyes":1,"heart":2,"hooray":0,"laugh":0,"rocket":0,"#
        + #""total_count":3}"#)
    #expect(
      try GitHubJSON.decode(Reactions.self, from: encoded)
        == Reactions(counts: [.heart: 2, .eyes: 1]))
  }
}
