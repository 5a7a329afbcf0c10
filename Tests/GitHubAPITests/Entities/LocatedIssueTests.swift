import Foundation
import GitHubAPI
import HTTPTargets
import Testing

@Suite("Issues in several repositories")
struct LocatedIssueTests {
  private static let issue = #""id":1,"number":7,"title":"x","state":"open""#

  private func decode(_ rest: String) throws -> GitHub.LocatedIssue {
    try GitHubJSON.decode(
      GitHub.LocatedIssue.self, from: Data("{\(Self.issue)\(rest)}".utf8))
  }

  @Test(
    "the repository is decoded from its object, or else from its URL",
    arguments: [
      (#","repository":{"full_name":"a/b"}"#, "a/b"),
      (#","repository":{"full_name":"a/b"},"repository_url":"https://h/repos/c/d""#, "a/b"),
      (#","repository_url":"https://api.github.com/repos/c/d""#, "c/d"),
      (#","repository":null,"repository_url":"https://h.example/api/v3/repos/c/d""#, "c/d"),
      (#","repository":7,"repository_url":"https://h/repos/c/d""#, "c/d"),
      (#","repository":{"full_name":"../.."}"#, nil), ("", nil),
      (#","repository_url":"https://h/users/c/d""#, nil), (#","repository_url":["x"]"#, nil),
    ])
  func names(json: String, name: String?) throws {
    let located = try decode(json)
    #expect(located.repository?.description == name)
    #expect(located.issue.number == 7)
    #expect(located.id == "\(name ?? "")#7")
  }

  @Test("an issue with its repository survives encoding and decoding")
  func coding() throws {
    let located = try decode(#","repository":{"full_name":"a/b"}"#)
    let encoded = try GitHubJSON.encoder().encode(located)
    #expect(try GitHubJSON.decode(GitHub.LocatedIssue.self, from: encoded) == located)
  }

  @Test(
    "a partial response names the organizations hidden by single sign-on",
    arguments: [
      ("partial-results; organizations=21955855,20582480", [21_955_855, 20_582_480]),
      ("partial-results; organizations=", []), ("partial-results", []),
      ("partial-results;organizations= 7 , x", [7]),
    ] as [(String, [Int64])])
  func partial(value: String, ids: [Int64]) throws {
    let name = try #require(HTTPField.Name("X-GitHub-SSO"))
    #expect(SingleSignOn([name: value]) == .partialResults(organizations: ids))
  }

  @Test("a fully hidden response names the page of single sign-on")
  func required() throws {
    let name = try #require(HTTPField.Name("x-github-sso"))
    let page = "https://github.com/orgs/acme/sso?authorization_request=A=B"
    #expect(SingleSignOn([name: "required; url=\(page)"]) == .required(page: page))
    #expect(SingleSignOn([name: "required"])?.isRequired == true)
    #expect(SingleSignOn([name: "something else"]) == nil)
    #expect(SingleSignOn(HTTPFields()) == nil)
  }
}
