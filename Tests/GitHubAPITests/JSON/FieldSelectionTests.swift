import Foundation
import GitHubAPI
import Testing

@Suite("Selecting fields")
struct FieldSelectionTests {
  private func json(_ value: some Encodable) throws -> String {
    String(decoding: try GitHubJSON.encoder().encode(value), as: UTF8.self)
  }

  let issue = GitHub.Issue(
    id: 1, number: 12, title: "a/b", user: GitHub.User(login: "octocat"),
    labels: [GitHub.Label(name: "bug", color: "fc2929")],
    updatedAt: Date(timeIntervalSince1970: 1_570_100_091.9))

  @Test("only the selected fields are encoded, in key order, with null for unknown values")
  func some() throws {
    #expect(
      try json(issue.selecting([.title, .number, .closedAt, .updatedAt, .user, .labels]))
        == """
        {"closed_at":null,"labels":[{"color":"fc2929","name":"bug"}],"number":12,"title":"a/b",\
        "updated_at":"2019-10-03T10:54:51Z","user":{"login":"octocat"}}
        """)
    #expect(try json(issue.selecting([])) == "{}")
  }

  @Test("an entity encoded as a whole omits unknown values and survives decoding")
  func whole() throws {
    let text = try json(issue)
    #expect(!text.contains("null"))
    var expected = issue
    expected.updatedAt = Date(timeIntervalSince1970: 1_570_100_091)
    #expect(try GitHubJSON.decode(GitHub.Issue.self, from: Data(text.utf8)) == expected)
  }

  @Test("a single selected field is encoded as an object with one key")
  func keys() throws {
    for field in GitHub.Issue.Field.allCases {
      #expect(try json(issue.selecting([field])).hasPrefix(#"{"\#(field.rawValue)":"#))
    }
    let repository = GitHub.Repository(id: 1, fullName: "swiftlang/swift")
    for field in GitHub.Repository.Field.allCases {
      #expect(try json(repository.selecting([field])).hasPrefix(#"{"\#(field.rawValue)":"#))
    }
    for field in GitHub.User.Field.allCases {
      #expect(
        try json(GitHub.User(login: "a").selecting([field])).hasPrefix(#"{"\#(field.rawValue)":"#))
    }
  }

  @Test("a selection of all fields survives decoding")
  func all() throws {
    let repository = GitHub.Repository(
      id: 44_838_949, fullName: "swiftlang/swift",
      owner: GitHub.User(login: "swiftlang", serverID: 1),
      isArchived: true, hasIssues: false, topics: ["compiler"], stargazersCount: 3,
      pushedAt: Date(timeIntervalSince1970: 0))
    let text = try json(repository.selecting(GitHub.Repository.Field.allCases))
    #expect(try GitHubJSON.decode(GitHub.Repository.self, from: Data(text.utf8)) == repository)
    #expect(repository.name == "swift")
  }
}
