/// What people do in the repositories of a loopback GitHub while it is asked for lists: counted by requests,
/// so that it is the same on a fast machine and on a slow one.
public struct LoopbackActivity: Sendable, Equatable {
  /// How many changes come with each request for a list of issues or of a repository's comments.
  public var changesPerRequest: Double
  /// After how many changes it is quiet.
  public var maximumCount: Int
  /// Other seeds make other changes.
  public var seed: UInt64

  /// Creates an activity.
  public init(changesPerRequest: Double, maximumCount: Int = .max, seed: UInt64 = 0) {
    self.changesPerRequest = changesPerRequest
    self.maximumCount = maximumCount
    self.seed = seed
  }

  /// The changes, by their numbers from 0, that come with a request, counted from 1.
  func changes(with request: Int) -> Range<Int> {
    func count(_ requests: Int) -> Int {
      min(Int((Double(requests) * changesPerRequest).rounded(.down)), maximumCount)
    }
    return count(request - 1)..<count(request)
  }
}
