/// What goes wrong with a share of a loopback GitHub's answers, in such ways that whoever asks again gets
/// what was asked for.
public struct LoopbackFaults: Sendable, Equatable {
  /// The share of answers that something goes wrong with, 0 to 1.
  public var share: Double
  /// Other seeds strike other answers.
  public var seed: UInt64

  /// Creates faults.
  public init(share: Double, seed: UInt64 = 0) {
    self.share = share
    self.seed = seed
  }

  /// What goes wrong with the answer to a request, counted from 1; nil for nothing.
  func fault(_ request: Int) -> LoopbackFault? {
    var dice = Dice(request, of: "fault", seed: seed)
    guard dice.chance(share) else { return nil }
    return Self.all[dice.below(Self.all.count)]
  }

  /// Those of the table of faults that are worth another try, but for the silences, which take long.
  private static let all: [LoopbackFault] = [
    .reset(.beforeHead), .reset(.insideHead), .reset(.afterHead), .reset(.insideBody),
    .closed(.beforeHead), .closed(.insideBody), .truncated, .withoutLastChunk, .gzipCutInHalf,
    .gzipCorrupt, .gzipThatIsNone, .badChunkSize, .error(.serverError), .error(.badGateway),
    .error(.unavailable), .error(.gatewayTimeout),
    .error(.secondaryRateLimit(status: 403, retryAfter: 1)),
    .error(.secondaryRateLimit(status: 429, retryAfter: 1)),
  ]
}
