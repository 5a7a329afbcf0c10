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
