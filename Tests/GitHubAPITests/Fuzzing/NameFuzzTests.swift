import Foundation
import HTTPTargets
import TestSupport
import TestTraits
import Testing

@testable import GitHubAPI

@Suite("Fuzzed names", .tags(.heavy), .timeLimit(.minutes(10)))
struct NameFuzzTests {
  private static let names = [
    "swiftlang/swift", "a/b.git", "A-1_b/...", "octocat/.github", "a/b.git.git", "x/-",
  ]
  private static let references = [
    "swiftlang/swift", "github.example.com/swiftlang/swift", "h.example:8443/a/b", "[::1]:80/a/b",
    "https://github.com/swiftlang/swift/issues/12?x=y#z", "https://github.com/a/b/pull/3/files",
    "git@github.com:swiftlang/swift.git", "ssh://git@ssh.github.com:443/a/b.git",
    "http://localhost:8080/a/b/issues", "https://user:ghp_0123456789@github.com/a/b",
  ]
  private static let words = [
    "/", "..", ".git", "@", ":", "://", "https", "ssh", "git@", "issues", "pull", "pulls", "#", "?",
    "github.com", "%2f", "\\", "-", "_", "a", ".", "[bot]", "[", "]", "0", "12",
  ]

  private static func text(_ corpus: [String], using source: inout FuzzSource) -> String {
    source.once(in: 3)
      ? source.text(upTo: 12, words: words)
      : source.mutation(of: corpus, words: words, upTo: 3_000)
  }

  private static func isPlain(_ text: String) -> Bool {
    !text.isEmpty && text != "." && text != ".."
      && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || ".-_".utf8.contains($0) }
  }

  private static func verify(_ name: RepositoryName, _ shown: String) throws {
    try check(isPlain(name.owner) && isPlain(name.name), shown)
    try check(name.owner.utf8.count <= 39 && name.name.utf8.count <= 100, shown)
    try check(RepositoryName(name.description) == name, shown)
    let request = try Endpoint(GitHub.repo(fullName: name.description)).request()
    try check(
      request.url == "https://api.github.com/repos/\(name.owner)/\(name.name)", shown)
  }

  @Test("an accepted repository name has only allowed characters, and forms two path segments")
  func repositories() {
    let failure = FuzzTest("repository names", iterations: 500).run { source in
      let text = Self.text(Self.names, using: &source)
      guard let name = RepositoryName(text) else {
        // A refused name isn't requested either.
        let request = try? Endpoint(GitHub.repo(fullName: text)).request()
        try check(request == nil, text.debugDescription)
        return
      }
      let shown = "\(text.debugDescription) → \(name)"
      try check(["\(name)", "\(name).git"].contains(text), shown)
      try Self.verify(name, shown)
    }
    #expect(failure == nil)
  }

  @Test("an accepted issue number is positive, and its description parses to the same issue")
  func issues() {
    let good = ["12", "#12", "swiftlang/swift#12", "h.example:8443/a/b#3"] + Self.references
    let failure = FuzzTest("issues", iterations: 500).run { source in
      let text = Self.text(good, using: &source)
      let issue: IssueReference
      do throws(InvalidInput) {
        issue = try IssueReference(parsing: text)
      } catch {
        return try Self.checkRefusal(error, of: text)
      }
      let shown = "\(text.debugDescription) → \(issue)"
      try check(issue.number > 0, shown)
      if let name = issue.repository?.name { try Self.verify(name, shown) }
      let request = try Endpoint(
        GitHub.issue(repositoryFullName: "a/b", number: issue.number)
      ).request()
      try check(request.url == "https://api.github.com/repos/a/b/issues/\(issue.number)", shown)
      // A host without a dot is understood in an address only.
      let isPlain = issue.repository?.host.map { $0.contains(".") || $0.contains(":") } ?? true
      if isPlain { try check(try IssueReference(parsing: "\(issue)") == issue, shown) }
    }
    #expect(failure == nil)
  }

  @Test("an accepted login is one path segment, and only its brackets are encoded")
  func logins() {
    let failure = FuzzTest("logins", iterations: 500).run { source in
      let text = Self.text(
        ["octocat", "dependabot[bot]", "a-b_c", "john.doe", "-"], using: &source)
      let request = try? Endpoint(GitHub.userProfile(username: text)).request()
      guard let name = Username(text) else {
        return try check(request == nil, text.debugDescription)
      }
      try check(name.login == text, text.debugDescription)
      let path = text.replacing("[", with: "%5B").replacing("]", with: "%5D")
      try check(request?.url == "https://api.github.com/users/\(path)", text.debugDescription)
      try check(
        path.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-_.%".utf8.contains($0) },
        text.debugDescription)
    }
    #expect(failure == nil)
  }

  @Test("an accepted reference names a server and a repository, and its URL parses to the same")
  func references() {
    let failure = FuzzTest("references", iterations: 500).run { source in
      let text = Self.text(Self.references, using: &source)
      let isRemote = source.once(in: 2)
      let reference: RepositoryReference
      do throws(InvalidInput) {
        reference =
          try isRemote ? RepositoryReference(remoteURL: text) : RepositoryReference(parsing: text)
      } catch {
        try Self.checkRefusal(error, of: text)
        return
      }
      let shown = "\(text.debugDescription) → \(reference)"
      try Self.verify(reference.name, shown)
      if let number = reference.issueNumber { try check(number > 0, shown) }
      guard let host = reference.host else { return }
      let server = try GitHubServer(host: host)
      try check(server.origin.scheme == "https", shown)
      try check(Origin(url: server.apiURL) == server.origin, shown)
      try check(!reference.description.contains("@"), shown)
      let page = try RepositoryReference(parsing: "https://\(host)/\(reference.name)")
      try check(page.host == host && page.name == reference.name, shown)
    }
    #expect(failure == nil)
  }

  @Test("an accepted server uses https or is a loopback address")
  func servers() {
    let urls = [
      "https://api.github.com", "https://h.example:8443/api/v3/", "http://127.0.0.1:8080",
      "http://localhost/x", "https://api.octocorp.ghe.com", "http://[::1]:80/",
    ]
    let failure = FuzzTest("servers", iterations: 500).run { source in
      let text = Self.text(urls, using: &source)
      let server: GitHubServer
      do throws(InvalidInput) {
        server = try GitHubServer(apiURL: text)
      } catch {
        try Self.checkRefusal(error, of: text)
        return
      }
      let shown = "\(text.debugDescription) → \(server.apiURL)"
      try check(server.origin.isTrustworthy, shown)
      try check(Origin(url: server.apiURL) == server.origin, shown)
      try check(Origin(url: text) == server.origin, shown)
      try check(Origin(url: server.webURL) != nil, shown)
      try check(server.apiURL.last != "/" && !server.apiURL.contains { "@?#".contains($0) }, shown)
      try check(try GitHubServer(apiURL: server.apiURL) == server, shown)
    }
    #expect(failure == nil)
  }

  /// Checks that a refusal is short, can be shown, and repeats no token.
  private static func checkRefusal(_ error: InvalidInput, of text: String) throws {
    try check(error.message.utf8.count < 500, text.debugDescription)
    try check(
      error.message.unicodeScalars.allSatisfy { (0x20..<0x7F).contains($0.value) },
      error.message.debugDescription)
    try check(!error.message.contains("ghp_0123456789"), text.debugDescription)
  }

  @Test(
    "every time in the years 0 to 9999 is written and parsed unchanged, as is any accepted text")
  func timestamps() {
    let failure = FuzzTest("timestamps", iterations: 500).run { source in
      let seconds = source.number(in: -62_167_219_200...253_402_300_799)
      let date = Date(timeIntervalSince1970: Double(seconds))
      let text = Timestamp.string(from: date)
      try check(Timestamp.date(from: text) == date, "\(seconds) → \(text)")
      try check(text == date.formatted(.iso8601) || seconds < -12_219_292_800, text)
      let words = [
        "Z", "+23:59", "-00:00", ".5", ".123456789123", "T", "t", " ", "60", "٣", "02-29",
      ]
      let mutated = source.mutation(of: [text], words: words, upTo: 200)
      guard let read = Timestamp.date(from: mutated) else { return }
      try check(
        mutated.utf8.allSatisfy { (0x20..<0x7F).contains($0) }, mutated.debugDescription)
      let once = Timestamp.string(from: read)
      let again = Timestamp.date(from: once).map(Timestamp.string(from:))
      try check(again == once, "\(mutated.debugDescription) → \(once)")
    }
    #expect(failure == nil)
  }

  @Test("any number of seconds can be written as a time")
  func extremes() {
    for seconds in [
      Double.infinity, -.infinity, .nan, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 1e18,
      9.3e18,
      -9.3e18, .leastNonzeroMagnitude, 253_402_300_799.999, -62_167_219_200.001,
    ] {
      #expect(Timestamp.string(from: Date(timeIntervalSince1970: seconds)).utf8.count == 20)
    }
  }

  @Test("parsing names takes time proportional to the text's length")
  func length() {
    for piece in [
      "/", "a", ".git", "@", ":", "://", ".", "\u{301}", "[bot]", "https://", "é", "0", "%",
    ] {
      let text = String(repeating: piece, count: FuzzTest.longLength / piece.utf8.count)
      _ = RepositoryName(text)
      _ = RepositoryName("a/\(text)")
      _ = Username(text)
      _ = try? RepositoryReference(parsing: text)
      _ = try? RepositoryReference(remoteURL: "https://h.example/\(text)")
      _ = try? GitHubServer(host: text)
      _ = try? GitHubServer(apiURL: "https://h.example/\(text)")
      _ = Timestamp.date(from: "2026-01-01T00:00:00.\(text)")
    }
  }
}
