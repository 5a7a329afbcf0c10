internal import ConcurrencyPrimitives
public import PlatformModules

extension RequestBody {
  /// Bytes that an asynchronous sequence produces while they are sent.
  ///
  /// The sequence is read as fast as the connection accepts its bytes, so they never accumulate in memory. If the
  /// request ends first, the task that reads the sequence is canceled. If the sequence doesn't produce bytes for the
  /// request's ``Timeouts/idle``, the request fails.
  ///
  /// ```swift
  /// let log = RequestBody.Stream { compressedLines(of: "/var/log/syslog") }
  /// ```
  ///
  /// Two streams are equal if one is a copy of the other.
  public struct Stream: Sendable, Hashable {
    /// Reads the next bytes; nil at the end.
    private typealias Next = () async throws -> Data?

    private final class Source: Sendable {
      let begin: @Sendable () throws -> Next

      init(_ begin: @escaping @Sendable () throws -> Next) {
        self.begin = begin
      }
    }

    /// The length in bytes; nil if it is unknown in advance.
    public let size: Int?
    private let source: Source

    /// Creates a stream that can be sent more than once.
    ///
    /// - Parameters:
    ///   - size: The length in bytes to announce; nil to send the stream in chunks ([RFC 9112, section
    ///     7.1](https://www.rfc-editor.org/rfc/rfc9112#section-7.1)). The request fails with
    ///     ``NetworkError/Code/encoding`` if the sequence produces fewer or more bytes.
    ///   - makeBytes: Creates the sequence for each attempt. Retries, redirects, and connections that break before the
    ///     response start over. If this closure or the sequence throws, the request fails with
    ///     ``NetworkError/Code/encoding``.
    public init<Bytes: AsyncSequence>(
      size: Int? = nil, _ makeBytes: @escaping @Sendable () throws -> Bytes
    )
    where
      Bytes.Element == Data, Bytes: SendableMetatype, Bytes.AsyncIterator: SendableMetatype
    {
      precondition(size.map { $0 >= 0 } ?? true, "a stream can't have a negative size")
      self.size = size
      source = Source {
        var iterator = try makeBytes().makeAsyncIterator()
        return { try await iterator.next() }
      }
    }

    /// Creates a stream from a sequence that can be read only once, such as an `AsyncStream`.
    ///
    /// A second attempt fails with ``NetworkError/Code/encoding`` instead of sending an empty body.
    ///
    /// - Parameters:
    ///   - bytes: The sequence. If it throws, the request fails with ``NetworkError/Code/encoding``.
    ///   - size: The length in bytes to announce; nil to send the stream in chunks. The request fails with
    ///     ``NetworkError/Code/encoding`` if the sequence produces fewer or more bytes.
    public init<Bytes: AsyncSequence & Sendable>(once bytes: Bytes, size: Int? = nil)
    where Bytes.Element == Data, Bytes.AsyncIterator: SendableMetatype {
      let isTaken = Locked(false)
      self.init(size: size) {
        let wasTaken = isTaken.withLock { isTaken in
          defer { isTaken = true }
          return isTaken
        }
        guard !wasTaken else { throw AlreadySent() }
        return bytes
      }
    }

    private struct AlreadySent: Error, CustomStringConvertible {
      let description = "it can be sent only once, and was already sent"
    }

    /// Whether one stream is a copy of the other.
    public static func == (one: Stream, other: Stream) -> Bool { one.source === other.source }

    /// Hashes the identity of the stream.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(source)) }

    /// Reads all bytes. The bytes that complete the announced length are held back until the sequence has ended, so
    /// that a body of a failing sequence never looks complete.
    func read(_ take: (Data) async -> Void) async throws(NetworkError) {
      var count = 0
      var last = Data()
      do {
        let next = try source.begin()
        while let bytes = try await next() {
          try Task.checkCancellation()
          count += bytes.count
          if count < size ?? .max { await take(bytes) } else { last += bytes }
          if let size, count > size { throw WrongSize(announced: size, made: "\(count) and more") }
        }
        // When canceled, many sequences (such as `AsyncStream`) end as if they were complete.
        try Task.checkCancellation()
        if let size, count < size { throw WrongSize(announced: size, made: "\(count)") }
      } catch {
        if Task.isCancelled { throw .cancelled }
        throw NetworkError(
          .encoding, "the body's stream can't be sent: \(error)", underlying: error)
      }
      await take(last)
    }

    private struct WrongSize: Error, CustomStringConvertible {
      let announced: Int
      let made: String

      var description: String { "\(announced) bytes were announced, and it produced \(made)" }
    }
  }
}

/// Passes a stream's bytes from the task that produces them to the thread that sends them.
final class StreamPump {
  /// The end for the task that produces the bytes.
  private struct Inlet: Sendable {
    struct State: Sendable {
      var made = Data()
      var end: Result<Void, NetworkError>?
      /// Whether the reader waits for bytes.
      var isAwaited = false
    }

    /// The number of unsent bytes at which the stream pauses.
    static let highWaterMark = 256 << 10

    let state = Watched(State())
    let onBytes: @Sendable () -> Void

    func run(_ stream: RequestBody.Stream) async {
      do throws(NetworkError) {
        try await stream.read(add)
        change { $0.end = .success(()) }
      } catch {
        change { $0.end = .failure(error) }
      }
    }

    private func add(_ bytes: Data) async {
      guard !bytes.isEmpty else { return }
      await state.wait { $0.made.count < Self.highWaterMark }
      change { $0.made += bytes }
    }

    private func change(_ body: (inout State) -> Void) {
      let isAwaited = state.update { state in
        body(&state)
        defer { state.isAwaited = false }
        return state.isAwaited
      }
      if isAwaited { onBytes() }
    }
  }

  private let inlet: Inlet
  private let task: Task<Void, Never>
  private var bytes = Data()

  /// Creates a pump. It calls `onBytes` when bytes arrive for a waiting reader.
  init(_ stream: RequestBody.Stream, onBytes: @escaping @Sendable () -> Void) {
    let inlet = Inlet(onBytes: onBytes)
    self.inlet = inlet
    task = Task { await inlet.run(stream) }
  }

  deinit { task.cancel() }

  /// Returns the number of bytes read, 0 at the end, and nil if there are none yet.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(NetworkError) -> Int? {
    if bytes.isEmpty {
      let (made, end) = inlet.state.update { state -> (Data, Result<Void, NetworkError>?) in
        defer { state.made = Data() }
        state.isAwaited = state.made.isEmpty && state.end == nil
        return (state.made, state.end)
      }
      bytes = made
      if made.isEmpty {
        try end?.get()
        return end == nil ? nil : 0
      }
    }
    let count = min(buffer.count, bytes.count)
    unsafe bytes.copyBytes(to: buffer, count: count)
    bytes.removeFirst(count)
    return count
  }
}
