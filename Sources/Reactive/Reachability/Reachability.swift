/// Knows whether something, for instance a server, can be reached.
///
/// ```swift
/// func page(_ url: URL) async -> Page {
///   while true {
///     if let page = await load(url) { return page }
///     reachability.reportFailure()
///     await reachability.waitUntilReachable()
///   }
/// }
/// ```
///
/// It never says that a request will succeed: ask, report what failed, and wait.
/// ``ProbingReachability`` is a real one; `ManualReachability` of ReactiveTesting is moved by a test.
public protocol Reachability: Sendable {
  /// Whether it can be reached, as far as is known: true until somebody reports a failure.
  var isReachable: Bool { get }

  /// ``isReachable`` as it is, and then each change.
  var changes: Current<Bool>.Values { get }

  /// Says that it could not be reached; from then on until it was reached, ``isReachable`` is false.
  func reportFailure()
}

extension Reachability {
  /// Waits until it can be reached; not at all when it can.
  ///
  /// Returns early when the calling task is cancelled, and when this object is dropped.
  public func waitUntilReachable() async {
    for await isReachable in changes where isReachable { return }
  }
}
