internal import PlatformModules

/// Finds HTTP/1.1 requests in a stream of bytes (RFC 9112), without doing any I/O.
struct RequestParser {
  /// The result of parsing the bytes so far.
  enum Event {
    /// More bytes are needed.
    case incomplete
    /// More bytes are needed, and the client waits for `100 Continue`.
    case awaitsContinue
    /// A request is complete.
    case request(LoopbackRequest)
  }

  /// Bytes that aren't a request.
  struct Malformed: Error {
    var reason: String
  }

  /// The parser's position in the request.
  private enum State {
    /// Before the end of the header fields.
    case head
    /// In a body of known length.
    case body(Head, length: Int)
    /// Before a chunk's size line.
    case chunkSize(Head, Data)
    /// In a chunk.
    case chunk(Head, Data, length: Int)
    /// In the lines after the last chunk.
    case trailers(Head, Data)
  }

  private struct Head {
    var method: String
    var target: String
    var version: String
    var headers = LoopbackHeaders()
  }

  /// The longest head in bytes. GitHub's limit is lower.
  private static let longestHead = 128 * 1024
  /// The longest body in bytes.
  private static let longestBody = 64 * 1024 * 1024

  private var state = State.head
  private var buffer: [UInt8] = []
  private var position = 0
  /// How far the end of the head was searched for, so that a slow head isn't searched twice.
  private var scanned = 0

  /// Takes bytes from the connection.
  mutating func append(_ bytes: [UInt8]) {
    if position > 0 {
      buffer.removeFirst(position)
      scanned -= position
      position = 0
    }
    if buffer.isEmpty {
      buffer = bytes
    } else {
      buffer.append(contentsOf: bytes)
    }
  }

  /// Parses as far as the bytes allow.
  mutating func next() throws(Malformed) -> Event {
    while true {
      switch state {
      case .head:
        guard let end = endOfHead() else {
          if buffer.count - position > Self.longestHead {
            throw Malformed(reason: "head too long")
          }
          return .incomplete
        }
        let head = try Self.parseHead(buffer[position..<end])
        position = end + 4
        scanned = position
        state = try Self.stateAfter(head)
        if head.headers["Expect"]?.lowercased() == "100-continue", position == buffer.count {
          return .awaitsContinue
        }
      case .body(let head, let length):
        guard let bytes = take(length) else { return .incomplete }
        return finish(head, bytes)
      case .chunkSize(let head, let body):
        guard let line = takeLine() else { return .incomplete }
        let digits = line.prefix { $0 != ";" && $0 != " " }
        guard let length = Int(digits, radix: 16), (0...Self.longestBody).contains(length),
          body.count + length <= Self.longestBody
        else {
          throw Malformed(reason: "bad chunk size")
        }
        state = length == 0 ? .trailers(head, body) : .chunk(head, body, length: length)
      case .chunk(let head, var body, let length):
        guard let bytes = take(length + 2) else { return .incomplete }
        body.append(bytes.prefix(length))
        state = .chunkSize(head, body)
      case .trailers(let head, let body):
        guard let line = takeLine() else { return .incomplete }
        if line.isEmpty { return finish(head, body) }
      }
    }
  }

  private mutating func finish(_ head: Head, _ body: Data) -> Event {
    state = .head
    scanned = position
    return .request(
      LoopbackRequest(
        method: head.method, target: head.target, version: head.version, headers: head.headers,
        body: body
      )
    )
  }

  private mutating func endOfHead() -> Int? {
    var index = max(position, scanned - 3)
    while index + 3 < buffer.count {
      if buffer[index] == 0x0D, buffer[index + 1] == 0x0A, buffer[index + 2] == 0x0D,
        buffer[index + 3] == 0x0A
      {
        return index
      }
      index += 1
    }
    scanned = buffer.count
    return nil
  }

  private mutating func take(_ count: Int) -> Data? {
    guard buffer.count - position >= count else { return nil }
    defer { position += count }
    return Data(buffer[position..<position + count])
  }

  private mutating func takeLine() -> String? {
    guard
      let end = buffer[position...].firstIndex(of: 0x0A), end > position, buffer[end - 1] == 0x0D
    else { return nil }
    defer { position = end + 1 }
    return String(decoding: buffer[position..<end - 1], as: UTF8.self)
  }

  private static func parseHead(_ bytes: ArraySlice<UInt8>) throws(Malformed) -> Head {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n")
    guard let requestLine = lines.first else { throw Malformed(reason: "no request line") }
    let words = requestLine.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, !words[0].isEmpty, !words[1].isEmpty, words[2].hasPrefix("HTTP/1.")
    else { throw Malformed(reason: "bad request line") }
    var head = Head(
      method: String(words[0]), target: String(words[1]), version: String(words[2]))
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else {
        throw Malformed(reason: "bad header field")
      }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      let trailing = value.reversed().prefix { $0 == " " || $0 == "\t" }.count
      head.headers.add(String(line[..<colon]), String(value.dropLast(trailing)))
    }
    return head
  }

  private static func stateAfter(_ head: Head) throws(Malformed) -> State {
    if let coding = head.headers["Transfer-Encoding"] {
      guard coding.lowercased() == "chunked" else {
        throw Malformed(reason: "unknown transfer encoding")
      }
      return .chunkSize(head, Data())
    }
    guard let text = head.headers["Content-Length"] else { return .body(head, length: 0) }
    guard let length = Int(text), (0...longestBody).contains(length) else {
      throw Malformed(reason: "bad content length")
    }
    return .body(head, length: length)
  }
}
