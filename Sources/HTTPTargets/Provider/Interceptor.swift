internal import ConcurrencyPrimitives

/// Wraps the sending of a request. An interceptor can change the request, send it repeatedly, or respond without
/// sending it. The first interceptor of a provider is the outermost.
public protocol Interceptor: Sendable {
  /// Sends a request through the inner interceptors and the transport.
  typealias Next = @Sendable (TargetRequest) async throws(NetworkError) -> TargetResponse

  /// Returns the response to a request.
  ///
  /// - Parameters:
  ///   - request: The prepared request, as passed on by the outer interceptor.
  ///   - call: The call that the request belongs to.
  ///   - next: Sends a request through the inner interceptors and the transport. Each attempt returns a response with
  ///     any status, because validation follows later. The closure isn't `@escaping`, so it can't outlive this method.
  /// - Returns: The response for the outer interceptor or the provider.
  /// - Throws: An error that ends the call unless an outer interceptor catches it. The outer interceptor receives a
  ///   ``NetworkError``. A `CancellationError` becomes ``NetworkError/Code/cancelled``, and any other error becomes
  ///   ``NetworkError/Code/underlying``.
  func intercept(
    _ request: TargetRequest, call: TargetCall, next: @escaping Next
  ) async throws -> TargetResponse
}

/// The call that an interceptor belongs to.
public struct TargetCall: Sendable {
  /// The target.
  public var target: any TargetType
  /// The provider's clock.
  public var clock: any Clock<Duration>
  /// The way that the response reaches the caller.
  public var delivery: Delivery

  let heads: HeadRelay

  init(
    target: any TargetType, clock: any Clock<Duration>, delivery: Delivery = .whole,
    onHead: (@Sendable (TargetResponse) -> Void)?
  ) {
    self.target = target
    self.clock = clock
    self.delivery = delivery
    heads = HeadRelay(caller: onHead)
  }

  /// The way that a response reaches the caller.
  ///
  /// An interceptor that reads, stores or shares bodies must ignore calls that aren't ``whole``, because their valid
  /// responses have no body. (Invalid responses do.)
  public enum Delivery: Sendable, Hashable {
    /// The body is in memory.
    case whole
    /// The body is in a file: ``HTTPTask/download(to:resuming:query:)-(String,_,_)``.
    case file
    /// The body is still arriving: ``Provider/stream(_:adding:)``.
    case stream
  }

  /// Announces the head of the response to the caller: see ``Provider/request(_:adding:onHead:)``.
  ///
  /// Heads from the transport are announced automatically. Call this method if the response has another source, such as
  /// a cache or an equal call in progress, so that the caller needn't wait for the body. The head may have an empty
  /// body. It isn't announced if it fails the target's validation.
  public func didReceiveHead(_ response: TargetResponse) {
    guard target.policy.validation.accepts(response.status) else { return }
    heads.tell(response)
  }

  func tellCaller(_ head: TargetResponse) {
    guard target.policy.validation.accepts(head.status) else { return }
    heads.caller?(head)
  }
}

/// Passes the heads of a call to the caller, or temporarily to another observer.
struct HeadRelay: Sendable {
  typealias Observer = @Sendable (TargetResponse) -> Void

  let caller: Observer?
  private let detour = Locked<Observer?>(nil)

  init(caller: Observer?) {
    self.caller = caller
  }

  func tell(_ head: TargetResponse) {
    (detour.withLock { $0 } ?? caller)?(head)
  }

  func detouring(
    to observer: @escaping Observer,
    _ body: () async throws(NetworkError) -> TargetResponse
  ) async throws(NetworkError) -> TargetResponse {
    set(observer)
    defer { set(nil) }
    return try await body()
  }

  private func set(_ observer: Observer?) {
    // Returned from the lock, so that the old observer is released outside it.
    let old = detour.withLock { detour in
      defer { detour = observer }
      return detour
    }
    withExtendedLifetime(old) {}
  }
}
