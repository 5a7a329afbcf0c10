internal import ConcurrencyPrimitives
public import PlatformModules

/// The body of a response in chunks, as it arrives. It can be read only once. Reading throws
/// ``NetworkError/Code/tooLarge`` when more bytes arrive than the request allows, counted after decompression.
public struct ResponseBody: AsyncSequence, Sendable {
  /// A chunk.
  public typealias Element = Data
  /// The errors of reading.
  public typealias Failure = NetworkError

  let maximumSize: Int
  let nextChunk: @Sendable () async throws(NetworkError) -> Data?

  /// Creates a body.
  ///
  /// - Parameters:
  ///   - maximumSize: The maximum number of bytes.
  ///   - nextChunk: Returns the next chunk, or nil after the last.
  public init(
    maximumSize: Int, nextChunk: @escaping @Sendable () async throws(NetworkError) -> Data?
  ) {
    self.maximumSize = maximumSize
    self.nextChunk = nextChunk
  }

  /// Creates a body from bytes in memory.
  public init(_ data: Data, maximumSize: Int) {
    let unread = Locked<Data?>(data.isEmpty ? nil : data)
    self.init(maximumSize: maximumSize) {
      unread.withLock { unread in
        defer { unread = nil }
        return unread
      }
    }
  }

  /// Starts reading.
  public func makeAsyncIterator() -> Iterator {
    Iterator(remaining: maximumSize, maximumSize: maximumSize, nextChunk: nextChunk)
  }

  /// Reads a body.
  public struct Iterator: AsyncIteratorProtocol {
    var remaining: Int
    let maximumSize: Int
    let nextChunk: @Sendable () async throws(NetworkError) -> Data?

    /// Returns the next chunk, or nil after the last.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(NetworkError) -> Data? {
      guard let chunk = try await nextChunk() else { return nil }
      remaining -= chunk.count
      guard remaining >= 0 else {
        throw NetworkError(.tooLarge, "the body is longer than \(maximumSize) bytes")
      }
      return chunk
    }
  }

  /// Reads the body to its end.
  ///
  /// - Parameter limit: The maximum number of bytes. If the body's own maximum is lower, it applies instead.
  /// - Returns: The bytes.
  /// - Throws: ``NetworkError/Code/tooLarge``, or the errors of reading.
  public func collect(atMost limit: Int) async throws(NetworkError) -> Data {
    try await collect(atMost: limit, onCount: nil)
  }

  /// Reads the body to its end. `onCount` receives the number of bytes so far after each chunk.
  func collect(
    atMost limit: Int, expected: Int? = nil, onCount: ((Int) -> Void)?
  ) async throws(NetworkError) -> Data {
    let maximum = Swift.min(limit, maximumSize)
    var iterator = Iterator(remaining: maximum, maximumSize: maximum, nextChunk: nextChunk)
    guard var body = try await iterator.next(isolation: nil) else { return Data() }
    onCount?(body.count)
    // Bounded, because the server can announce any size.
    if let expected, expected > body.count {
      body.reserveCapacity(Swift.min(expected, maximum, 1 << 24))
    }
    while let chunk = try await iterator.next(isolation: nil) {
      body.append(chunk)
      onCount?(body.count)
    }
    return body
  }
}
