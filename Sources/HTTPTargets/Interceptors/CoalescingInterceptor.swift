internal import HTTPTypes

/// Joins equal requests that are under way: one goes out, and everybody gets its answer.
///
/// Put it first, so that nothing happens twice before it. It isn't part of any provider by itself: two
/// equal requests one after the other may be meant to see a change.
///
/// Equal are `GET` and `HEAD` requests with the same URL and the same header fields, credentials
/// included, so that no answer goes to another token, with the same body, time-outs and longest body, of
/// targets that take the same credentials: an interceptor inside may add those. What asks for a range isn't
/// joined, and no other method ever is.
///
/// Who cancels leaves the others alone; when all have, the request is cancelled. Whatever becomes of it,
/// a call after it asks anew. Each call has its own head, told also to who came late, its own validation
/// and its own ``Plugin/process(_:target:)``; ``Plugin/willSend(_:target:)`` and
/// ``Plugin/didReceive(_:target:)`` run once, for the call that came first, and the
/// ``Response/attempts`` of the others are 0.
///
/// One interceptor joins all that goes through it: give each provider its own.
public struct CoalescingInterceptor: Interceptor {
  /// What calls are equal by.
  private struct Key: Hashable, Sendable {
    let request: Request
    let authorization: AuthorizationType
  }

  private let calls = SingleFlight<Key, Response, Response>()
  private let onJoin: @Sendable (Request) -> Void

  /// Creates the interceptor.
  ///
  /// - Parameter onJoin: Is told of each request that isn't sent because an equal one is under way.
  public init(onJoin: @escaping @Sendable (Request) -> Void = { _ in }) {
    self.onJoin = onJoin
  }

  /// How many requests are under way that others can join.
  var count: Int { calls.count }

  /// Sends a request, or waits for the answer to an equal one.
  public func intercept(
    _ request: Request, call: Call, next: @escaping Next
  ) async throws(NetworkError) -> Response {
    guard Self.canJoin(request), call.delivery == .whole else { return try await next(request) }
    var isHeadTold = false
    let response = try await calls.value(
      for: Key(request: request, authorization: call.target.authorization),
      onJoin: { onJoin(request) },
      onUpdate: { head in
        isHeadTold = true
        call.tellCaller(head)
      },
      work: { tell async throws(NetworkError) in
        try await call.heads.detouring(to: tell) { () async throws(NetworkError) in
          try await next(request)
        }
      })
    // The head was told to the call that came first by the rules of its target, which can be others.
    if !isHeadTold { call.tellCaller(response) }
    return response
  }

  private static func canJoin(_ request: Request) -> Bool {
    (request.method == .get || request.method == .head) && !request.headers.contains(.range)
  }
}
