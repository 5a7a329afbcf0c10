/// Where a ``CachingInterceptor`` keeps answers.
///
/// A store may lose any answer at any time, and never gives anything but what was stored under the same
/// key, whole. What goes wrong in it is its own affair: the call goes on without.
public protocol ResponseStore: Sendable {
  /// Returns what is stored under a key; nil when there is nothing, or when the task is cancelled.
  func response(for key: ResponseKey) async -> StoredResponse?

  /// Stores what is ``StoredResponse/keepable()`` of an answer, in place of what was there.
  ///
  /// The answer isn't handed on before this returns: what takes long goes on afterwards.
  func store(_ response: StoredResponse, for key: ResponseKey) async

  /// Forgets what is stored under a key.
  func removeResponse(for key: ResponseKey) async

  /// Returns when what was asked for is done: before a process ends. A store that hangs is not waited for.
  func flush() async
}

extension ResponseStore {
  /// Returns at once, for stores that put nothing off.
  public func flush() async {}
}
