/// A gate that holds its callers until it opens.
///
/// A test puts one into a scripted answer, and opens it once it has seen the state in which the answer is held.
public final class Gate: Sendable {
  private let isOpenState: Watched<Bool>

  /// Creates a gate.
  public init(isOpen: Bool = false) {
    isOpenState = Watched(isOpen)
  }

  /// Whether the gate is open.
  public var isOpen: Bool { isOpenState.current }

  /// Lets waiting and later callers through.
  public func open() {
    isOpenState.update { $0 = true }
  }

  /// Holds later callers.
  public func close() {
    isOpenState.update { $0 = false }
  }

  /// Waits until the gate opens or the task is cancelled.
  public func wait() async {
    _ = try? await isOpenState.value { $0 ? true : nil }
  }
}
