internal import GitHubAPI

/// A worker's part of the budget: the requests that it may send, and those that it hasn't reported yet.
///
/// A request counts against two limits: an hourly quota of requests, and points per minute. A request with the response
/// 304 costs only points.
struct BudgetBlock: Sendable, Hashable {
  struct Report: Sendable, Hashable {
    /// The number of requests without a response yet.
    var inFlight = 0
    /// The number of requests that are reserved but not sent.
    var unsent = 0
    /// The points of the requests without a response.
    var pointsInFlight = 0
    /// The points that are reserved but not spent.
    var points = 0
    /// The points of requests completed since the last report.
    var spent = 0
    var answer: QuotaAnswer?

    /// Whether there is nothing to give back or to report.
    var isEmpty: Bool { unsent == 0 && points == 0 && spent == 0 && answer == nil }
  }

  enum End: Sendable {
    case counted
    /// The server has responded, and hasn't counted the request.
    case free
    /// The request never reached the server.
    case unsent
  }

  private(set) var unsent = 0
  private(set) var inFlight = 0
  private(set) var points = 0
  private var pointsInFlight = 0
  private var spent = 0
  /// The limits in the responses since the last report.
  private var answer: QuotaAnswer?

  /// Whether the server has asked for a pause that other workers don't know about yet.
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

  /// A request that the server hasn't counted returns to the reserve.
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
    // The token may also be used outside these workers.
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

  /// Restores the contents of a report that couldn't be delivered.
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

  /// Discards the reservations, because the database has released the block as lost.
  mutating func lose() { (unsent, points) = (0, 0) }

  /// Moves the unsent requests and points into a report that gives them back.
  mutating func takeUnsent(into report: inout Report) {
    (report.unsent, report.points) = (unsent, points)
    (unsent, points) = (0, 0)
  }
}
