import TestSupport

/// Tells when it is released.
final class Tracer: Sendable {
  private let released: Gate

  init(_ released: Gate) {
    self.released = released
  }

  deinit {
    released.open()
  }

  func count(_ element: Int) -> Int { element }
}
