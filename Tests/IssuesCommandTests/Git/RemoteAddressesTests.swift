import IssueTracker
import TestSupport
import Testing

@testable import IssuesCommand

@Suite("Addresses of a clone's remotes", .timeLimit(.minutes(5)))
struct RemoteAddressesTests {
  /// An ssh that writes down whether it was asked, and knows two aliases.
  private static let ssh = """
    printf '%s|' "$@" >> "$here/asked"
    case $2 in
      work|github.com-work) echo 'user git'; echo 'hostname github.com' ;;
      Port443) echo 'hostname ssh.github.com' ;;
      odd) echo 'hostname -oProxyCommand=id' ;;
      *) echo "hostname $2" ;;
    esac
    """

  private static func repository(
    at url: String, choice: String? = nil, environment: [String: String]
  ) async throws -> String? {
    var addresses = RemoteAddresses(environment: environment)
    let remote = GitRemotes.Remote(name: "origin", url: url, choice: choice)
    return try await addresses.repository(of: remote).map { "\($0)" }
  }

  @Test(
    "an ssh alias is replaced with its host name",
    arguments: [
      ("git@work:o/r.git", "github.com/o/r"), ("work:o/r", "github.com/o/r"),
      ("git@github.com-work:o/r", "github.com/o/r"), ("ssh://git@work/o/r.git", "github.com/o/r"),
      ("git@Port443:o/r", "github.com/o/r"), ("git@odd:o/r", "odd/o/r"),
      ("git@ghe.example.com:o/r", "ghe.example.com/o/r"),
    ])
  func aliases(url: String, expected: String) async throws {
    let ssh = try await FakeProgram("ssh", Self.ssh)
    #expect(try await Self.repository(at: url, environment: ssh.environment) == expected)
    #expect(ssh.contents(of: "asked")?.hasPrefix("-G|") == true)
  }

  @Test(
    "ssh isn't run for known hosts, other protocols and names that could be options",
    arguments: [
      "git@github.com:o/r", "https://work/o/r", "git@octocorp.ghe.com:o/r", "git@gitlab.com:o/r",
      "git@mine.example:o/r", "-oProxyCommand=id:o/r", "git@-oProxyCommand=id:o/r",
      "ssh://-oProxyCommand=id/o/r", "git@$(id):o/r", "git@a'b:o/r", "../o/r", "/work:o/r",
    ])
  func unasked(url: String) async throws {
    let ssh = try await FakeProgram("ssh", Self.ssh)
    let environment = ssh.environment.merging(["GH_HOST": "mine.example"]) { $1 }
    _ = try await Self.repository(at: url, environment: environment)
    #expect(ssh.contents(of: "asked") == nil)
  }

  @Test("a hanging ssh is killed after two seconds, and then the alias is used as the host")
  func hangs() async throws {
    let ssh = try await FakeProgram(
      "ssh",
      """
      mkfifo "$here/never" && echo $$ > "$here/started"
      read line < "$here/never"
      """)
    let started = Fifo(ssh.path("started"))
    let (environment, clock) = (ssh.environment, TestClock())
    let asking = Task {
      var addresses = RemoteAddresses(environment: environment, directory: "/", clock: clock)
      return try await addresses.repository(of: .init(name: "origin", url: "git@work:o/r"))
    }
    _ = try await started.line()
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(2))
    #expect(try await asking.value.map { "\($0)" } == "work/o/r")
  }

  @Test(
    "a repository chosen by 'gh repo set-default' is on the remote's server",
    arguments: [
      ("base", "ghe.example.com/o/r"), ("right/one", "ghe.example.com/right/one"),
      ("not a name", "ghe.example.com/o/r"),
    ])
  func choice(choice: String, expected: String) async throws {
    let environment = ["PATH": "/nonexistent"]
    let repository = try await Self.repository(
      at: "https://ghe.example.com/o/r", choice: choice, environment: environment)
    #expect(repository == expected)
  }
}
