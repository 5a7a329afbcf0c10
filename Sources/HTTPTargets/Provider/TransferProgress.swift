/// The progress of a transfer. Each attempt, such as a redirect or a retry, starts at zero.
public struct TransferProgress: Sendable, Hashable {
  /// A phase of the transfer.
  public enum Phase: Sendable, Hashable {
    /// The body of the request.
    case sending
    /// The body of a response that passes validation.
    case receiving
  }

  typealias Observer = @Sendable (TransferProgress) -> Void

  /// The phase of the transfer.
  public var phase: Phase
  /// The number of bytes so far, including those of earlier attempts if a download is resumed.
  public var completedBytes: Int
  /// The total number of bytes; nil if it is unknown, or known only for the compressed body.
  public var expectedBytes: Int?

  /// Creates a progress.
  public init(_ phase: Phase, completed: Int, expected: Int?) {
    self.phase = phase
    completedBytes = completed
    expectedBytes = expected
  }

  /// The fraction from 0 to 1; 0 while the total is unknown.
  public var fractionCompleted: Double {
    guard let expectedBytes else { return 0 }
    return expectedBytes > 0 ? min(1, Double(completedBytes) / Double(expectedBytes)) : 1
  }
}
