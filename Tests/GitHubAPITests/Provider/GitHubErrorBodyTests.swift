import Foundation
import GitHubAPI
import Testing

@Suite("GitHubErrorBody")
struct GitHubErrorBodyTests {
  private func summary(_ json: String) -> String? {
    GitHubErrorBody(Data(json.utf8))?.summary
  }

  @Test(
    "the message and the details are joined in one line",
    arguments: [
      (#"{"message": "Not Found", "documentation_url": "https://docs"}"#, "Not Found"),
      (#"{"error": "Not allowed"}"#, "Not allowed"),
      (#"{"message": null, "error": "Not allowed"}"#, "Not allowed"),
      (
        #"{"message": "Validation Failed", "errors": [{"resource": "Label", "code": "invalid", "field": "color"}]}"#,
        "Validation Failed: Label color invalid"
      ),
      (
        #"{"message": "Validation Failed", "errors": ["First.", {"code": "custom", "message": "Second."}]}"#,
        "Validation Failed: First.: Second."
      ),
      (#"{"message": "m", "errors": "text"}"#, "m: text"),
      (#"{"message": "m", "errors": [{"value": [1]}]}"#, "m"),
      (#"{"message": "m", "errors": [1]}"#, "m"),
      (#"{"message": "m", "errors": null, "documentation_url": 7, "status": "422"}"#, "m"),
      (#"{"message": " a\r\n\tb\u001b]0;c\u0007 \u202ed\u0085 "}"#, "a b ]0;c d"),
      (#"{"message": ""}"#, ""),
    ])
  func summaries(json: String, expected: String) {
    #expect(summary(json) == expected)
  }

  @Test(
    "an error body without a message is nil",
    arguments: [
      "", "<html><body>Unicorn!</body></html>", "[]", "null", #""text""#, "{}", #"{"message": 7}"#,
      "{",
    ])
  func nothing(body: String) {
    #expect(GitHubErrorBody(Data(body.utf8)) == nil)
  }

  @Test("the documentation URL and the details are kept")
  func parts() throws {
    let body = try #require(
      GitHubErrorBody(
        Data(
          #"{"message": "m", "documentation_url": "d", "errors": [{"field": "f", "code": "c"}]}"#
            .utf8)))
    #expect(
      body
        == GitHubErrorBody(
          message: "m", documentationURL: "d", details: [.init(field: "f", code: "c")]))
  }

  @Test("a summary has at most 300 characters for any length of the body")
  func bounded() throws {
    let long = String(repeating: "é", count: 100_000)
    let message = GitHubErrorBody(message: long).summary
    #expect(message.count == 300)
    #expect(message.hasSuffix("…"))
    let details = Array(repeating: GitHubErrorBody.Detail(message: long), count: 1_000)
    #expect(GitHubErrorBody(message: "m", details: details).summary.count == 300)
    #expect(GitHubErrorBody(message: String(repeating: "a", count: 299)).summary.count == 299)
    // A character can have any number of marks.
    let marks = GitHubErrorBody(message: "e" + String(repeating: "\u{301}", count: 100_000)).summary
    #expect(marks.unicodeScalars.count == 300)
  }
}
