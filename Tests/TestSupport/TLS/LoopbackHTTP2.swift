internal import PlatformModules

/// As much of an HTTP/2 server ([RFC 9113](https://www.rfc-editor.org/rfc/rfc9113)) as failures need. It answers
/// requests with its answers in order, whatever they ask for, and repeats the last one.
///
/// It doesn't speak TLS. Put a ``LoopbackRelay`` in front that agrees on HTTP/2.
public final class LoopbackHTTP2: Sendable {
  /// An answer to a request.
  public enum Answer: Sendable {
    /// Status 200 with a body of JSON.
    case json(String)
    /// `RST_STREAM` with an error code before any answer.
    case resetStream(UInt32)
    /// Half of an answer, then `RST_STREAM`.
    case resetHalfway(String, UInt32)
    /// `GOAWAY` with an error code, before any request is taken. Then the connection ends.
    case goAway(UInt32)
  }

  private let listener: ThreadedListener
  private let answers: [Answer]
  private let requests = Watched(0)

  private init(_ answers: [Answer]) throws {
    self.answers = answers
    listener = try ThreadedListener()
  }

  /// Starts a server.
  ///
  /// - Throws: An error if there is no free port.
  public static func start(_ answers: [Answer]) throws -> LoopbackHTTP2 {
    let server = try LoopbackHTTP2(answers)
    server.listener.start { [server] in server.serve(PlainEnd(descriptor: $0)) }
    return server
  }

  /// The port that it listens on.
  public var port: UInt16 { listener.port }

  /// How many requests have arrived.
  public var requestCount: Int { requests.current }

  /// Stops listening, closes every connection, and waits until both are done.
  public func stop() async { await listener.stop() }

  private enum FrameType: UInt8 {
    case data = 0
    case headers = 1
    case resetStream = 3
    case settings = 4
    case ping = 6
    case goAway = 7
  }

  private func serve(_ client: PlainEnd) {
    var input = Data()
    // Every client's beginning (section 3.4).
    guard fill(&input, 24, from: client), input.starts(with: Data("PRI * HTTP/2.0".utf8)) else {
      return
    }
    input.removeFirst(24)
    guard send(.settings, flags: 0, stream: 0, Data(), to: client) else { return }
    while fill(&input, 9, from: client) {
      let head = [UInt8](input.prefix(9))
      let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
      guard fill(&input, 9 + length, from: client) else { return }
      let payload = Data(input.dropFirst(9).prefix(length))
      input.removeFirst(9 + length)
      let stream = head[5...8].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
      let isAcknowledgement = head[4] & 1 == 1
      switch FrameType(rawValue: head[3]) {
      case .settings where !isAcknowledgement:
        guard send(.settings, flags: 1, stream: 0, Data(), to: client) else { return }
      case .ping where !isAcknowledgement:
        guard send(.ping, flags: 1, stream: 0, payload, to: client) else { return }
      case .headers:
        let number = requests.update { number in
          defer { number += 1 }
          return number
        }
        guard let answer = answers.isEmpty ? nil : answers[min(number, answers.count - 1)],
          give(answer, on: stream, to: client)
        else { return }
      default: break
      }
    }
  }

  /// Answers a request. Returns false if the connection is to be closed.
  private func give(_ answer: Answer, on stream: UInt32, to client: PlainEnd) -> Bool {
    switch answer {
    case .json(let text):
      return send(.headers, flags: 4, stream: stream, Self.head, to: client)
        && send(.data, flags: 1, stream: stream, Data(text.utf8), to: client)
    case .resetStream(let code):
      return send(.resetStream, flags: 0, stream: stream, Self.number(code), to: client)
    case .resetHalfway(let text, let code):
      let half = Data(text.utf8.prefix(text.utf8.count / 2))
      return send(.headers, flags: 4, stream: stream, Self.head, to: client)
        && send(.data, flags: 0, stream: stream, half, to: client)
        && send(.resetStream, flags: 0, stream: stream, Self.number(code), to: client)
    case .goAway(let code):
      _ = send(
        .goAway, flags: 0, stream: 0, Self.number(0) + Self.number(code), to: client)
      return false
    }
  }

  /// `:status: 200` and `content-type: application/json` in the static table of
  /// [RFC 7541](https://www.rfc-editor.org/rfc/rfc7541#appendix-A): entry 8, and a value for entry 31.
  private static let head: Data = {
    let type = Data("application/json".utf8)
    return Data([0x88, 0x0F, 0x10, UInt8(type.count)]) + type
  }()

  private static func number(_ value: UInt32) -> Data {
    withUnsafeBytes(of: value.bigEndian) { Data($0) }
  }

  private func send(
    _ type: FrameType, flags: UInt8, stream: UInt32, _ payload: Data, to client: PlainEnd
  ) -> Bool {
    var rest = Self.number(UInt32(payload.count)).dropFirst() + Data([type.rawValue, flags])
    rest += Self.number(stream) + payload
    while !rest.isEmpty {
      switch client.write(rest) {
      case .written(let count): rest = Data(rest.dropFirst(count))
      case .wants(let events):
        guard LoopbackSocket.wait(for: [(client.descriptor, events)], or: listener.wakeUp) else {
          return false
        }
      case .failed: return false
      }
    }
    return true
  }

  /// Reads until there are `count` bytes. Returns false if there won't be.
  private func fill(_ input: inout Data, _ count: Int, from client: PlainEnd) -> Bool {
    while input.count < count {
      switch client.read() {
      case .bytes(let bytes): input = Data(input) + bytes
      case .wants(let events):
        guard LoopbackSocket.wait(for: [(client.descriptor, events)], or: listener.wakeUp) else {
          return false
        }
      case .ended, .failed: return false
      }
    }
    return true
  }
}
