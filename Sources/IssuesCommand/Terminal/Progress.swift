import ConcurrencyPrimitives
internal import StyledText
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A status line at the bottom of the terminal, such as `Loading issues… 400 so far`.
///
/// It appears when the work has taken a second, is updated in place, and leaves nothing behind. ``Output`` and
/// ``ErrorOutput`` erase it before they write rows and messages.
final class Progress: Sendable {
  /// Erases the line: to the first column, and erase to the end of the line (ECMA-48, EL).
  static let erasure: StaticString = "\r\u{1B}[K"

  private struct State: Sendable {
    var machine = ProgressStateMachine()
    var timer: Task<Void, Never>?
  }

  private let state = Locked(State())
  private let descriptor: CInt
  let isEnabled: Bool
  private let delay: Duration
  private let clock: any Clock<Duration>
  private let columns: @Sendable () -> Int

  /// Creates a line, which isn't shown yet.
  ///
  /// - Parameters:
  ///   - isEnabled: Whether there is a line; see ``isPossible(on:environment:)``.
  ///   - descriptor: The terminal.
  ///   - delay: How long the work may take before the line appears.
  ///   - clock: The clock that measures this time.
  ///   - columns: Finds the width of the terminal, which may change at any time.
  init(
    isEnabled: Bool,
    descriptor: CInt = STDERR_FILENO,
    delay: Duration = .seconds(1),
    clock: any Clock<Duration> = ContinuousClock(),
    columns: (@Sendable () -> Int)? = nil
  ) {
    self.isEnabled = isEnabled
    self.descriptor = descriptor
    self.delay = delay
    self.clock = clock
    self.columns = columns ?? { TerminalCapabilities.columns(of: descriptor) ?? 80 }
  }

  deinit {
    finish()
  }

  /// Whether a status line is possible: on a terminal that can rewrite a line.
  static func isPossible(
    on terminal: TerminalCapabilities, environment: [String: String]
  ) -> Bool {
    terminal.isTerminal && !OutputStyle.isDumb(environment)
  }

  /// Sets the status. The first call starts the delay.
  func update(_ text: String) {
    guard isEnabled else { return }
    state.withLock { state in
      let action = state.machine.update(text)
      perform(action)
      guard action == .startTimer else { return }
      state.timer = Task { [weak self, clock, delay] in
        // The task doesn't keep the line alive: once it is released, it never appears.
        guard (try? await clock.sleep(for: delay)) != nil else { return }
        self?.timerFired()
      }
    }
  }

  /// Shows a notice in place of the status, at once; nil brings the status back.
  func notice(_ text: String?) {
    guard isEnabled else { return }
    state.withLock { perform($0.machine.notice(text)) }
  }

  /// Erases the line until ``resume()``, so that something else can be written.
  func suspend() {
    guard isEnabled else { return }
    state.withLock { perform($0.machine.suspend()) }
  }

  /// Brings the line back.
  func resume() {
    guard isEnabled else { return }
    state.withLock { perform($0.machine.resume()) }
  }

  /// Erases the line for good.
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

  /// Carries out an action under the lock, so that the screen and the state agree.
  private func perform(_ action: ProgressStateMachine.Action) {
    let isStandardError = descriptor == STDERR_FILENO
    switch action {
    case .none, .startTimer: break
    case .draw(let text):
      // The last column stays free: a terminal may move on to the next line when it is filled.
      let line = DisplayWidth.truncated(TerminalText(text).string, to: columns() - 1)
      if isStandardError {
        Interrupt.isLineShown.store(true, ordering: .sequentiallyConsistent)
        if Interrupt.isEnding.load(ordering: .sequentiallyConsistent) { return }
      }
      _ = DescriptorWriter.write("\r\(line)\u{1B}[K".utf8, to: descriptor)
      // A signal handler may just have erased the line: no other may stand there.
      if isStandardError, Interrupt.isEnding.load(ordering: .sequentiallyConsistent) {
        _ = DescriptorWriter.write("\(Self.erasure)".utf8, to: descriptor)
      }
    case .erase:
      _ = DescriptorWriter.write("\(Self.erasure)".utf8, to: descriptor)
      if isStandardError { Interrupt.isLineShown.store(false, ordering: .relaxed) }
    }
  }
}

/// Decides when a status line is on the screen.
struct ProgressStateMachine: Sendable {
  /// An action of the status line.
  enum Action: Sendable, Hashable {
    case none

    /// Start the delay, and then call ``timerFired()``.
    case startTimer

    /// Write this text over the line.
    case draw(String)

    case erase
  }

  private enum State {
    /// There is no status yet.
    case idle
    /// There is a status, and the delay runs.
    case waiting
    /// The line may be shown.
    case due
    /// The line is gone for good.
    case finished
  }

  private var state = State.idle
  private var text = ""
  /// The text in place of the status.
  private var notice: String?
  private var isDrawn = false
  // Rows and messages may be written at the same time.
  private var suspensions = 0

  /// The status has changed.
  mutating func update(_ text: String) -> Action {
    guard state != .finished, text != self.text || state == .idle else { return .none }
    self.text = text
    if state == .idle {
      state = .waiting
      return .startTimer
    }
    return notice == nil ? drawn() : .none
  }

  /// A notice has come or gone. It stands for a wait that is known to last, and needs no delay.
  mutating func notice(_ notice: String?) -> Action {
    guard state != .finished, notice != self.notice else { return .none }
    self.notice = notice
    if notice != nil { state = .due }
    return drawn()
  }

  /// The delay is over.
  mutating func timerFired() -> Action {
    guard state == .waiting else { return .none }
    state = .due
    return drawn()
  }

  /// Something else is about to be written.
  mutating func suspend() -> Action {
    suspensions += 1
    return erased()
  }

  /// Something else has been written.
  mutating func resume() -> Action {
    suspensions -= 1
    return drawn()
  }

  /// The work is done.
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
