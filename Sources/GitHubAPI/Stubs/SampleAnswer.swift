internal import HTTPTargets

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What a stub answers with.
struct SampleAnswer {
  var status = HTTPResponse.Status.ok
  var headers: HTTPFields = [.contentType: "application/json; charset=utf-8"]
  var body: Data

  /// What GitHub answers where there is nothing of the name or the number.
  static let notFound = refusal(.notFound, "Not Found")
  /// What GitHub answers where a repository has no issues.
  static let gone = refusal(.gone, "Issues are disabled for this repo")

  init(_ body: Data) {
    self.body = body
  }

  /// - Parameters:
  ///   - value: What the body is the JSON of.
  ///   - link: The value of the `Link` field; nil for none.
  /// - Throws: `EncodingError`.
  init(encoding value: some Encodable, link: String? = nil) throws {
    self.init(try GitHubJSON.encoder().encode(value))
    headers[.link] = link
  }

  private static func refusal(
    _ status: HTTPResponse.Status, _ message: String
  ) -> SampleAnswer {
    var answer = SampleAnswer(
      Data(#"{"message":"\#(message)","documentation_url":"https://docs.github.com/rest"}"#.utf8))
    answer.status = status
    return answer
  }
}
