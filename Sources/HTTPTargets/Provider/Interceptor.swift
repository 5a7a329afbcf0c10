internal import ConcurrencyPrimitives

/// Wraps the sending of a request: it may change the request, send it repeatedly, or respond without sending. A
/// provider's first interceptor is the outermost.
public protocol Interceptor: Sendable {
  /// Sends a request through the interceptors inside and the transport.
  typealias Next = @Sendable (TargetRequest) async throws(NetworkError) -> TargetResponse

  /// Returns a response to a request.
  ///
  /// - Parameters:
  ///   - request: The prepared request, as the interceptor outside passed it on.
  ///   - call: The call that the request belongs to.
  ///   - next: Sends a request through the interceptors inside and the transport. Each attempt returns a response with
  ///     any status; validation comes later. Without `@escaping` it can't outlive this method.
  /// - Returns: The response for the interceptor outside, or for the provider.
  /// - Throws: An error that ends the call unless an interceptor outside catches it. The outer interceptor sees a
  ///   ``NetworkError``: a `CancellationError` becomes ``NetworkError/Code/cancelled``, any other error
  ///   ``NetworkError/Code/underlying``.
  func intercept(
    _ request: TargetRequest, call: TargetCall, next: @escaping Next
  ) async throws -> TargetResponse
}

/// The call that an interceptor takes part in.
public struct TargetCall: Sendable {
  /// The target.
  public var target: any TargetType
  /// The provider's clock.
  public var clock: any Clock<Duration>
  /// How the response reaches the caller.
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

  /// How a response reaches the caller.
  ///
  /// An interceptor that reads, stores or shares bodies must ignore calls that aren't ``whole``: a valid response
  /// then comes without its body. (Other responses have theirs.)
  public enum Delivery: Sendable, Hashable {
    /// With its body in memory.
    case whole
    /// With its body in a file: ``HTTPTask/download(to:resuming:query:)``.
    case file
    /// With its body still arriving: ``Provider/stream(_:)``.
    case stream
  }

  /// Announces the head of the response to the caller: see ``Provider/request(_:adding:onHead:)``.
  ///
  /// Heads from the transport are announced without this. Call it when the response comes from elsewhere, such as
  /// a cache or an equal call under way, so that the caller needn't wait for the body. The head may lack its
  /// body. If it fails the target's validation, it isn't announced.
  public func didReceiveHead(_ response: TargetResponse) {
    guard target.validation.accepts(response.status) else { return }
    heads.tell(response)
  }

  func tellCaller(_ head: TargetResponse) {
    guard target.validation.accepts(head.status) else { return }
    heads.caller?(head)
  }
}

/// Passes a call's heads on, to the caller or for a while to another observer.
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
    // The old observer is released after the lock.
    let old = detour.withLock { detour in
      defer { detour = observer }
      return detour
    }
    withExtendedLifetime(old) {}
  }
}
