import Foundation
import GitHubAPI
import HTTPTargets
import TestSupport
import Testing

@Suite("Files and folders of a repository", .timeLimit(.minutes(5)))
struct ContentsTests {
  private func contents(_ json: String) throws -> RepositoryContents {
    try GitHubJSON.decode(RepositoryContents.self, from: Data(json.utf8))
  }

  @Test("a path is encoded by segment and can't leave the repository")
  func path() throws {
    func path(_ path: String) -> String {
      GitHub.contents(repositoryFullName: "a/b", path: path).path.encoded
    }
    #expect(path("") == "repos/a/b/contents")
    #expect(path("docs/a b?.md") == "repos/a/b/contents/docs/a%20b%3F.md")
    #expect(path("/docs//x/") == "repos/a/b/contents/docs/x")
    let up = GitHub.contents(repositoryFullName: "a/b", path: "../../user")
    #expect(throws: NetworkError.self) { try Endpoint(up, baseURL: "https://api.github.com") }
  }

  @Test("a folder has entries, and a file has its text")
  func kinds() throws {
    let folder = try contents(
      """
      [{"name":"a","path":"x/a","type":"dir","size":0},{"name":"b","path":"x/b","type":"file","size":3},
       {"name":"c","path":"x/c","type":"symlink","size":1},{"name":"d","path":"x/d","type":"submodule"}]
      """)
    #expect(
      folder
        == .folder([
          RepositoryContent(name: "a", path: "x/a", kind: .folder),
          RepositoryContent(name: "b", path: "x/b", size: 3),
          RepositoryContent(name: "c", path: "x/c", kind: .link, size: 1),
          RepositoryContent(name: "d", path: "x/d", kind: .other),
        ]))
    let file = try contents(
      #"{"name":"b","path":"b","type":"file","size":6,"encoding":"base64","content":"w6Ti\ngqw=\n"}"#
    )
    #expect(file == .file(RepositoryContent(name: "b", path: "b", size: 6, text: "ä€")))
  }

  @Test(
    "a file that is too long or isn't text has no text",
    arguments: [
      #""encoding":"none","content":"""#, #""encoding":"base64","content":"/w==""#,
      #""encoding":"base64","content":"!""#, #""size":1"#,
    ])
  func noText(_ members: String) throws {
    let file = try contents(#"{"name":"b","path":"b",\#(members)}"#)
    guard case .file(let content) = file else { throw Mismatch("a folder") }
    #expect(content.text?.isEmpty ?? true)
  }

  @Test("a missing file is nil, and any other failure is an error")
  func absent() async throws {
    var routes = RouteTable()
    routes.on("/repos/a/b/contents/broken", .json(#"{"message":"no"}"#, status: 403))
    try await withLoopbackServer(answering: routes.handler) { server in
      let provider = try Provider<GitHub>(asking: server)
      let name = try #require(RepositoryName("a/b"))
      let absent = try await provider.contents(at: "nope", of: name)
      #expect(absent == nil)
      await #expect(throws: NetworkError.self) {
        try await provider.contents(at: "broken", of: name)
      }
    }
  }
}
