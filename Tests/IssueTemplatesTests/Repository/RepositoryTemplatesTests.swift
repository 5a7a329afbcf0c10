import CurlTransport
import GitHubAPI
import HTTPTargets
import IssueTemplates
import TestSupport
import Testing

@Suite("Finding a repository's templates", .timeLimit(.minutes(5)))
struct RepositoryTemplatesTests {
  private static let form = """
    name: Bug report
    description: d
    labels: [bug]
    body:
      - {type: input, attributes: {label: a}}
    """
  private static let text = "---\nname: Feature\nabout: b\n---\n\nWhy?\n"

  /// Finds the templates of `o/r`, and lists the paths that were asked for.
  private func find(
    _ files: [String: String], defaults: [String: String]? = nil, areDefaultsPrivate: Bool = false,
    token: String? = nil
  ) async throws -> (found: RepositoryTemplates, paths: [String]) {
    var own = LoopbackRepository(id: 1, owner: "o", name: "r", issues: SyntheticIssues(count: 1))
    own.files = files
    var repositories = [own]
    if let defaults {
      var common = LoopbackRepository(
        id: 2, owner: "o", name: ".github", isPrivate: areDefaultsPrivate,
        issues: SyntheticIssues(count: 1))
      common.files = defaults
      repositories.append(common)
    }
    let github = LoopbackGitHub(repositories: repositories)
    return try await withLoopbackServer(answering: github.handler) { server in
      let provider = try Provider.gitHub(
        .init(
          server: GitHubServer(apiURL: server.url), token: token.map { try AccessToken($0) },
          retries: nil, timeouts: Timeouts(scaledTo: .seconds(300)),
          transport: CurlTransport(configuration: .init(certificates: CertificateStore()))))
      let found = try await RepositoryTemplates.find(
        of: try #require(RepositoryName("o/r")), provider: provider)
      return (found, server.log.requests.map(\.path))
    }
  }

  @Test("templates in the usual folder are found, forms first, sorted by file name")
  func usual() async throws {
    let folder = ".github/ISSUE_TEMPLATE"
    let (found, paths) = try await find([
      "\(folder)/2-bug.yml": Self.form, "\(folder)/11-bug.YAML": Self.form,
      "\(folder)/a feature?.md": Self.text, "\(folder)/config.yml": "blank_issues_enabled: false",
      "\(folder)/broken.yml": "name: x", "\(folder)/notes.txt": "x",
      "\(folder)/short.md": Self.text.replacing("Feature", with: "New"),
      "\(folder)/中.md": Self.text.replacing("Feature", with: "新功能"),
      "\(folder)/long.md": String(repeating: "x", count: 300 << 10), "README.md": "x",
    ])
    #expect(
      found.templates.map(\.fileName) == ["11-bug.YAML", "2-bug.yml", "a feature?.md", "中.md"]
    )
    #expect(found.templates.map(\.name) == ["Bug report", "Bug report", "Feature", "新功能"])
    #expect(!found.configuration.blankIssuesEnabled)
    #expect(
      found.refused.map(\.description) == [
        "broken.yml:1: the key “description” is missing",
        "short.md: the name “New” has fewer than four characters: GitHub doesn't show it",
        "long.md: the file is longer than 256 KiB",
      ])
    #expect(found.source?.description == "o/r")
    // The folder, and each file but the long one: nothing else.
    #expect(paths.count == 8 && paths.first == "/repos/o/r/contents/.github/ISSUE_TEMPLATE")
    #expect(paths.contains("/repos/o/r/contents/.github/ISSUE_TEMPLATE/a%20feature%3F.md"))

    #expect(found.templates(named: "2-BUG").map(\.fileName) == ["2-bug.yml"])
    #expect(found.templates(named: "feature").map(\.fileName) == ["a feature?.md"])
    #expect(found.templates(named: "bug report").count == 2)
    #expect(found.templates(named: "nope").isEmpty)
  }

  @Test(
    "templates in folders with other names are found",
    arguments: [".github/issue_template", "ISSUE_TEMPLATE", "docs/Issue_Template"])
  func elsewhere(_ folder: String) async throws {
    let (found, _) = try await find(
      ["\(folder)/bug.yml": Self.form], defaults: [".github/ISSUE_TEMPLATE/a.md": Self.text])
    #expect(found.templates.map(\.fileName) == ["bug.yml"])
  }

  @Test(
    "a single template file is found",
    arguments: ["issue_template.md", ".github/ISSUE_TEMPLATE.md", "docs/ISSUE_TEMPLATE"]
  )
  func single(_ path: String) async throws {
    let (found, _) = try await find(
      [path: "Say what broke.", "README.md": "x"],
      defaults: [".github/ISSUE_TEMPLATE/a.md": Self.text])
    let template = try #require(found.templates.first)
    #expect(found.templates.count == 1)
    guard case .markdown(let text) = template else { throw Mismatch("a form") }
    #expect(text.body == "Say what broke." && text.about.isEmpty)
  }

  @Test("the owner's public templates are used if the repository has none")
  func defaults() async throws {
    let common = [".github/ISSUE_TEMPLATE/bug.yml": Self.form]
    let (found, _) = try await find(["README.md": "x"], defaults: common)
    #expect(found.templates.map(\.name) == ["Bug report"])
    #expect(found.source?.description == "o/.github")
    let (own, _) = try await find(
      [".github/ISSUE_TEMPLATE/config.yml": "blank_issues_enabled: true"], defaults: common)
    #expect(own.templates.isEmpty && own.source?.description == "o/r")
    let (hidden, _) = try await find(
      [:], defaults: common, areDefaultsPrivate: true, token: "t0ken")
    #expect(hidden == RepositoryTemplates())
  }

  @Test("looking for missing templates sends no more than five requests")
  func none() async throws {
    let (found, paths) = try await find(["README.md": "x"])
    #expect(found == RepositoryTemplates())
    #expect(paths.count == 5)
  }

  @Test("a file with an invalid path is reported, and other files are found")
  func path() async throws {
    var routes = RouteTable()
    routes.on(
      "/repos/o/r/contents/.github/ISSUE_TEMPLATE",
      .json(
        """
        [{"name":"a.md","path":"a/../a.md","type":"file","size":1},
         {"name":"..md","path":"..md","type":"file","size":1}]
        """))
    routes.on(
      "/repos/o/r/contents/..md",
      .json(
        """
        {"name":"..md","path":"..md","encoding":"base64",
         "content":"LS0tCm5hbWU6IEZlYXR1cmUKYWJvdXQ6IGIKLS0tCgpXaHk/Cg=="}
        """))
    try await withLoopbackServer(answering: routes.handler) { server in
      let found = try await RepositoryTemplates.find(
        of: try #require(RepositoryName("o/r")), provider: try provider(of: server))
      #expect(found.templates.map(\.name) == ["Feature"])
      #expect(
        found.refused.map(\.description) == [
          "a.md: no request is possible for the path “a/../a.md”"
        ])
    }
  }

  private func provider(of server: LoopbackServer) throws -> Provider<GitHub> {
    try Provider.gitHub(
      .init(
        server: GitHubServer(apiURL: server.url), retries: nil,
        transport: CurlTransport(configuration: .init(certificates: CertificateStore()))))
  }

  @Test("a missing file or one that isn't UTF-8 is reported")
  func unreadable() async throws {
    var routes = RouteTable()
    routes.on(
      "/repos/o/r/contents/.github/ISSUE_TEMPLATE",
      .json(
        """
        [{"name":"a.md","path":"a.md","type":"file","size":1},
         {"name":"b.md","path":"b.md","type":"file","size":1}]
        """))
    routes.on(
      "/repos/o/r/contents/a.md",
      .json(#"{"name":"a.md","path":"a.md","encoding":"base64","content":"/w=="}"#))
    try await withLoopbackServer(answering: routes.handler) { server in
      let found = try await RepositoryTemplates.find(
        of: try #require(RepositoryName("o/r")), provider: try provider(of: server))
      #expect(found.templates.isEmpty)
      #expect(
        found.refused.map(\.description) == [
          "a.md: the file isn't UTF-8 text", "b.md: the file isn't UTF-8 text",
        ])
    }
  }

  @Test("a stubbed provider returns templates")
  func stubs() async throws {
    let provider = Provider.gitHub(.stubbed())
    let found = try await RepositoryTemplates.find(
      of: try #require(RepositoryName("swiftlang/swift")), provider: provider)
    #expect(found.templates.map(\.fileName) == ["bug.yml", "feature.md"])
    #expect(found.refused.isEmpty && found.configuration.contactLinks.count == 1)
  }
}
