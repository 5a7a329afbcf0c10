/// Something that goes wrong with a write so that it matters whether it was carried out.
public enum LoopbackWriteFault: String, Sendable, CaseIterable {
  /// The connection is reset before anything was done.
  case requestLost = "request-lost"
  /// It is carried out, and the connection reset before the first byte of the answer.
  case answerLost = "answer-lost"
  /// It is carried out, and the connection reset in the middle of the answer.
  case answerCut = "answer-cut"
  /// The connection is reset at once, and it is carried out some requests later.
  case commitDelayed = "commit-delayed"
  /// 502, and nothing was done.
  case badGateway = "bad-gateway"
  /// 502 with the same bytes, and it is carried out.
  case badGatewayAfterCommit = "bad-gateway-after-commit"
  /// 403: too much content, without a word on how long.
  case contentLimit = "content-limit"
  /// 403: too much content, with `Retry-After`.
  case contentLimitWithTime = "content-limit-with-time"
  /// 401: the token isn't known any more.
  case unauthorized
  /// It is carried out, and answered with an issue of another number.
  case otherIssue = "other-issue"
  /// It is carried out, and answered with an issue of another repository.
  case otherRepository = "other-repository"

  /// Those that any server may have, and nobody has to be hostile for.
  public static let accidents: [LoopbackWriteFault] = [
    .requestLost, .answerLost, .answerCut, .commitDelayed, .badGateway, .badGatewayAfterCommit,
    .contentLimit, .contentLimitWithTime,
  ]
}

/// What goes wrong with a share of the writes to a loopback GitHub.
public struct LoopbackWriteFaults: Sendable, Equatable {
  /// The share of writes that something goes wrong with, 0 to 1.
  public var share: Double
  /// What can go wrong.
  public var kinds: [LoopbackWriteFault]
  /// Other seeds strike other writes.
  public var seed: UInt64
  /// How many requests come, of whatever kind, before ``LoopbackWriteFault/commitDelayed`` is carried out: 1 for
  /// right before the next one is answered.
  public var delay = 3
  /// Instead of ``delay``, how many seconds pass before that, by the configuration's clock.
  public var delayInSeconds: Int?
  /// The `Retry-After` of ``LoopbackWriteFault/contentLimitWithTime``, in seconds.
  public var retryAfter = 60
  /// From which write on, counted from 1, every one is answered with 401; nil for none.
  public var unauthorizedFrom: Int?

  /// Creates faults.
  public init(
    share: Double = 0, kinds: [LoopbackWriteFault] = LoopbackWriteFault.accidents,
    seed: UInt64 = 0
  ) {
    self.share = share
    self.kinds = kinds
    self.seed = seed
  }

  /// What goes wrong with a write, counted from 1; nil for nothing.
  func fault(_ write: Int) -> LoopbackWriteFault? {
    if let unauthorizedFrom, write >= unauthorizedFrom { return .unauthorized }
    var dice = Dice(write, of: "write fault", seed: seed)
    return kinds.isEmpty || !dice.chance(share) ? nil : kinds[dice.below(kinds.count)]
  }
}

/// A request that a loopback GitHub received, and what became of it.
public struct LoopbackReceipt: Sendable, Equatable {
  /// Its place among all requests, from 1.
  public let number: Int
  /// The method.
  public let method: String
  /// The target as sent.
  public let target: String
  /// The body as sent.
  public let body: String
  /// Whose token came with it; nil without one.
  public let login: String?
  /// What went wrong with it by design.
  public var fault: LoopbackWriteFault?
  /// The status that it was answered with, or would have been; nil while it isn't carried out.
  public var status: Int?
  /// Whether it was carried out, and something written.
  public var isCommitted = false
}
