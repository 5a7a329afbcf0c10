import GitHubAPI
import Testing

@testable import IssuesCommand

@Suite("Repository and issue arguments")
struct PlaceArgumentTests {
  @Test(
    "a repository and an issue are accepted as one argument, as two, alone, or not at all",
    arguments: [
      (nil, nil, nil, nil), ("12", nil, nil, 12), ("#12", nil, nil, 12), ("o/r", nil, "o/r", nil),
      ("o/r", "12", "o/r", 12), ("o/r", "#12", "o/r", 12), ("o/r#12", nil, "o/r", 12),
      ("ghe.example.com/o/r", "12", "ghe.example.com/o/r", 12),
      ("https://github.com/o/r", "12", "github.com/o/r", 12),
      ("https://github.com/o/r/issues/12", nil, "github.com/o/r", 12),
      ("https://github.com/o/r/pull/12", nil, "github.com/o/r", 12),
      ("https://github.com/o/r/issues", nil, "github.com/o/r", nil),
      ("git@github.com:o/r.git", "3", "github.com/o/r", 3),
    ] as [(String?, String?, String?, Int?)])
  func accepted(first: String?, second: String?, repository: String?, number: Int?) throws {
    let place = try PlaceArgument(first, second)
    #expect(place.repository.named?.description == repository)
    #expect(place.issueNumber == number)
  }

  @Test(
    "contradictory or invalid repository and issue arguments are refused",
    arguments: [
      ("x", nil), ("", nil), ("o/r", "x"), ("o/r", ""), ("o/r", "0"), ("12", "13"), ("12", "o/r"),
      ("o/r", "o/r#1"), ("o/r", "https://github.com/o/r/issues/1"), ("o/r#1", "2"),
      ("https://github.com/o/r/issues/1", "2"), ("../..", "1"),
    ] as [(String, String?)])
  func refused(first: String, second: String?) {
    #expect(throws: (any Error).self) { try PlaceArgument(first, second) }
  }
}
