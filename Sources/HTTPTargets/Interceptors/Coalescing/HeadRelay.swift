internal import Locking

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
