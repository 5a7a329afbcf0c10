internal import GitHubAPI

/// The requests that a server still allows a token, as all workers share them: a row of the database, while it is
/// locked. Seconds count from the database's present time.
///
/// What is left is what the lowest answer said, without what is outstanding: requests that workers have reserved and
/// not reported as used, whether they have sent them or not. The server may have counted those already, or will; so
/// there is never too much, and the workers together stay below the quota. In exchange, what others had used without
/// having reported it when an answer was reported is lost until the window ends: at most their blocks.
struct BudgetLedger: Sendable, Hashable {
  enum Grant: Sendable, Hashable {
    case granted(Int)
    /// Others hold all that is left.
    case full
    /// Nothing is left for so many seconds.
    case spent(Double)
    /// The server asks everybody to slow down for so many seconds.
    case paused(Double)
  }

  /// How many of a block are reserved at once.
  static let largestBlock = 10
  /// Of what is left, so that a small rest is shared too.
  static let share = 16
  /// As long as nobody knows the quota.
  static let mostUnknown = 4
  /// GitHub refuses more than 100 at once.
  static let mostOutstanding = 90
  /// A reset is told in whole seconds.
  private static let margin = 1.0
  private static let longestWindow = 3600.0

  /// How many there are in a window; nil if nobody knows, or there is no limit.
  var quota: Int?
  /// How many nobody has reserved; nil with `quota`.
  var remaining: Int?
  var isUnlimited = false
  /// By the server's clock; it identifies the window.
  var reset = 0
  /// Until the window ends.
  var secondsLeft = 0.0
  /// For which the server asks everybody to slow down.
  var pause = 0.0
  /// Of all workers but this one.
  var othersOutstanding = 0
  /// Of this worker.
  var outstanding = 0

  private var all: Int { othersOutstanding + outstanding }

  /// Notes what this worker's answers said. Its block is noted before.
  mutating func note(_ answer: QuotaAnswer) {
    advance()
    if let seconds = answer.pause { pause = max(pause, seconds) }
    if let told = answer.quota {
      let left = max(told.remaining - all, 0)
      if let remaining, told.reset <= reset {
        // An earlier window says nothing about this one.
        if told.reset == reset { self.remaining = min(remaining, left) }
      } else {
        (quota, remaining, isUnlimited) = (told.limit ?? quota ?? told.remaining, left, false)
        (reset, secondsLeft) = (told.reset, told.delay)
      }
    } else if answer.isUnlimited, remaining == nil {
      (isUnlimited, secondsLeft) = (true, Self.longestWindow)
    }
  }

  /// Returns what of this worker's block it hasn't sent.
  mutating func giveBack(_ unsent: Int) {
    let returned = min(unsent, outstanding)
    outstanding -= returned
    remaining = remaining.map { min($0 + returned, quota ?? .max) }
  }

  /// Reserves requests for this worker. One that has some left gets no more, only leave to go on.
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

  /// A window that has ended is followed by one of the same size, until an answer says more.
  private mutating func advance() {
    guard secondsLeft + Self.margin <= 0 else { return }
    // Where no answer has said how large a window is, it has to be found out.
    guard let quota, quota > 0, remaining != nil else {
      (self.quota, remaining, isUnlimited) = (nil, nil, false)
      return
    }
    remaining = max(quota - all, 0)
    secondsLeft = Self.longestWindow
    // Later than the one that has ended, whose answers may still be reported, and earlier than the next one.
    reset += 1
  }
}
