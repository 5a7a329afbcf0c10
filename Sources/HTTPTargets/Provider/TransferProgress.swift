/// The progress of a transfer.
///
/// Each attempt counts from zero, so the numbers start again after a redirect or a retry.
public struct TransferProgress: Sendable, Hashable {
  /// What is being transferred.
  public enum Phase: Sendable, Hashable {
    /// The body of the request.
    case sending
    /// The body of an answer that passes validation.
    case receiving
  }

  /// Receives each progress.
  typealias Observer = @Sendable (TransferProgress) -> Void

  /// What is being transferred.
  public var phase: Phase
  /// The bytes so far, including those of earlier attempts if a download is resumed.
  public var completedBytes: Int
  /// The total bytes; nil if the server doesn't announce them, or only for the compressed body.
  public var expectedBytes: Int?

  /// Creates a progress.
  public init(_ phase: Phase, completed: Int, expected: Int?) {
    self.phase = phase
    completedBytes = completed
    expectedBytes = expected
  }

  /// From 0 to 1; 0 while the total is unknown.
  public var fractionCompleted: Double {
    guard let expectedBytes else { return 0 }
    return expectedBytes > 0 ? min(1, Double(completedBytes) / Double(expectedBytes)) : 1
  }
}
