import StyledText
import TerminalScreen

/// A screen whose keys the program presses, and which reports when a picture is shown.
@MainActor final class MeasuredScreen: Screen {
  let size: ScreenSize
  let events: AsyncStream<InputEvent>
  /// Shows the pictures; nil to stop at the picture.
  var terminal: Terminal?
  private let input: AsyncStream<InputEvent>.Continuation
  private var waiting: CheckedContinuation<ContinuousClock.Instant, Never>?

  init(size: ScreenSize) {
    self.size = size
    (events, input) = AsyncStream.makeStream()
    input.yield(.resized(size))
  }

  func show(_ canvas: Canvas) {
    terminal?.show(canvas)
    let now = ContinuousClock.now
    waiting?.resume(returning: now)
    waiting = nil
  }

  func repaint() {}

  func suspend() {}

  func copy(_ text: String) -> CopyOutcome { .unsupported }

  func lend<Result: Sendable>(during work: @MainActor () async -> Result) async -> Result {
    await work()
  }

  func press(_ key: InputEvent.Key) {
    input.yield(.key(key))
  }

  /// Presses a key that changes the picture, and waits until the new one is shown.
  func time(of key: InputEvent.Key) async -> Duration {
    let start = ContinuousClock.now
    let end = await withCheckedContinuation { continuation in
      waiting = continuation
      press(key)
    }
    return start.duration(to: end)
  }
}
