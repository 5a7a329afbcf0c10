internal import ConcurrencyPrimitives
public import PlatformModules
internal import Synchronization

/// The body of a response in chunks, as it arrives.
///
/// It can be read only once. A second iterator, or a second ``collect(atMost:)``, throws
/// ``NetworkError/Code/transport``, even if the first one was released before the end. Reading throws
/// ``NetworkError/Code/tooLarge`` when more bytes arrive than the request allows, counted after decompression.
public struct ResponseBody: AsyncSequence, Sendable {
  /// A chunk.
  public typealias Element = Data
  /// The errors of reading.
  public typealias Failure = NetworkError

  fileprivate typealias NextChunk = @Sendable () async throws(NetworkError) -> Data?

  private final class Source: Sendable {
    let maximumSize: Int
    let nextChunk: NextChunk
    private let hasReader = Atomic(false)

    init(maximumSize: Int, nextChunk: @escaping NextChunk) {
      self.maximumSize = maximumSize
      self.nextChunk = nextChunk
    }

    /// Returns true once.
    func begin() -> Bool { !hasReader.exchange(true, ordering: .relaxed) }
  }

  private let source: Source

  /// Creates a body.
  ///
  /// - Parameters:
  ///   - maximumSize: The maximum number of bytes.
  ///   - nextChunk: Returns the next chunk, or nil after the last.
  public init(
    maximumSize: Int, nextChunk: @escaping @Sendable () async throws(NetworkError) -> Data?
  ) {
    source = Source(maximumSize: maximumSize, nextChunk: nextChunk)
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

  /// Starts reading. Only the first iterator reads the body.
  public func makeAsyncIterator() -> Iterator { iterator(atMost: .max) }

  private func iterator(atMost limit: Int) -> Iterator {
    let maximum = Swift.min(limit, source.maximumSize)
    return Iterator(
      remaining: maximum, maximumSize: maximum, nextChunk: source.begin() ? source.nextChunk : nil)
  }

  /// Reads a body.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var remaining: Int
    fileprivate let maximumSize: Int
    /// Nil if another iterator reads the body.
    fileprivate let nextChunk: NextChunk?

    /// Returns the next chunk, or nil after the last.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(NetworkError) -> Data? {
      guard let nextChunk else {
        throw .transport(
          TransportFailure(.other, code: 0),
          "the body can be read only once, and another reader has begun")
      }
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
    var iterator = iterator(atMost: limit)
    guard var body = try await iterator.next(isolation: nil) else { return Data() }
    onCount?(body.count)
    // Bounded, because the server can announce any size.
    if let expected, expected > body.count {
      body.reserveCapacity(Swift.min(expected, iterator.maximumSize, 1 << 24))
    }
    while let chunk = try await iterator.next(isolation: nil) {
      body.append(chunk)
      onCount?(body.count)
    }
    return body
  }
}
