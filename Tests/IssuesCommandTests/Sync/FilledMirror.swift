import IssueMirror
import PlatformModules
import TestSupport

/// A mirror that was filled without a network, in a folder of its own.
struct FilledMirror: Sendable {
  /// An issue or a pull request as a server would send it.
  struct Item: Sendable {
    var number: Int
    var title: String
    var body: String? = nil
    var isClosed = false
    var author = "monalisa"
    var labels: [String] = []
    var assignees: [String] = []
    var createdAt = Date(timeIntervalSinceNow: -400.5 * 86_400)
    var updatedAt = Date(timeIntervalSinceNow: -3.5 * 3_600)
    var closedAt: Date?
    var isPullRequest = false

    /// The object, with its own blanks and order, which have to be read back unchanged.
    var json: String {
      let labels = labels.enumerated().map { index, name in
        #"{"id": \#(index + 1), "name": \#(Self.text(name)), "color": "d73a4a"}"#
      }
      let assignees = assignees.map { #"{"login": \#(Self.text($0)), "id": \#(Self.id($0))}"# }
      let pull = #", "pull_request": {"url": "https://api.github.com/repos/a/b/pulls/\#(number)"}"#
      return """
        {"number": \(number), "id": \(1_000 + number), "title": \(Self.text(title)), \
        "body": \(body.map(Self.text) ?? "null"), "state": "\(isClosed ? "closed" : "open")", \
        "state_reason": \(isClosed ? "\"completed\"" : "null"), \
        "user": {"login": \(Self.text(author)), "id": \(Self.id(author))}, \
        "labels": [\(labels.joined(separator: ", "))], \
        "assignees": [\(assignees.joined(separator: ", "))], "milestone": null, "comments": 0, \
        "html_url": "https://github.com/a/b/issues/\(number)", \
        "created_at": "\(Self.time(createdAt))", "updated_at": "\(Self.time(updatedAt))", \
        "closed_at": \(closedAt.map { "\"\(Self.time($0))\"" } ?? "null"), \
        "later": "what no version knows"\(isPullRequest ? pull : "")}
        """
    }

    /// A string of JSON.
    static func text(_ text: String) -> String {
      (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }

    private static func time(_ date: Date) -> String { date.formatted(.iso8601) }

    /// The same for the same login.
    private static func id(_ login: String) -> Int {
      login.utf8.reduce(7) { ($0 * 31 + Int($1)) % 1_000_003 }
    }
  }

  let folder: ScratchFolder
  private let mirror: Mirror

  init() throws {
    folder = try ScratchFolder()
    mirror = try Mirror(path: "\(folder.path)/issues/mirror.db")
  }

  /// The environment of every run: the mirror's folder, and no network.
  var environment: [String: String] {
    ["XDG_DATA_HOME": folder.path, "https_proxy": "http://127.0.0.1:9"]
  }

  /// Runs the command to its end.
  func run(
    _ arguments: [String], environment: [String: String] = [:],
    connection: CommandRun.Connection = .pipes, workingDirectory: String? = nil
  ) async throws -> CommandRun.Result {
    try await IssuesProgram.run(
      arguments, environment: self.environment.merging(environment) { $1 }, connection: connection,
      workingDirectory: workingDirectory)
  }

  /// Mirrors a repository.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - host: The host of its server.
  ///   - id: Its id on the server; nil for one that follows from the name.
  ///   - items: Its issues and pull requests.
  ///   - comments: The objects of its comments, which have an `issue_url`; nil where none are mirrored.
  ///   - isComplete: Whether its first sync was done, three and a half hours ago.
  ///   - change: Changes the bytes of the lists.
  /// - Throws: `MirrorFailure`.
  func add(
    _ name: String, on host: String = "github.com", id: Int64? = nil, items: [Item],
    comments: [String]? = nil,
    isComplete: Bool = true, changing change: (Data) -> Data = { $0 }
  ) async throws {
    let id = id ?? name.utf8.reduce(Int64(17)) { ($0 * 31 + Int64($1)) % 1_000_003 }
    let object = #"{"id":\#(id),"full_name":"\#(name)","name":"x"}"#
    let now = Date(timeIntervalSinceNow: -3.5 * 3_600)
    let repository = try await mirror.record(
      try GitHubJSON.decode(GitHub.Repository.self, from: Data(object.utf8)),
      json: Data(object.utf8),
      on: host, at: now)
    let bodies = items.map(\.json)
    let page = try FeedPage(
      change(Data("[\(bodies.joined(separator: ",\n"))]".utf8)), of: .items)
    _ = try await mirror.store(page, of: repository, sweep: nil, at: now)
    if let comments {
      let page = try FeedPage(
        change(Data("[\(comments.joined(separator: ","))]".utf8)), of: .comments)
      _ = try await mirror.store(page, of: repository, sweep: nil, at: now)
    }
    guard isComplete else { return }
    let syncedTo = Int(now.timeIntervalSince1970)
    try await mirror.finish(.items, of: repository, syncedTo: syncedTo, entityTag: nil, at: now)
    if comments != nil {
      try await mirror.finish(
        .comments, of: repository, syncedTo: syncedTo, entityTag: nil, at: now)
    }
  }

  /// A comment as a server would send it.
  static func comment(_ id: Int, on number: Int, of name: String, body: String) -> String {
    """
    {"id": \(id), "body": \(Item.text(body)), "user": {"login": "ada", "id": 5}, \
    "issue_url": "https://api.github.com/repos/\(name)/issues/\(number)", \
    "html_url": "https://github.com/\(name)/issues/\(number)#issuecomment-\(id)", \
    "author_association": "MEMBER", "created_at": "2026-01-02T03:04:05Z", \
    "updated_at": "2026-01-02T03:04:05Z"}
    """
  }
}
