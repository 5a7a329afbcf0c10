/// How far a transfer has come.
///
/// Each attempt of a call counts anew: with redirects and retries the numbers begin again.
public struct TransferProgress: Sendable, Hashable {
  /// What is being transferred.
  public enum Phase: Sendable, Hashable {
    /// The body of the request.
    case sending
    /// The body of an answer that passes validation.
    case receiving
  }

  /// Is told each time that a transfer has come further.
  typealias Observer = @Sendable (TransferProgress) -> Void

  /// What is being transferred.
  public var phase: Phase
  /// The bytes so far; of a download that is gone on with, those of earlier attempts too.
  public var completedBytes: Int
  /// The bytes in all; nil when the server doesn't say, or says it of a compressed body only.
  public var expectedBytes: Int?

  /// Creates a progress.
  public init(_ phase: Phase, completed: Int, expected: Int?) {
    self.phase = phase
    completedBytes = completed
    expectedBytes = expected
  }

  /// From 0 to 1; 0 as long as the bytes in all are unknown.
  public var fractionCompleted: Double {
    guard let expectedBytes else { return 0 }
    return expectedBytes > 0 ? min(1, Double(completedBytes) / Double(expectedBytes)) : 1
  }
}
