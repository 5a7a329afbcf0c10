/// A table of scripted answers by path, for servers with more than one thing to say.
///
/// ```swift
/// var routes = RouteTable()
/// routes.on("/user", .json("{}"))
/// routes.on("/repos/o/r/issues", [.text("", status: 503), .json("[]")])   // then the last again
/// routes.on(prefix: "/repos/") { request in .json("{}", status: 404) }
/// try await withLoopbackServer(answering: routes.handler) { server in … }
/// ```
///
/// A route added earlier goes first. The path is compared as sent, without the query.
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

  /// Answers a path by a closure.
  public mutating func on(
    _ path: String, method: String? = nil, respond: @escaping LoopbackServer.Handler
  ) {
    routes.append(Route(method: method, matches: { $0 == path }, respond: respond))
  }

  /// Answers a path with always the same.
  public mutating func on(_ path: String, method: String? = nil, _ response: LoopbackResponse) {
    on(path, method: method) { _ in response }
  }

  /// Answers a path with one answer a call; the last one is repeated.
  public mutating func on(
    _ path: String, method: String? = nil, _ responses: [LoopbackResponse]
  ) {
    on(path, method: method, respond: Self.sequence(responses))
  }

  /// Answers every path with a prefix by a closure.
  public mutating func on(
    prefix: String, method: String? = nil, respond: @escaping LoopbackServer.Handler
  ) {
    routes.append(Route(method: method, matches: { $0.hasPrefix(prefix) }, respond: respond))
  }

  /// Answers what no route matches.
  public mutating func otherwise(respond: @escaping LoopbackServer.Handler) {
    fallback = respond
  }

  /// A handler that gives one answer a call and repeats the last one; 404 when there is none.
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
