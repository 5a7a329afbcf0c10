import GitHubAPI
import HTTPTargets
import Testing

@Suite("GitHubServer")
struct GitHubServerTests {
  @Test(
    "each host has its API URL and web URL",
    arguments: [
      ("github.com", "github.com", "https://api.github.com", "https://github.com", false),
      ("GitHub.COM.", "github.com", "https://api.github.com", "https://github.com", false),
      ("www.github.com", "github.com", "https://api.github.com", "https://github.com", false),
      ("api.github.com", "github.com", "https://api.github.com", "https://github.com", false),
      (
        "octocorp.ghe.com", "octocorp.ghe.com", "https://api.octocorp.ghe.com",
        "https://octocorp.ghe.com", false
      ),
      (
        "api.octocorp.ghe.com", "octocorp.ghe.com", "https://api.octocorp.ghe.com",
        "https://octocorp.ghe.com", false
      ),
      ("ghe.com", "ghe.com", "https://ghe.com/api/v3", "https://ghe.com", true),
      ("notghe.com", "notghe.com", "https://notghe.com/api/v3", "https://notghe.com", true),
      (
        "git.example.com", "git.example.com", "https://git.example.com/api/v3",
        "https://git.example.com", true
      ),
      (
        "git.example.com:8443", "git.example.com:8443", "https://git.example.com:8443/api/v3",
        "https://git.example.com:8443", true
      ),
      (
        "git.example.com:443", "git.example.com", "https://git.example.com/api/v3",
        "https://git.example.com", true
      ),
      (
        "[2001:DB8::1]", "[2001:db8::1]", "https://[2001:db8::1]/api/v3", "https://[2001:db8::1]",
        true
      ),
      ("127.0.0.1", "127.0.0.1", "https://127.0.0.1/api/v3", "https://127.0.0.1", true),
    ])
  func hosts(
    text: String, host: String, apiURL: String, webURL: String, isEnterprise: Bool
  ) throws {
    let server = try GitHubServer(host: text)
    #expect(server.host == host)
    #expect(server.apiURL == apiURL)
    #expect(server.webURL == webURL)
    #expect(server.isEnterpriseServer == isEnterprise)
    #expect(try GitHubServer(host: server.host) == server)
    #expect(try GitHubServer(apiURL: server.apiURL) == server)
    #expect(server.origin == Origin(url: apiURL))
  }

  @Test(
    "an API URL is accepted with https, or with http on loopback",
    arguments: [
      ("https://api.github.com", "https://api.github.com", "github.com"),
      ("https://api.github.com/", "https://api.github.com", "github.com"),
      ("HTTPS://API.GitHub.com:443//", "https://api.github.com", "github.com"),
      ("https://git.example.com/api/v3/", "https://git.example.com/api/v3", "git.example.com"),
      ("https://forge.example/api/v1", "https://forge.example/api/v1", "forge.example"),
      ("https://api.example.com", "https://api.example.com", "api.example.com"),
      ("http://127.0.0.1:8080", "http://127.0.0.1:8080", "127.0.0.1:8080"),
      ("http://127.8.9.10:80/", "http://127.8.9.10", "127.8.9.10"),
      ("http://localhost:8080/api/v3", "http://localhost:8080/api/v3", "localhost:8080"),
      ("http://api.localhost.:8080", "http://api.localhost:8080", "api.localhost:8080"),
      ("http://[::1]:8080", "http://[::1]:8080", "[::1]:8080"),
      ("http://[0:0:0:0:0:0:0:1]", "http://[::1]", "[::1]"),
      ("https://127.0.0.1:8080", "https://127.0.0.1:8080", "127.0.0.1:8080"),
    ])
  func apiURLs(text: String, apiURL: String, host: String) throws {
    let server = try GitHubServer(apiURL: text)
    #expect(server.apiURL == apiURL)
    #expect(server.host == host)
  }

  @Test(
    "any other URL is refused with a printable message without secrets",
    arguments: [
      "", "api.github.com", "/api/v3", "//api.github.com", "https:api.github.com", "https://",
      "http://api.github.com", "http://128.0.0.1", "http://127.0.0.1.example.com",
      "http://localhost.example.com", "http://notlocalhost", "http://[::2]", "http://127.1",
      "http://[::ffff:127.0.0.1]", "http://0.0.0.0", "ftp://localhost",
      "https://hunter2@api.github.com", "https://me:hunter2@api.github.com",
      "https://api.github.com@evil.example/", "https://api.github.com\\@evil.example/",
      "https://api.github.com?hunter2", "https://api.github.com#x", "https://api.github.com/?",
      "https://api.github.com/../x", "https://api.github.com/a//b", "https://api.github.com/%2e",
      "https://api.github.com/a b", "https://api.github.com\r\n", "https://api.github.com/\u{1B}[m",
      "https://аpi.github.com", "https://api.github.com:0", "https://api.github.com:",
      "https://[::1", "https://[fe80::1%25eth0]/",
    ])
  func refused(text: String) throws {
    let error = #expect(throws: InvalidInput.self) { try GitHubServer(apiURL: text) }
    let message = try #require(error?.message)
    #expect(error?.code == .apiURL)
    #expect(!message.contains("hunter2") && !message.contains("evil"))
    #expect(message.contains("https"))
    #expect(message.utf8.allSatisfy { (0x20...0x7E).contains($0) })
  }

  @Test(
    "text other than a host is refused",
    arguments: [
      "", "https://github.com", "github.com/o", "a b", "a..b", ".a", "-a.com", "a-.com", "a@b",
      "a:b",
      "a:0", "a:65536", "a:", "[::1", "::1", "[1:2:3]", "[1::2::3]", "[:::]", "[12345::]",
      "github.com\n",
      "gıthub.com", "a%2eb", "1.2.3", "01.2.3.4", "0x7f000001", "1.2.3.4.5",
      String(repeating: "a", count: 64), String(repeating: "a.", count: 130) + "a",
    ])
  func notAHost(text: String) {
    let error = #expect(throws: InvalidInput.self) { try GitHubServer(host: text) }
    #expect(error?.code == .host)
    #expect(error?.message.utf8.allSatisfy { (0x20...0x7E).contains($0) } == true)
  }

  @Test("the web URLs of repositories and issues are on the server's host")
  func pages() throws {
    let name = try #require(RepositoryName("swiftlang/swift"))
    #expect(GitHubServer.github.webURL(of: name) == "https://github.com/swiftlang/swift")
    let server = try GitHubServer(host: "git.example.com")
    #expect(
      server.webURL(of: name, issueNumber: 12)
        == "https://git.example.com/swiftlang/swift/issues/12")
    #expect(try GitHubServer(host: "github.com") == .github)
  }
}
