import ConcurrencyPrimitives
import PlatformModules
internal import StyledText
import Synchronization

/// A status line at the bottom of the terminal, such as `Loading issues… 400 so far`.
///
/// It appears after a second. ``Output`` and ``ErrorOutput`` erase it before they write.
final class Progress: Sendable {
  /// Moves to the first column, and erases to the end of the line (ECMA-48, EL).
  static let erasure: StaticString = "\r\u{1B}[K"

  private struct State: Sendable {
    var machine = ProgressStateMachine()
    var timer: Task<Void, Never>?
  }

  private let state = Locked(State())
  private let descriptor: CInt
  let isEnabled: Bool
  /// Whether the signal handler erases this status line.
  private let isOfProcess: Bool
  private let delay: Duration
  private let clock: any Clock<Duration>
  private let columns: @Sendable () -> Int

  /// Creates a status line. It appears after `delay` at the earliest. The width of the terminal may change at any time.
  init(
    isEnabled: Bool,
    descriptor: CInt,
    isOfProcess: Bool = false,
    delay: Duration = .seconds(1),
    clock: any Clock<Duration> = ContinuousClock(),
    columns: (@Sendable () -> Int)? = nil
  ) {
    self.isEnabled = isEnabled
    self.descriptor = descriptor
    self.isOfProcess = isOfProcess
    self.delay = delay
    self.clock = clock
    self.columns = columns ?? { TerminalCapabilities.columns(of: descriptor) ?? 80 }
  }

  deinit {
    finish()
  }

  /// Whether the terminal supports a status line. It must be able to rewrite a line.
  static func isPossible(
    on terminal: TerminalCapabilities, environment: [String: String]
  ) -> Bool {
    terminal.isTerminal && !OutputStyle.isDumb(environment)
  }

  /// Sets the text. The first call starts the delay.
  func update(_ text: String) {
    guard isEnabled else { return }
    state.withLock { state in
      let action = state.machine.update(text)
      perform(action)
      guard action == .startTimer else { return }
      state.timer = Task { [weak self, clock, delay] in
        // The task doesn't keep the status line alive: once released, it never appears.
        guard (try? await clock.sleep(for: delay)) != nil else { return }
        self?.timerFired()
      }
    }
  }

  /// Replaces the status immediately; nil restores it.
  func notice(_ text: String?) {
    guard isEnabled else { return }
    state.withLock { perform($0.machine.notice(text)) }
  }

  /// Erases the line until ``resume()``, so that other output can be written.
  func suspend() {
    guard isEnabled else { return }
    state.withLock { perform($0.machine.suspend()) }
  }

  func resume() {
    guard isEnabled else { return }
    state.withLock { perform($0.machine.resume()) }
  }

  /// Erases the line permanently.
  func finish() {
    let timer = state.withLock { state in
      perform(state.machine.finish())
      defer { state.timer = nil }
      return state.timer
    }
    timer?.cancel()
  }

  private func timerFired() {
    state.withLock { perform($0.machine.timerFired()) }
  }

  /// Performs an action under the lock, so that the screen and the state agree.
  private func perform(_ action: ProgressStateMachine.Action) {
    switch action {
    case .none, .startTimer: break
    case .draw(let text):
      // The last column stays empty, because a terminal may continue on the next line when it is filled.
      let line = DisplayWidth.truncated(TerminalText(text).string, to: columns() - 1)
      if isOfProcess {
        Interrupt.isLineShown.store(true, ordering: .sequentiallyConsistent)
        if Interrupt.isEnding.load(ordering: .sequentiallyConsistent) { return }
      }
      _ = DescriptorWriter.write("\r\(line)\u{1B}[K".utf8, to: descriptor)
      // A signal handler may just have erased the line. The line must not be drawn again.
      if isOfProcess, Interrupt.isEnding.load(ordering: .sequentiallyConsistent) {
        _ = DescriptorWriter.write("\(Self.erasure)".utf8, to: descriptor)
      }
    case .erase:
      _ = DescriptorWriter.write("\(Self.erasure)".utf8, to: descriptor)
      if isOfProcess { Interrupt.isLineShown.store(false, ordering: .relaxed) }
    }
  }
}

/// Decides when a status line is on the screen.
struct ProgressStateMachine: Sendable {
  enum Action: Sendable, Hashable {
    case none

    /// Start the delay, and then call ``timerFired()``.
    case startTimer

    case draw(String)

    case erase
  }

  private enum State {
    case idle
    /// The delay has started.
    case waiting
    case due
    case finished
  }

  private var state = State.idle
  private var text = ""
  private var notice: String?
  private var isDrawn = false
  // The number of suspensions. Rows and messages may be written at the same time.
  private var suspensions = 0

  mutating func update(_ text: String) -> Action {
    guard state != .finished, text != self.text || state == .idle else { return .none }
    self.text = text
    if state == .idle {
      state = .waiting
      return .startTimer
    }
    return notice == nil ? drawn() : .none
  }

  /// Shows a notice without a delay. It is for a wait that is known to last.
  mutating func notice(_ notice: String?) -> Action {
    guard state != .finished, notice != self.notice else { return .none }
    self.notice = notice
    if notice != nil { state = .due }
    return drawn()
  }

  mutating func timerFired() -> Action {
    guard state == .waiting else { return .none }
    state = .due
    return drawn()
  }

  /// Erases the line because other output is about to be written.
  mutating func suspend() -> Action {
    suspensions += 1
    return erased()
  }

  mutating func resume() -> Action {
    suspensions -= 1
    return drawn()
  }

  mutating func finish() -> Action {
    state = .finished
    return erased()
  }

  private mutating func drawn() -> Action {
    guard state == .due, suspensions == 0 else { return .none }
    let text = notice ?? text
    guard !text.isEmpty else { return erased() }
    isDrawn = true
    return .draw(text)
  }

  private mutating func erased() -> Action {
    guard isDrawn else { return .none }
    isDrawn = false
    return .erase
  }
}
