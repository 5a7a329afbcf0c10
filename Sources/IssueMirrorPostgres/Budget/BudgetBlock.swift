internal import GitHubAPI

/// What a worker has of the budget: requests that it may send, and those that it hasn't reported yet.
struct BudgetBlock: Sendable, Hashable {
  struct Report: Sendable, Hashable {
    /// Requests without an answer yet.
    var inFlight: Int
    /// Requests that are reserved and not sent.
    var unsent: Int
    var answer: QuotaAnswer?
  }

  private(set) var unsent = 0
  private(set) var inFlight = 0
  /// What answers have said since the last report.
  private var answer: QuotaAnswer?

  /// Whether there is nothing to give back or to report.
  var isEmpty: Bool { unsent == 0 && inFlight == 0 && answer == nil }

  /// Whether the server has asked to slow down, and others don't know yet.
  var hasUrgentNews: Bool { answer?.pause != nil }

  /// Returns false if no request is reserved.
  mutating func send() -> Bool {
    guard unsent > 0 else { return false }
    unsent -= 1
    inFlight += 1
    return true
  }

  /// A request that the server hasn't counted may be sent again.
  mutating func finish(isCounted: Bool, _ answer: QuotaAnswer?) {
    inFlight -= 1
    if !isCounted { unsent += 1 }
    guard let answer else { return }
    // Others than these workers may use the token too.
    if let quota = answer.quota { unsent = min(unsent, max(quota.remaining - inFlight, 0)) }
    self.answer?.merge(answer)
    self.answer = self.answer ?? answer
  }

  mutating func report() -> Report {
    defer { answer = nil }
    return Report(inFlight: inFlight, unsent: unsent, answer: answer)
  }

  /// A report that didn't arrive.
  mutating func takeBack(_ report: Report) {
    guard let told = report.answer else { return }
    answer?.merge(told)
    answer = answer ?? told
  }

  mutating func add(_ granted: Int) { unsent += granted }

  /// The database has given the block up for lost.
  mutating func lose() { unsent = 0 }

  /// What is to be given back.
  mutating func takeUnsent() -> Int {
    defer { unsent = 0 }
    return unsent
  }
}
