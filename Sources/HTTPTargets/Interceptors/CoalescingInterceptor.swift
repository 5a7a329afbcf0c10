internal import HTTPTypes

/// Joins equal requests that are in progress. Only one is sent, and all callers get its response.
///
/// Place this interceptor first, so that the other interceptors run only once. Providers don't have it by default,
/// because two equal requests may be intended to detect a change between them.
///
/// Requests are equal if they are `GET` or `HEAD` without a range, and have the same URL, header fields, body, timeouts
/// and maximum body size. The header fields include the credentials, so a response never reaches the user of another
/// token. The targets must also accept the same kind of credentials, because an inner interceptor may add them.
///
/// Canceling one call doesn't affect the others. When all calls are canceled, the request is canceled too. A later call
/// sends a new request. Each call has its own head (even if it joins late), validation and ``Plugin/Process``.
/// ``Plugin/WillSend`` and ``Plugin/DidReceive`` run once, for the first call. The other calls have 0
/// ``TargetResponse/attempts``.
///
/// An interceptor joins all requests that pass through it, so give each provider its own interceptor.
public struct CoalescingInterceptor: Interceptor {
  private struct Key: Hashable, Sendable {
    let request: TargetRequest
    let authorization: AuthorizationType
  }

  private let calls = SingleFlight<Key, TargetResponse, TargetResponse>()
  private let onJoin: @Sendable (TargetRequest) -> Void

  /// Creates the interceptor.
  ///
  /// - Parameter onJoin: Called for each request that isn't sent because an equal one is in progress.
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
      for: Key(request: request, authorization: call.target.policy.authorization),
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
    // The heads of the first call were validated for its own target, so this call may not have received one.
    if !isHeadTold { call.tellCaller(response) }
    return response
  }

  private static func canJoin(_ request: TargetRequest) -> Bool {
    (request.method == .get || request.method == .head) && !request.headers.contains(.range)
  }
}
