/// A gate that holds whoever waits at it until it is opened.
///
/// A test hands one to a scripted answer, and opens it when it has seen what it wanted to see
/// while the answer was held.
public final class Gate: Sendable {
  private let isOpenState: Watched<Bool>

  /// Creates a gate.
  public init(isOpen: Bool = false) {
    isOpenState = Watched(isOpen)
  }

  /// Whether the gate is open.
  public var isOpen: Bool { isOpenState.current }

  /// Lets through everybody who waits and everybody who comes.
  public func open() {
    isOpenState.update { $0 = true }
  }

  /// Holds those who come from now on.
  public func close() {
    isOpenState.update { $0 = false }
  }

  /// Waits until the gate is open, or until the waiting task is cancelled.
  public func wait() async {
    _ = try? await isOpenState.value { $0 ? true : nil }
  }
}
