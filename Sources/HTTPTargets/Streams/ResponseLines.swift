internal import PlatformModules

extension ResponseBody {
  /// Returns the lines of the body as UTF-8, each as soon as its end has arrived. Use it for JSON Lines, logs, and
  /// progress.
  ///
  /// ```swift
  /// for try await line in response.body.lines() {
  ///   let event = try decoder.decode(Event.self, from: Data(line.utf8))
  /// }
  /// ```
  ///
  /// Only LF, CRLF, or CR ends a line, because JSON may contain other Unicode separators. Empty lines are included. The
  /// last line doesn't require a terminator. Bytes that aren't UTF-8 become replacement characters.
  ///
  /// - Parameter maximumLength: The maximum number of bytes in a line. Reading a longer line throws
  ///   ``NetworkError/Code/tooLarge``.
  /// - Returns: The lines, which can be read only once.
  public func lines(maximumLength: Int = 1 << 20) -> ResponseLines {
    ResponseLines(body: self, maximumLength: maximumLength)
  }
}

/// The lines of a body: see ``ResponseBody/lines(maximumLength:)``.
public struct ResponseLines: AsyncSequence, Sendable {
  /// A line without its terminator.
  public typealias Element = String
  /// The errors of reading.
  public typealias Failure = NetworkError

  let body: ResponseBody
  let maximumLength: Int

  /// Starts reading.
  public func makeAsyncIterator() -> Iterator {
    Iterator(chunks: body.makeAsyncIterator(), splitter: LineSplitter(maximumLength: maximumLength))
  }

  /// Reads lines.
  public struct Iterator: AsyncIteratorProtocol {
    var chunks: ResponseBody.Iterator
    var splitter: LineSplitter
    private var lines: ArraySlice<String> = []
    private var hasEnded = false

    init(chunks: ResponseBody.Iterator, splitter: LineSplitter) {
      self.chunks = chunks
      self.splitter = splitter
    }

    /// Returns the next line, or nil after the last.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(NetworkError) -> String? {
      while true {
        if let line = lines.popFirst() { return line }
        guard !hasEnded else { return nil }
        if let chunk = try await chunks.next(isolation: actor) {
          lines = try splitter.split(chunk)[...]
        } else {
          hasEnded = true
          return splitter.finish()
        }
      }
    }
  }
}

/// Splits chunks into lines, regardless of the chunk boundaries.
struct LineSplitter: Sendable {
  let maximumLength: Int
  private var unfinished: [UInt8] = []
  /// Whether the last chunk ended with a CR. Its LF may be at the beginning of the next chunk.
  private var endsWithReturn = false

  init(maximumLength: Int) {
    self.maximumLength = maximumLength
  }

  mutating func split(_ chunk: Data) throws(NetworkError) -> [String] {
    var rest = chunk[...]
    if endsWithReturn, let first = rest.first {
      endsWithReturn = false
      if first == Self.lineFeed { rest.removeFirst() }
    }
    var lines: [String] = []
    while let end = rest.firstIndex(where: { $0 == Self.lineFeed || $0 == Self.carriageReturn }) {
      try append(rest[..<end])
      lines.append(take())
      let isReturn = rest[end] == Self.carriageReturn
      rest = rest[(end + 1)...]
      if isReturn {
        if rest.first == Self.lineFeed { rest.removeFirst() }
        endsWithReturn = rest.isEmpty && chunk.last == Self.carriageReturn
      }
    }
    try append(rest)
    return lines
  }

  /// Returns the last line if it has no terminator.
  mutating func finish() -> String? {
    unfinished.isEmpty ? nil : take()
  }

  private mutating func append(_ bytes: Data) throws(NetworkError) {
    guard unfinished.count + bytes.count <= maximumLength else {
      throw NetworkError(.tooLarge, "a line is longer than \(maximumLength) bytes")
    }
    unfinished += bytes
  }

  private mutating func take() -> String {
    defer { unfinished.removeAll(keepingCapacity: true) }
    return String(decoding: unfinished, as: UTF8.self)
  }

  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")
}
