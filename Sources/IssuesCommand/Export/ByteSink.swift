/// Where the bytes of an export go.
protocol ByteSink: Sendable {
  /// Writes bytes, all of them.
  func write(_ bytes: [UInt8]) async throws
}

extension Output: ByteSink {}
