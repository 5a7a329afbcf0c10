internal import GitHubAPI

/// The requests that a server still allows for a token, shared by all workers: a database row, while it is locked.
/// Times in seconds are relative to the database's current time.
///
/// The remainder is the lowest number in a response minus the outstanding requests. These are the requests that workers
/// have reserved and not reported as used, whether or not they were sent. The server may or may not have counted them
/// yet, so the remainder is never too high, and the workers together stay below the quota. The cost is that some
/// requests are lost until the window ends: those that other workers had sent but not reported when a response was
/// reported, up to the size of their blocks.
struct BudgetLedger: Sendable, Hashable {
  enum Grant: Sendable, Hashable {
    case granted(Int)
    /// Other workers hold the entire remainder.
    case full
    /// The quota is used up for this number of seconds.
    case spent(Double)
    /// The server asks all clients to slow down for this number of seconds.
    case paused(Double)
  }

  /// The most requests reserved in one block.
  static let largestBlock = 10
  /// The divisor of the remainder that limits a block, so that a small remainder is shared too.
  static let share = 16
  /// The most outstanding requests while the quota is unknown.
  static let mostUnknown = 4
  /// The most outstanding requests: GitHub refuses more than 100 at once.
  static let mostOutstanding = 90
  /// The margin in seconds: a reset is given in whole seconds.
  private static let margin = 1.0
  private static let longestWindow = 3600.0

  /// The requests per window; nil if unknown or unlimited.
  var quota: Int?
  /// The unreserved requests; nil if `quota` is nil.
  var remaining: Int?
  var isUnlimited = false
  /// The end of the window by the server's clock, which identifies the window.
  var reset = 0
  /// The seconds until the window ends.
  var secondsLeft = 0.0
  /// The seconds for which the server asks all clients to slow down.
  var pause = 0.0
  /// The outstanding requests of all other workers.
  var othersOutstanding = 0
  /// The outstanding requests of this worker.
  var outstanding = 0

  private var all: Int { othersOutstanding + outstanding }

  /// Records the limits from this worker's responses. Its block must be recorded first.
  mutating func note(_ answer: QuotaAnswer) {
    advance()
    if let seconds = answer.pause { pause = max(pause, seconds) }
    if let told = answer.quota {
      let left = max(told.remaining - all, 0)
      if let remaining, told.reset <= reset {
        // An earlier window doesn't apply to this one.
        if told.reset == reset { self.remaining = min(remaining, left) }
      } else {
        (quota, remaining, isUnlimited) = (told.limit ?? quota ?? told.remaining, left, false)
        (reset, secondsLeft) = (told.reset, told.delay)
      }
    } else if answer.isUnlimited, remaining == nil {
      (isUnlimited, secondsLeft) = (true, Self.longestWindow)
    }
  }

  /// Returns the unsent requests of this worker's block to the remainder.
  mutating func giveBack(_ unsent: Int) {
    let returned = min(unsent, outstanding)
    outstanding -= returned
    remaining = remaining.map { min($0 + returned, quota ?? .max) }
  }

  /// Reserves requests for this worker. A worker that still has reserved requests doesn't get more, but may continue.
  mutating func reserve(besides unsent: Int = 0) -> Grant {
    advance()
    if pause > 0 { return .paused(pause) }
    if unsent > 0 { return .granted(0) }
    let room = Self.mostOutstanding - all
    let granted: Int
    if isUnlimited {
      granted = min(Self.largestBlock, room)
    } else if let remaining {
      guard remaining > 0 else {
        return all > 0 ? .full : .spent(max(secondsLeft, 0) + Self.margin)
      }
      granted = min(max(remaining / Self.share, 1), Self.largestBlock, room)
      if granted > 0 { self.remaining = remaining - granted }
    } else {
      granted = min(1, Self.mostUnknown - all)
    }
    guard granted > 0 else { return .full }
    outstanding += granted
    return .granted(granted)
  }

  /// After a window has ended, assumes another one of the same size until a response shows otherwise.
  private mutating func advance() {
    guard secondsLeft + Self.margin <= 0 else { return }
    // Without a response that contains the size of a window, the size has to be discovered.
    guard let quota, quota > 0, remaining != nil else {
      (self.quota, remaining, isUnlimited) = (nil, nil, false)
      return
    }
    remaining = max(quota - all, 0)
    secondsLeft = Self.longestWindow
    // Sorts after the ended window, whose responses may still be reported, and before the next one.
    reset += 1
  }
}
