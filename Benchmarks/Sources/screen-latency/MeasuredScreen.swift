import StyledText
import TerminalScreen

/// A screen whose keys are pressed by the program, and which tells when a picture has been shown.
@MainActor final class MeasuredScreen: Screen {
  let size: ScreenSize
  let events: AsyncStream<InputEvent>
  /// Where pictures are written; nil to stop at the picture.
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

  func press(_ key: InputEvent.Key) {
    input.yield(.key(key))
  }

  /// Presses a key that changes what is shown, and waits until it is.
  func time(of key: InputEvent.Key) async -> Duration {
    let start = ContinuousClock.now
    let end = await withCheckedContinuation { continuation in
      waiting = continuation
      press(key)
    }
    return start.duration(to: end)
  }
}
