/// A fault of a write that raises the question whether it was carried out.
public enum LoopbackWriteFault: String, Sendable, CaseIterable {
  /// The connection is reset before anything happens.
  case requestLost = "request-lost"
  /// The write is carried out. The connection is reset before the first byte of the answer.
  case answerLost = "answer-lost"
  /// The write is carried out. The connection is reset in the middle of the answer.
  case answerCut = "answer-cut"
  /// The connection is reset at once. The write is carried out some requests later.
  case commitDelayed = "commit-delayed"
  /// 502, and nothing is written.
  case badGateway = "bad-gateway"
  /// The same 502, but the write is carried out.
  case badGatewayAfterCommit = "bad-gateway-after-commit"
  /// 403: too much content, without a time.
  case contentLimit = "content-limit"
  /// 403: too much content, with `Retry-After`.
  case contentLimitWithTime = "content-limit-with-time"
  /// 401: the token is no longer known.
  case unauthorized
  /// The write is carried out. The answer is about an issue with another number.
  case otherIssue = "other-issue"
  /// The write is carried out. The answer is about an issue of another repository.
  case otherRepository = "other-repository"
  /// 200 with a page, as a proxy asks for a sign-in. Nothing is written.
  case loginPage = "login-page"
  /// 200 with JSON that no endpoint sends. Nothing is written.
  case foreignJSON = "foreign-json"
  /// 204, and nothing is written.
  case ignored

  /// The faults that happen on honest servers.
  public static let accidents: [LoopbackWriteFault] = [
    .requestLost, .answerLost, .answerCut, .commitDelayed, .badGateway, .badGatewayAfterCommit,
    .contentLimit, .contentLimitWithTime,
  ]
}

/// Faults in a share of the writes to a loopback GitHub.
public struct LoopbackWriteFaults: Sendable, Equatable {
  /// The share of faulty writes, 0 to 1.
  public var share: Double
  /// The possible faults.
  public var kinds: [LoopbackWriteFault]
  /// Selects the faulty writes.
  public var seed: UInt64
  /// The number of requests of any kind before ``LoopbackWriteFault/commitDelayed`` is carried out: 1 for right before
  /// the next answer.
  public var delay = 3
  /// A time in seconds, by the configuration's clock, in place of ``delay``.
  public var delayInSeconds: Int?
  /// The `Retry-After` of ``LoopbackWriteFault/contentLimitWithTime``, in seconds.
  public var retryAfter = 60
  /// From this write on, counted from 1, all get a 401; nil for none.
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

  /// The fault of a write, counted from 1; nil for none.
  func fault(_ write: Int) -> LoopbackWriteFault? {
    if let unauthorizedFrom, write >= unauthorizedFrom { return .unauthorized }
    var dice = FuzzSource(write, of: "write fault", seed: seed)
    return kinds.isEmpty || !dice.chance(share) ? nil : kinds[dice.below(kinds.count)]
  }
}

/// A request that a loopback GitHub received, and its outcome.
public struct LoopbackReceipt: Sendable, Equatable {
  /// Its place among all requests, from 1.
  public let number: Int
  /// The method.
  public let method: String
  /// The target as sent.
  public let target: String
  /// The body as sent.
  public let body: String
  /// The token's owner; nil without a token.
  public let login: String?
  /// The intended fault.
  public var fault: LoopbackWriteFault?
  /// The status that it got, or would have got; nil while it isn't carried out.
  public var status: Int?
  /// Whether it was carried out and wrote something.
  public var isCommitted = false
}
