/// Scripted answers by path, for servers with several endpoints.
///
/// ```swift
/// var routes = RouteTable()
/// routes.on("/user", .json("{}"))
/// routes.on("/repos/o/r/issues", [.text("", status: 503), .json("[]")])   // then the last again
/// routes.on(prefix: "/repos/") { request in .json("{}", status: 404) }
/// try await withLoopbackServer(answering: routes.handler) { server in … }
/// ```
///
/// Earlier routes come first. Paths are compared as sent, without the query.
public struct RouteTable: Sendable {
  private struct Route: Sendable {
    var method: String?
    var matches: @Sendable (String) -> Bool
    var respond: LoopbackServer.Handler
  }

  private var routes: [Route] = []
  private var fallback: LoopbackServer.Handler = { request in
    .json(#"{"message":"Not Found","path":"\#(request.path)"}"#, status: 404)
  }

  /// Creates a table that answers everything with 404.
  public init() {}

  /// Answers a path with a closure.
  public mutating func on(
    _ path: String, method: String? = nil, respond: @escaping LoopbackServer.Handler
  ) {
    routes.append(Route(method: method, matches: { $0 == path }, respond: respond))
  }

  /// Answers a path with the same response every time.
  public mutating func on(_ path: String, method: String? = nil, _ response: LoopbackResponse) {
    on(path, method: method) { _ in response }
  }

  /// Answers a path with one response for each request, and repeats the last one.
  public mutating func on(
    _ path: String, method: String? = nil, _ responses: [LoopbackResponse]
  ) {
    on(path, method: method, respond: Self.sequence(responses))
  }

  /// Answers every path with a prefix with a closure.
  public mutating func on(
    prefix: String, method: String? = nil, respond: @escaping LoopbackServer.Handler
  ) {
    routes.append(Route(method: method, matches: { $0.hasPrefix(prefix) }, respond: respond))
  }

  /// Answers every other path.
  public mutating func otherwise(respond: @escaping LoopbackServer.Handler) {
    fallback = respond
  }

  /// A handler that gives one response for each request and repeats the last one, or 404 if there is none.
  public static func sequence(_ responses: [LoopbackResponse]) -> LoopbackServer.Handler {
    let calls = Watched(0)
    return { _ in
      let call = calls.update { calls in
        calls += 1
        return calls
      }
      guard let last = responses.last else { return LoopbackResponse(status: 404) }
      return call <= responses.count ? responses[call - 1] : last
    }
  }

  /// The table as a server's handler.
  public var handler: LoopbackServer.Handler {
    let routes = routes
    let fallback = fallback
    return { request in
      for route in routes
      where (route.method ?? request.method) == request.method && route.matches(request.path) {
        return await route.respond(request)
      }
      return await fallback(request)
    }
  }
}
