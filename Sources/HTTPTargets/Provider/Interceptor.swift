internal import Locking

/// Wraps the sending of a request: it may change the request, send it more than once, or answer
/// without sending.
///
/// The first interceptor of a provider is the outermost.
public protocol Interceptor: Sendable {
  /// Sends what is inside.
  typealias Next = @Sendable (Request) async throws(NetworkError) -> Response

  /// Answers a request.
  ///
  /// - Parameters:
  ///   - request: The prepared request, or what the interceptor outside made of it.
  ///   - call: What the call is about.
  ///   - next: Sends a request through the interceptors inside and the transport. Every attempt gives
  ///     a response whatever its status; validation comes after the interceptors. It may outlive the
  ///     call of this method; an interceptor that doesn't need that leaves `@escaping` out.
  /// - Returns: The answer that the interceptor outside, or the provider, goes on with.
  /// - Throws: ``NetworkError``, which ends the call unless an interceptor outside catches it.
  func intercept(
    _ request: Request, call: Call, next: @escaping Next
  ) async throws(NetworkError) -> Response
}

/// What an interceptor knows of the call that it is part of.
public struct Call: Sendable {
  /// The target.
  public var target: any TargetType
  /// The provider's clock.
  public var clock: any Clock<Duration>
  /// How the answer reaches the caller.
  public var delivery: Delivery

  let heads: HeadRelay

  init(
    target: any TargetType, clock: any Clock<Duration>, delivery: Delivery = .whole,
    onHead: (@Sendable (Response) -> Void)?
  ) {
    self.target = target
    self.clock = clock
    self.delivery = delivery
    heads = HeadRelay(caller: onHead)
  }

  /// How an answer reaches the caller.
  ///
  /// An interceptor that looks at bodies, stores them, or hands one answer to several callers keeps out
  /// of the way of calls that aren't ``whole``: the body of a valid answer isn't in the response then.
  /// (The body of any other answer always is.)
  public enum Delivery: Sendable, Hashable {
    /// With its body in memory.
    case whole
    /// With its body in a file: ``HTTPTask/download(to:resuming:query:)``.
    case file
    /// With its body on the way: ``Provider/stream(_:)``.
    case stream
  }

  /// Tells the caller that the head of the answer is in: see ``Provider/request(_:onHead:)``.
  ///
  /// The head of an answer from the transport is told by itself. An interceptor that answers with
  /// something else, out of a cache or from an equal call under way, tells of it here, so that who
  /// waits for the head doesn't wait for the body. A head that doesn't pass the target's validation
  /// is not told on.
  ///
  /// - Parameter response: The head; its body need not be there.
  public func didReceiveHead(_ response: Response) {
    guard target.validation.accepts(response.status) else { return }
    heads.tell(response)
  }

  /// Tells the caller of a head itself, also while heads are told somewhere else.
  func tellCaller(_ head: Response) {
    guard target.validation.accepts(head.status) else { return }
    heads.caller?(head)
  }
}

/// Where the heads of a call's answers go: to the caller, or for a while somewhere else.
final class HeadRelay: Sendable {
  typealias Observer = @Sendable (Response) -> Void

  /// The caller.
  let caller: Observer?
  private let detour = Locked<Observer?>(nil)

  init(caller: Observer?) {
    self.caller = caller
  }

  /// Tells of a head.
  func tell(_ head: Response) {
    (detour.withLock { $0 } ?? caller)?(head)
  }

  /// Has heads told somewhere else than to the caller while `body` runs.
  func detouring(
    to observer: @escaping Observer,
    _ body: () async throws(NetworkError) -> Response
  ) async throws(NetworkError) -> Response {
    set(observer)
    defer { set(nil) }
    return try await body()
  }

  private func set(_ observer: Observer?) {
    // What the old one holds is released after the lock.
    let old = detour.withLock { detour in
      defer { detour = observer }
      return detour
    }
    withExtendedLifetime(old) {}
  }
}
