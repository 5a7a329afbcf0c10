@testable import Reactive

/// Something that happens once, for tests to wait for instead of sleeping.
///
/// Waiting ignores cancellation on purpose: a test of cancelling needs bodies that don't.
final class Signal: Sendable {
  private enum State: Sendable {
    case waited(by: [CheckedContinuation<Void, Never>])
    case fired
  }

  private let state = Locked(State.waited(by: []))

  func fire() {
    let before = state.withLock { state in
      defer { state = .fired }
      return state
    }
    guard case .waited(let waiting) = before else { return }
    for continuation in waiting {
      continuation.resume()
    }
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isFired = state.withLock { state in
        guard case .waited(let waiting) = state else { return true }
        state = .waited(by: waiting + [continuation])
        return false
      }
      if isFired {
        continuation.resume()
      }
    }
  }

  /// Waits until the calling task is cancelled.
  static func cancellation() async {
    let signal = Signal()
    await withTaskCancellationHandler {
      await signal.wait()
    } onCancel: {
      signal.fire()
    }
  }
}

/// A source that has all its elements ready, and ends after them.
func elements<Element: Sendable>(_ elements: some Sequence<Element>) -> AsyncStream<Element> {
  let (stream, continuation) = AsyncStream.makeStream(of: Element.self)
  for element in elements {
    continuation.yield(element)
  }
  continuation.finish()
  return stream
}
