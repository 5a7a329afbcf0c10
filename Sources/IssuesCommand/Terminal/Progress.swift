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
