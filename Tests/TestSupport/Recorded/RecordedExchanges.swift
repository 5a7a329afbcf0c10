public import PlatformModules

/// Recorded answers of real forges, replayed by a loopback server.
///
/// The recordings aren't part of the package. They are in the folder that `ISSUES_FIXTURES` names, or else in
/// `shared/github-fixtures` beside the checkout. Tests that need them are enabled by ``folder``:
///
/// ```swift
/// @Test(
///   "five recorded pages are walked",
///   .enabled(if: RecordedExchanges.folder != nil, "the recorded fixtures are not here"))
/// func pages() async throws {
///   let recorded = try RecordedExchanges(file: "issues-01-paginated-5x3.json")
///   try await withLoopbackServer(answering: recorded.handler) { server in … }
/// }
/// ```
///
/// Answers lose `Content-Length`, `Content-Encoding`, `Transfer-Encoding` and `Connection`. The client's origin
/// replaces the recorded one in `Link`, `Location` and the body. Requests match by method, path and query, in any order
/// of items. If the same request was recorded more than once, its answers come in that order, and the last one repeats.
public struct RecordedExchanges: Sendable {
  /// One request and its answer.
  public struct Exchange: Sendable {
    /// The recording's name.
    public var name: String
    /// The request's method.
    public var method: String
    /// The request's URL at the real server.
    public var url: String
    /// The request's body as sent; nil if there was none.
    public var requestBody: String?
    /// The answer's status.
    public var status: Int
    /// The answer's fields as recorded.
    public var headers: LoopbackHeaders
    /// The answer's body as recorded.
    public var body: String
  }

  /// The exchanges in the order of the file.
  public var exchanges: [Exchange]

  /// Creates a set of exchanges.
  public init(_ exchanges: [Exchange]) {
    self.exchanges = exchanges
  }

  /// Reads a file of the ``folder``.
  ///
  /// - Throws: An error if the file is absent or isn't a recording.
  public init(file: String) throws {
    guard let folder = Self.folder else { throw Absent(file: file) }
    let data = try Data(contentsOf: folder.appending(path: file))
    let decoded = try JSONDecoder().decode(RecordedFile.self, from: data)
    exchanges = decoded.exchanges.map { exchange in
      let fields = exchange.response.headers.filter { $0.count == 2 }.map {
        LoopbackHeaders.Field(name: $0[0], value: $0[1])
      }
      return Exchange(
        name: exchange.name, method: exchange.request.method, url: exchange.request.url,
        requestBody: exchange.request.body, status: exchange.response.status,
        headers: LoopbackHeaders(fields),
        body: exchange.response.body)
    }
  }

  /// The recordings aren't on this machine.
  public struct Absent: Error {
    /// The file.
    public var file: String
  }

  /// The folder of the recordings; nil if they aren't on this machine.
  public static let folder: URL? = findFolder()

  /// The sorted names of the files with recorded answers, without those that only describe them.
  ///
  /// - Throws: An error if the folder can't be read.
  public static func files() throws -> [String] {
    guard let folder else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".json") && !$0.hasPrefix("openapi") }.sorted()
  }

  private static func findFolder(from source: String = #filePath) -> URL? {
    let marker = "INDEX.md"
    let files = FileManager.default
    if let named = ProcessInfo.processInfo.environment["ISSUES_FIXTURES"], !named.isEmpty {
      let folder = URL(filePath: named, directoryHint: .isDirectory)
      return files.fileExists(atPath: folder.appending(path: marker).path) ? folder : nil
    }
    var ancestor = URL(filePath: source).deletingLastPathComponent()
    while ancestor.path != "/" {
      let folder = ancestor.appending(path: "shared/github-fixtures")
      if files.fileExists(atPath: folder.appending(path: marker).path) { return folder }
      ancestor = ancestor.deletingLastPathComponent()
    }
    return nil
  }

  /// The exchanges whose name a predicate accepts. A file can hold several scenarios.
  public func selecting(_ predicate: (String) -> Bool) -> RecordedExchanges {
    RecordedExchanges(exchanges.filter { predicate($0.name) })
  }

  /// The path of an exchange's URL, for the client's request.
  public static func path(of exchange: Exchange) -> String {
    let target = RequestTarget(exchange.url)
    return target.path + (target.query.map { "?\($0)" } ?? "")
  }

  /// The exchanges as a server's handler.
  public var handler: LoopbackServer.Handler {
    let routes = Dictionary(grouping: exchanges) { exchange in
      Key(LoopbackRequest(method: exchange.method, target: exchange.url))
    }
    let calls = Watched<[Key: Int]>([:])
    return { request in
      let key = Key(request)
      guard let answers = routes[key], let last = answers.last else {
        return .json(
          #"{"message":"Not recorded","path":\#(JSONText.string(request.target))}"#, status: 404)
      }
      let call = calls.update { calls in
        calls[key, default: 0] += 1
        return calls[key, default: 0]
      }
      return (call <= answers.count ? answers[call - 1] : last).response(to: request)
    }
  }

  /// The exchanges of one scenario, whose names differ after the `#`.
  public func scenario(_ name: String) -> RecordedExchanges {
    selecting { $0.hasPrefix("\(name)#") }
  }

  /// The exchanges as a server's handler that gives each answer once and in order: reading again after a write gets
  /// another answer. A request out of order gets a 404 and takes no turn.
  public var handlerInOrder: LoopbackServer.Handler {
    let keys = exchanges.map { exchange in
      Key(LoopbackRequest(method: exchange.method, target: exchange.url))
    }
    let exchanges = exchanges
    let turn = Watched(0)
    return { request in
      let next: Int? = turn.update { turn in
        guard turn < keys.count, keys[turn] == Key(request) else { return nil }
        turn += 1
        return turn - 1
      }
      guard let next else {
        return .json(
          #"{"message":"Not the next","path":\#(JSONText.string(request.target))}"#, status: 404)
      }
      return exchanges[next].response(to: request)
    }
  }

  /// The parts that distinguish requests.
  private struct Key: Hashable, Sendable {
    var method: String
    var path: String
    var query: [LoopbackRequest.QueryItem]

    init(_ request: LoopbackRequest) {
      method = request.method
      path = PercentCoding.decode(request.path)
      query = request.query.sorted { ($0.name, $0.value) < ($1.name, $1.value) }
    }
  }
}

/// The form of a file of recordings.
private struct RecordedFile: Decodable {
  struct Exchange: Decodable {
    var name: String
    var request: Request
    var response: Response
  }

  struct Request: Decodable {
    var method: String
    var url: String
    var body: String?
  }

  struct Response: Decodable {
    var status: Int
    var headers: [[String]]
    var body: String
  }

  var exchanges: [Exchange]
}
