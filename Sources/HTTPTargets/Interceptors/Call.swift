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
