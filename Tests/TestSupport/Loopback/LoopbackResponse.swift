public import PlatformModules

/// An answer of the loopback server, and how it goes onto the wire.
///
/// Status, fields and body describe an ordinary answer; the other properties change its delivery. For everything else,
/// there is a script of bytes and pauses: ``script(_:)``.
public struct LoopbackResponse: Sendable {
  /// A wait in the middle of an answer.
  public enum Pause: Sendable {
    /// Waits for a time on the server's clock.
    case duration(Duration)
    /// Waits until a gate opens.
    case gate(Gate)
  }

  /// How the body's end is marked (RFC 9112, section 6).
  public enum Framing: Sendable {
    /// `Content-Length` with the body's length.
    case contentLength
    /// `Content-Length` with another number. The connection closes after the body.
    case declaredLength(Int)
    /// `Transfer-Encoding: chunked`, a chunk for each slice.
    case chunked
    /// Neither: the body ends with the connection.
    case untilClose
  }

  /// One action of the server on the connection.
  public enum Step: Sendable {
    /// Waits.
    case pause(Pause)
    /// Sends exactly these bytes.
    case send(Data)
    /// Holds the silent connection until the client leaves or the server stops.
    case stall
    /// Closes the connection in order (FIN).
    case close
    /// Resets the connection (RST, by `SO_LINGER` with zero seconds).
    case reset
  }

  /// A place in an answer.
  public enum Place: Sendable, Equatable {
    /// Before the first byte.
    case beforeHead
    /// In the middle of the head.
    case insideHead
    /// Between head and body.
    case afterHead
    /// In the middle of the body on the wire.
    case insideBody
  }

  /// An event in the middle of an answer.
  ///
  /// The rest follows after a pause. A step that ends the connection, or holds it for good, is the last one.
  public struct Interruption: Sendable {
    /// The place.
    public var place: Place
    /// The event.
    public var step: Step

    /// Creates an interruption.
    public init(_ place: Place, _ step: Step) {
      self.place = place
      self.step = step
    }
  }

  /// The status code.
  public var status: Int
  /// The header fields. `Content-Length` or `Transfer-Encoding` is added unless one is here.
  public var headers: LoopbackHeaders
  /// The bytes of the body on the wire, already compressed if `Content-Encoding` says so.
  public var body: Data
  /// A wait before the first byte of the answer.
  public var beforeHead: Pause?
  /// A wait between head and body.
  public var beforeBody: Pause?
  /// How the body's end is marked.
  public var framing = Framing.contentLength
  /// The size of a slice of the body in bytes; nil sends one piece.
  public var sliceSize: Int?
  /// A wait between two slices.
  public var betweenSlices: Pause?
  /// Whether the server announces that it closes the connection, and closes it after the answer.
  public var closesConnection = false
  /// The place and the kind of an interruption of the response.
  public var interruption: Interruption?
  /// If there is a script, the server carries it out and ignores everything else.
  public var steps: [Step]?

  /// Creates an answer.
  public init(status: Int = 200, headers: LoopbackHeaders = [:], body: Data = Data()) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// An answer with a text body.
  public static func text(
    _ text: String, status: Int = 200, headers: LoopbackHeaders = [:],
    contentType: String = "text/plain; charset=utf-8"
  ) -> LoopbackResponse {
    var response = LoopbackResponse(status: status, headers: headers, body: Data(text.utf8))
    if response.headers["Content-Type"] == nil {
      response.headers.add("Content-Type", contentType)
    }
    return response
  }

  /// An answer of GitHub with a body of JSON text.
  public static func json(
    _ text: String, status: Int = 200, headers: LoopbackHeaders = [:]
  ) -> LoopbackResponse {
    var response = Self.text(
      text, status: status, headers: headers, contentType: "application/json; charset=utf-8")
    if response.headers["X-GitHub-Request-Id"] == nil {
      response.headers.add("X-GitHub-Request-Id", "F00D:1")
    }
    return response
  }

  /// An answer made of steps.
  public static func script(_ steps: [Step]) -> LoopbackResponse {
    var response = LoopbackResponse()
    response.steps = steps
    return response
  }

  /// Sends exactly these bytes, then closes.
  public static func raw(_ bytes: Data) -> LoopbackResponse { .script([.send(bytes), .close]) }

  /// Sends exactly this text, then closes.
  public static func raw(_ text: String) -> LoopbackResponse { .raw(Data(text.utf8)) }

  /// Closes the connection without a byte of an answer.
  public static var closeWithoutAnswering: LoopbackResponse { .script([.close]) }

  /// Resets the connection without a byte of an answer.
  public static var reset: LoopbackResponse { .script([.reset]) }

  /// Never answers: holds the connection until the client leaves or the server stops.
  public static var stall: LoopbackResponse { .script([.stall]) }

  /// The same answer, with its head delayed.
  public func after(_ latency: Duration) -> LoopbackResponse {
    with { $0.beforeHead = .duration(latency) }
  }

  /// The same answer, with its head held until a gate opens.
  public func held(by gate: Gate) -> LoopbackResponse {
    with { $0.beforeHead = .gate(gate) }
  }

  /// The same answer, with its body held until a gate opens.
  public func bodyHeld(by gate: Gate) -> LoopbackResponse {
    with { $0.beforeBody = .gate(gate) }
  }

  /// The same answer, with its body in slices and a wait between them.
  public func dripping(_ bytes: Int, every pause: Duration) -> LoopbackResponse {
    with {
      $0.sliceSize = bytes
      $0.betweenSlices = .duration(pause)
    }
  }

  /// The same answer, changed.
  public func with(_ change: (inout LoopbackResponse) -> Void) -> LoopbackResponse {
    var copy = self
    change(&copy)
    return copy
  }
}
