import Locking
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
/// It appears when the work has taken a second, is written over in place, and leaves nothing
/// behind. Rows and messages that share the screen go through ``Output`` and ``ErrorOutput``,
/// which take the line away first.
final class Progress: Sendable {
  /// Takes the line away: to the first column, and erase to the end of the line (ECMA-48, EL).
  static let erasure: StaticString = "\r\u{1B}[K"

  private struct State: Sendable {
    var machine = ProgressStateMachine()
    var timer: Task<Void, Never>?
  }

  private let state = Locked(State())
  private let descriptor: CInt
  /// Whether there is a line at all.
  let isEnabled: Bool
  private let delay: Duration
  private let clock: any Clock<Duration>
  private let columns: @Sendable () -> Int

  /// A line that isn't shown yet.
  ///
  /// - Parameters:
  ///   - isEnabled: Whether there is a line at all; see ``isPossible(on:environment:)``.
  ///   - descriptor: The terminal.
  ///   - delay: How long the work may take unremarked.
  ///   - clock: The clock of that.
  ///   - columns: The width of the terminal, asked each time because windows change.
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

  /// Whether a status line makes sense: on a terminal, and on one that can rewrite a line.
  static func isPossible(
    on terminal: TerminalCapabilities, environment: [String: String]
  ) -> Bool {
    terminal.isTerminal && !OutputStyle.isDumb(environment)
  }

  /// Says how things stand; the first call begins the wait.
  func update(_ text: String) {
    guard isEnabled else { return }
    state.withLock { state in
      let action = state.machine.update(text)
      perform(action)
      guard action == .startTimer else { return }
      state.timer = Task { [weak self, clock, delay] in
        // Sleeping without a hold on the line: one that nobody owns any more never appears.
        guard (try? await clock.sleep(for: delay)) != nil else { return }
        self?.timerFired()
      }
    }
  }

  /// Says, in place of how things stand, what they wait for; nil when they go on. It appears at once.
  func notice(_ text: String?) {
    guard isEnabled else { return }
    state.withLock { perform($0.machine.notice(text)) }
  }

  /// Takes the line away until ``resume()``, for something else to be written.
  func suspend() {
    guard isEnabled else { return }
    state.withLock { perform($0.machine.suspend()) }
  }

  /// Brings the line back.
  func resume() {
    guard isEnabled else { return }
    state.withLock { perform($0.machine.resume()) }
  }

  /// Takes the line away for good.
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

  /// Carries an action out, under the lock, so that what is on the screen is what the state says.
  private func perform(_ action: ProgressStateMachine.Action) {
    let isStandardError = descriptor == STDERR_FILENO
    switch action {
    case .none, .startTimer: break
    case .draw(let text):
      // The last column stays free: a terminal that has filled it may have moved to the next line.
      let line = DisplayWidth.truncated(TerminalText(text).string, to: columns() - 1)
      if isStandardError {
        Interrupt.isLineShown.store(true, ordering: .sequentiallyConsistent)
        if Interrupt.isEnding.load(ordering: .sequentiallyConsistent) { return }
      }
      _ = DescriptorWriter.write("\r\(line)\u{1B}[K".utf8, to: descriptor)
      // A signal's handler that has just erased the line mustn't be followed by another.
      if isStandardError, Interrupt.isEnding.load(ordering: .sequentiallyConsistent) {
        _ = DescriptorWriter.write("\(Self.erasure)".utf8, to: descriptor)
      }
    case .erase:
      _ = DescriptorWriter.write("\(Self.erasure)".utf8, to: descriptor)
      if isStandardError { Interrupt.isLineShown.store(false, ordering: .relaxed) }
    }
  }
}

/// When a status line is on the screen and when it is not.
struct ProgressStateMachine: Sendable {
  /// What the owner of the screen has to do.
  enum Action: Sendable, Hashable {
    /// Nothing.
    case none

    /// Begin to wait for the time that passes unremarked, and then call ``timerFired()``.
    case startTimer

    /// Write this text over the line.
    case draw(String)

    /// Make the line empty.
    case erase
  }

  private enum State {
    /// Nothing has been said.
    case idle
    /// There is something to say, but it may be over before anybody wonders.
    case waiting
    /// The line may be seen.
    case due
    /// There is nothing more to say.
    case finished
  }

  private var state = State.idle
  private var text = ""
  /// What stands in place of the text for a while.
  private var notice: String?
  private var isDrawn = false
  // Rows and messages may be written at the same time, so there may be several suspensions.
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

  /// Something is waited for, or no more. A wait is known to last, so there is no time to let pass.
  mutating func notice(_ notice: String?) -> Action {
    guard state != .finished, notice != self.notice else { return .none }
    self.notice = notice
    if notice != nil { state = .due }
    return drawn()
  }

  /// The time that passes unremarked has passed.
  mutating func timerFired() -> Action {
    guard state == .waiting else { return .none }
    state = .due
    return drawn()
  }

  /// Something else wants to be written.
  mutating func suspend() -> Action {
    suspensions += 1
    return erased()
  }

  /// Something else has been written.
  mutating func resume() -> Action {
    suspensions -= 1
    return drawn()
  }

  /// It is over.
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
