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

  /// The fault of the answer to a request.
  ///
  /// - Parameters:
  ///   - request: The request's number, from 1.
  ///   - error: Makes a fault of an error.
  /// - Returns: The fault; nil for none.
  func fault(
    _ request: Int, error: (GitHubError) -> LoopbackFault = LoopbackFault.error
  ) -> LoopbackFault? {
    var dice = FuzzSource(request, of: "fault", seed: seed)
    guard dice.chance(share) else { return nil }
    let place = dice.below(Self.transfers.count + Self.errors.count)
    return place < Self.transfers.count
      ? Self.transfers[place] : error(Self.errors[place - Self.transfers.count])
  }

  /// The faults in the table that a retry overcomes, without silences, which take long.
  private static let transfers: [LoopbackFault] = [
    .reset(.beforeHead), .reset(.insideHead), .reset(.afterHead), .reset(.insideBody),
    .closed(.beforeHead), .closed(.insideBody), .truncated, .withoutLastChunk, .gzipCutInHalf,
    .gzipCorrupt, .gzipThatIsNone, .badChunkSize,
  ]

  private static let errors: [GitHubError] = [
    .serverError, .badGateway, .unavailable, .gatewayTimeout,
    .secondaryRateLimit(status: 403, retryAfter: 1),
    .secondaryRateLimit(status: 429, retryAfter: 1),
  ]
}
