internal import HTTPTypes

/// Joins equal requests that are under way: one is sent, and all callers get its response.
///
/// Place it first, so that no interceptor outside it runs twice. No provider has it by default, because two equal
/// requests may be meant to see a change between them.
///
/// Requests are equal if they are `GET` or `HEAD` without a range, have the same URL, header fields (credentials
/// included, so that no response reaches another token), body, time-outs and maximum body size, and if their
/// targets take the same credentials, which an interceptor inside may add.
///
/// Cancelling one call doesn't affect the others; when all are cancelled, so is the request. A later call sends
/// a new request. Each call gets its own head, even if it joins late, its own validation and its own
/// ``Plugin/Process``. ``Plugin/WillSend`` and ``Plugin/DidReceive`` run once, for the first call; the others
/// have 0 ``TargetResponse/attempts``.
///
/// An interceptor joins all requests that pass through it, so give each provider its own.
public struct CoalescingInterceptor: Interceptor {
  private struct Key: Hashable, Sendable {
    let request: TargetRequest
    let authorization: AuthorizationType
  }

  private let calls = SingleFlight<Key, TargetResponse, TargetResponse>()
  private let onJoin: @Sendable (TargetRequest) -> Void

  /// Creates the interceptor.
  ///
  /// - Parameter onJoin: Called for each request that isn't sent because an equal one is under way.
  public init(onJoin: @escaping @Sendable (TargetRequest) -> Void = { _ in }) {
    self.onJoin = onJoin
  }

  var count: Int { calls.count }

  /// Sends a request, or waits for the response to an equal one.
  public func intercept(
    _ request: TargetRequest, call: TargetCall, next: @escaping Next
  ) async throws(NetworkError) -> TargetResponse {
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
    // Heads of the first call follow the validation of its own target, which may differ.
    if !isHeadTold { call.tellCaller(response) }
    return response
  }

  private static func canJoin(_ request: TargetRequest) -> Bool {
    (request.method == .get || request.method == .head) && !request.headers.contains(.range)
  }
}
