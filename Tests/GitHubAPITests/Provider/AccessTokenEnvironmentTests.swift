import GitHubAPI
import HTTPTargets
import Testing

@Suite("A token from the environment")
struct AccessTokenEnvironmentTests {
  private static let all = [
    "GH_TOKEN": "one", "GITHUB_TOKEN": "two", "GH_ENTERPRISE_TOKEN": "three",
    "GITHUB_ENTERPRISE_TOKEN": "four",
  ]

  @Test(
    "a token from the environment is in the first nonempty variable of its server",
    arguments: [
      ("github.com", all, "one"), ("octocorp.ghe.com", all, "one"), ("h.example", all, "three"),
      ("127.0.0.1:8080", all, "three"), ("ghe.com", all, "three"),
      ("github.com.evil.example", all, "three"), ("evilghe.com", all, "three"),
      ("github.com", ["GITHUB_TOKEN": "two"], "two"),
      ("github.com", ["GH_TOKEN": "", "GITHUB_TOKEN": "two"], "two"),
      ("h.example", ["GH_ENTERPRISE_TOKEN": "", "GITHUB_ENTERPRISE_TOKEN": "four"], "four"),
      // Neither server's token is any use, or any business, of the other.
      ("h.example", ["GH_TOKEN": "one", "GITHUB_TOKEN": "two"], nil),
      ("github.com", ["GH_ENTERPRISE_TOKEN": "three", "GITHUB_ENTERPRISE_TOKEN": "four"], nil),
      ("github.com", [:], nil), ("github.com", ["GH_TOKEN": ""], nil),
      ("github.com", ["GH_TOKEN": "one\n"], "one"), ("github.com", ["GH_TOKEN": "one\r\n"], "one"),
    ] as [(String, [String: String], String?)])
  func choice(host: String, environment: [String: String], expected: String?) throws {
    let server = try GitHubServer(host: host)
    #expect(try AccessToken.environment(for: server, in: environment)?.secret == expected)
  }

  @Test("the name of the first nonempty variable is reported")
  func variable() throws {
    let enterprise = try GitHubServer(host: "h.example")
    #expect(AccessToken.environmentVariable(for: .github, in: Self.all) == "GH_TOKEN")
    #expect(AccessToken.environmentVariable(for: enterprise, in: Self.all) == "GH_ENTERPRISE_TOKEN")
    let second = ["GH_TOKEN": "", "GITHUB_TOKEN": "two"]
    #expect(AccessToken.environmentVariable(for: .github, in: second) == "GITHUB_TOKEN")
    #expect(AccessToken.environmentVariable(for: enterprise, in: second) == nil)
  }

  @Test("a server given by its URL uses the same variables as one given by its name")
  func byURL() throws {
    for (url, expected) in [
      ("https://api.github.com", "one"), ("https://api.octocorp.ghe.com/", "one"),
      ("https://h.example/api/v3", "three"), ("http://127.0.0.1:1", "three"),
    ] {
      let server = try GitHubServer(apiURL: url)
      #expect(try AccessToken.environment(for: server, in: Self.all)?.secret == expected)
    }
  }

  @Test(
    "the error for an invalid token names the variable and never contains the value",
    arguments: ["GH_TOKEN", "GITHUB_TOKEN"],
    [
      "s3cret\n\n", "s3cret\nX-Evil: 1", "s3cret x", "s3cret\0", "s3cret\u{1B}[2J", "s3crét",
      "\ts3cret", "s3cret\u{7F}", "s3cret\r",
    ])
  func malformed(variable: String, value: String) throws {
    // A later variable isn't used instead: its token may be another user's.
    let environment = [variable: value].merging(["GITHUB_TOKEN": "two"]) { first, _ in first }
    let error = #expect(throws: NetworkError.self) {
      try AccessToken.environment(for: .github, in: environment)
    }
    #expect(error?.code == .requestMapping)
    #expect(error?.message.hasPrefix("\(variable): ") == true)
    #expect(error.map { "\($0) \($0.message)" }?.contains("s3") == false)
  }

  @Test("no description contains the token")
  func descriptions() throws {
    let token = try #require(
      try AccessToken.environment(for: .github, in: ["GH_TOKEN": "s3cret"]))
    var dumped = ""
    dump(token, to: &dumped)
    #expect(!"\(token) \(String(reflecting: token)) \(dumped)".contains("s3cret"))
  }
}
