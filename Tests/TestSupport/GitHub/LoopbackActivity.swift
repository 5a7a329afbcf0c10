/// Changes that people make in a loopback GitHub while its lists are requested. They are counted by requests, so that
/// fast and slow machines see the same.
public struct LoopbackActivity: Sendable, Equatable {
  /// The changes with each request for a list of issues or of a repository's comments.
  public var changesPerRequest: Double
  /// The number of changes after which there are no more.
  public var maximumCount: Int
  /// Selects the changes.
  public var seed: UInt64

  /// Creates an activity.
  public init(changesPerRequest: Double, maximumCount: Int = .max, seed: UInt64 = 0) {
    self.changesPerRequest = changesPerRequest
    self.maximumCount = maximumCount
    self.seed = seed
  }

  /// The numbers, from 0, of the changes that come with a request, counted from 1.
  func changes(with request: Int) -> Range<Int> {
    func count(_ requests: Int) -> Int {
      min(Int((Double(requests) * changesPerRequest).rounded(.down)), maximumCount)
    }
    return count(request - 1)..<count(request)
  }
}
