import ConcurrencyPrimitives
import TerminalScreen

/// Stands in for a terminal: a test's keys go in, pictures come out.
@MainActor final class ScriptedScreen: Screen {
  let size: ScreenSize
  let events: AsyncStream<InputEvent>
  /// All pictures, in order.
  let shown = Watched<[Canvas]>([])
  /// The other calls, in order.
  let calls = Watched<[String]>([])
  private let input: AsyncStream<InputEvent>.Continuation

  init(columns: Int = 80, rows: Int = 24) {
    size = ScreenSize(columns: columns, rows: rows)
    (events, input) = AsyncStream.makeStream()
    input.yield(.resized(size))
  }

  func show(_ canvas: Canvas) { shown.update { $0.append(canvas) } }

  func repaint() { calls.update { $0.append("repaint") } }

  func suspend() { calls.update { $0.append("suspend") } }

  func copy(_ text: String) -> CopyOutcome {
    calls.update { $0.append("copy \(text)") }
    return .sent
  }

  func lend<Result: Sendable>(during work: @MainActor () async -> Result) async -> Result {
    calls.update { $0.append("lend") }
    return await work()
  }

  /// Presses keys.
  func press(_ keys: InputEvent.Key...) {
    for key in keys { input.yield(.key(key)) }
  }

  /// Types a text, letter by letter.
  func type(_ text: String) {
    for character in text { input.yield(.key(.character(character))) }
  }

  /// Ends the events, as when the terminal's window closes.
  func hangUp() { input.finish() }
}
