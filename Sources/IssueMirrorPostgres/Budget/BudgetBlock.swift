internal import GitHubAPI

/// What a worker has of the budget: requests that it may send, and those that it hasn't reported yet.
///
/// A request needs room in two limits: one request of an hour's quota, and points of a minute's. What the server answers
/// with 304 costs points only.
struct BudgetBlock: Sendable, Hashable {
  struct Report: Sendable, Hashable {
    /// Requests without an answer yet.
    var inFlight = 0
    /// Requests that are reserved and not sent.
    var unsent = 0
    /// The points of the requests without an answer.
    var pointsInFlight = 0
    /// Points that are reserved and not spent.
    var points = 0
    /// The points of answered requests since the last report.
    var spent = 0
    var answer: QuotaAnswer?

    /// Whether there is nothing to give back or to tell.
    var isEmpty: Bool { unsent == 0 && points == 0 && spent == 0 && answer == nil }
  }

  enum End: Sendable {
    case counted
    /// The server has answered, and hasn't counted it.
    case free
    /// It has never arrived.
    case unsent
  }

  private(set) var unsent = 0
  private(set) var inFlight = 0
  private(set) var points = 0
  private var pointsInFlight = 0
  private var spent = 0
  /// What answers have said since the last report.
  private var answer: QuotaAnswer?

  /// Whether the server has asked to slow down, and others don't know yet.
  var hasUrgentNews: Bool { answer?.pause != nil }

  /// Returns false if no such request is reserved.
  mutating func send(points cost: Int = 1) -> Bool {
    guard unsent > 0, points >= cost else { return false }
    unsent -= 1
    inFlight += 1
    points -= cost
    pointsInFlight += cost
    return true
  }

  /// A request that the server hasn't counted may be sent again.
  mutating func finish(_ end: End, points cost: Int = 1, _ answer: QuotaAnswer?) {
    inFlight -= 1
    pointsInFlight -= cost
    switch end {
    case .counted: spent += cost
    case .free:
      spent += cost
      unsent += 1
    case .unsent:
      points += cost
      unsent += 1
    }
    guard let answer else { return }
    // Others than these workers may use the token too.
    if let quota = answer.quota { unsent = min(unsent, max(quota.remaining - inFlight, 0)) }
    self.answer?.merge(answer)
    self.answer = self.answer ?? answer
  }

  mutating func report() -> Report {
    defer { (answer, spent) = (nil, 0) }
    return Report(
      inFlight: inFlight, unsent: unsent, pointsInFlight: pointsInFlight, points: points,
      spent: spent, answer: answer)
  }

  /// A report that didn't arrive.
  mutating func takeBack(_ report: Report) {
    spent += report.spent
    guard let told = report.answer else { return }
    answer?.merge(told)
    answer = answer ?? told
  }

  mutating func add(_ granted: Int, points: Int) {
    unsent += granted
    self.points += points
  }

  /// The database has given the block up for lost.
  mutating func lose() { (unsent, points) = (0, 0) }

  /// What is to be given back, as it is now.
  mutating func takeUnsent(into report: inout Report) {
    (report.unsent, report.points) = (unsent, points)
    (unsent, points) = (0, 0)
  }
}
