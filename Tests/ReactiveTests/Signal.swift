import Locking
@testable import Reactive

/// Something that happens once, for tests to wait for instead of sleeping.
final class Signal: Sendable {
  private struct State: Sendable {
    var isFired = false
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    var lastWaiter = 0
  }

  private let state = Locked(State())

  func fire() {
    let waiting = state.withLock { state in
      defer { state.waiting = [:] }
      state.isFired = true
      return state.waiting
    }
    for continuation in waiting.values {
      continuation.resume()
    }
  }

  /// Waits for the signal or the cancelling of the task, so that a time limit ends the test.
  func wait() async {
    let waiter = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    await withTaskCancellationHandler {
      await wait(as: waiter)
    } onCancel: {
      // A waiter that is not there yet sees under the same lock that its task is cancelled.
      state.withLock { $0.waiting.removeValue(forKey: waiter) }?.resume()
    }
  }

  /// Waits for the signal as something would that takes no notice of being cancelled.
  func waitStubbornly() async {
    await Task { await wait() }.value
  }

  private func wait(as waiter: Int) async {
    await withCheckedContinuation { continuation in
      let goesOn = state.withLock { state in
        guard !state.isFired, !Task.isCancelled else { return true }
        state.waiting[waiter] = continuation
        return false
      }
      if goesOn {
        continuation.resume()
      }
    }
  }

  /// Waits until the calling task is cancelled.
  static func cancellation() async {
    await Signal().wait()
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
