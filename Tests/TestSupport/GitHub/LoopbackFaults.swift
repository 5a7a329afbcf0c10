/// Faults in a share of a loopback GitHub's answers, which a repeated request overcomes.
public struct LoopbackFaults: Sendable, Equatable {
  /// The share of faulty answers, 0 to 1.
  public var share: Double
  /// Selects the faulty answers.
  public var seed: UInt64

  /// Creates faults.
  public init(share: Double, seed: UInt64 = 0) {
    self.share = share
    self.seed = seed
  }

  /// The fault of the answer to a request, counted from 1; nil for none.
  func fault(_ request: Int) -> LoopbackFault? {
    var dice = FuzzSource(request, of: "fault", seed: seed)
    guard dice.chance(share) else { return nil }
    return Self.all[dice.below(Self.all.count)]
  }

  /// The faults in the table that a retry overcomes, without silences, which take long.
  private static let all: [LoopbackFault] = [
    .reset(.beforeHead), .reset(.insideHead), .reset(.afterHead), .reset(.insideBody),
    .closed(.beforeHead), .closed(.insideBody), .truncated, .withoutLastChunk, .gzipCutInHalf,
    .gzipCorrupt, .gzipThatIsNone, .badChunkSize, .error(.serverError), .error(.badGateway),
    .error(.unavailable), .error(.gatewayTimeout),
    .error(.secondaryRateLimit(status: 403, retryAfter: 1)),
    .error(.secondaryRateLimit(status: 429, retryAfter: 1)),
  ]
}
