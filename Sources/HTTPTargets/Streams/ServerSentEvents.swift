extension ResponseBody {
  /// Returns the server-sent events of the body (`text/event-stream`; HTML standard, [section
  /// 9.2](https://html.spec.whatwg.org/multipage/server-sent-events.html)).
  ///
  /// ```swift
  /// let response = try await provider.stream(.completions(prompt))
  /// for try await event in response.body.serverSentEvents() {
  ///   if event.data == "[DONE]" { break }
  ///   show(try decoder.decode(Token.self, from: Data(event.data.utf8)))
  /// }
  /// ```
  ///
  /// Comments and unknown fields are skipped. An incomplete event at the end of the body is dropped. If a server sends
  /// neither events nor comments for ``Timeouts/idle``, the request times out.
  ///
  /// These are the events of a single connection. ``Provider/serverSentEvents(_:adding:maximumSize:)`` reconnects.
  ///
  /// - Parameter maximumSize: The maximum number of data bytes in an event. Reading a larger event throws
  ///   ``NetworkError/Code/tooLarge``.
  /// - Returns: The events, which can be read only once.
  public func serverSentEvents(maximumSize: Int = 1 << 20) -> ServerSentEvents {
    ServerSentEvents(lines: lines(maximumLength: maximumSize), maximumSize: maximumSize)
  }
}

/// An event of a stream of server-sent events.
public struct ServerSentEvent: Sendable, Hashable {
  /// The type: `message` unless the server specifies another one.
  public var type: String
  /// The data. Its lines are joined by LF.
  public var data: String
  /// The latest identifier, from this event or a previous one; empty if there was none.
  public var id: String
  /// The time to wait before reconnecting: the latest value from the server.
  public var reconnectionTime: Duration?

  /// Creates an event.
  public init(
    type: String = "message", data: String, id: String = "", reconnectionTime: Duration? = nil
  ) {
    self.type = type
    self.data = data
    self.id = id
    self.reconnectionTime = reconnectionTime
  }
}

/// The events of a body: see ``ResponseBody/serverSentEvents(maximumSize:)``.
public struct ServerSentEvents: AsyncSequence, Sendable {
  /// An event.
  public typealias Element = ServerSentEvent
  /// The errors of reading.
  public typealias Failure = NetworkError

  let lines: ResponseLines
  let maximumSize: Int

  /// Starts reading.
  public func makeAsyncIterator() -> Iterator {
    Iterator(
      lines: lines.makeAsyncIterator(), parser: ServerSentEventParser(maximumSize: maximumSize))
  }

  /// Reads events.
  public struct Iterator: AsyncIteratorProtocol {
    var lines: ResponseLines.Iterator
    var parser: ServerSentEventParser

    /// Returns the next event, or nil after the last.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(NetworkError) -> ServerSentEvent? {
      while let line = try await lines.next(isolation: actor) {
        if let event = try parser.read(line) { return event }
      }
      return nil
    }
  }
}

/// Parses lines into events (HTML standard, section 9.2.6).
struct ServerSentEventParser: Sendable {
  let maximumSize: Int
  private var type = ""
  private var data: String?
  /// The identifier that is valid from the end of the current event.
  private var nextEventID: String
  private(set) var lastEventID: String
  private(set) var reconnectionTime: Duration?
  private var isFirstLine = true

  init(maximumSize: Int, lastEventID: String = "", reconnectionTime: Duration? = nil) {
    self.maximumSize = maximumSize
    nextEventID = lastEventID
    self.lastEventID = lastEventID
    self.reconnectionTime = reconnectionTime
  }

  /// Reads a line, and returns the event that ends with it.
  mutating func read(_ line: String) throws(NetworkError) -> ServerSentEvent? {
    // Compares scalars and bytes, because a combining mark would turn a colon or a byte order mark into a different
    // character.
    var line = line.unicodeScalars[...]
    if isFirstLine, line.first == "\u{FEFF}" { line.removeFirst() }
    isFirstLine = false
    guard !line.isEmpty else { return finish() }
    let colon = line.firstIndex(of: ":") ?? line.endIndex
    var value = line[colon...].dropFirst()
    if value.first == " " { value.removeFirst() }
    switch String(line[..<colon]) {
    case "event": type = String(value)
    case "data":
      // Appended in place, because otherwise each line of a long event would copy the event.
      if data == nil { data = "" } else { data?.append("\n") }
      data?.unicodeScalars.append(contentsOf: value)
      guard data?.utf8.count ?? 0 <= maximumSize else {
        throw NetworkError(.tooLarge, "an event is longer than \(maximumSize) bytes")
      }
    case "id" where !value.contains("\0"): nextEventID = String(value)
    case "retry" where !value.isEmpty && value.allSatisfy { ("0"..."9").contains($0) }:
      reconnectionTime = Int(String(value)).map { .milliseconds($0) } ?? reconnectionTime
    default: break
    }
    return nil
  }

  private mutating func finish() -> ServerSentEvent? {
    lastEventID = nextEventID
    defer {
      data = nil
      type = ""
    }
    return data.map {
      ServerSentEvent(
        type: type.isEmpty ? "message" : type, data: $0, id: lastEventID,
        reconnectionTime: reconnectionTime)
    }
  }
}
