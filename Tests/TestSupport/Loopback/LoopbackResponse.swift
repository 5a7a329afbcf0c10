#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What the loopback server answers, and how it puts it on the wire.
///
/// An ordinary answer is described by status, fields and body; the other properties bend its
/// delivery. What they can't say, a script of bytes and pauses can: see ``script(_:)``.
public struct LoopbackResponse: Sendable {
  /// A wait in the middle of an answer.
  public enum Pause: Sendable {
    /// Waits a time on the server's clock.
    case duration(Duration)
    /// Waits until a gate is opened.
    case gate(Gate)
  }

  /// How the body's end is made known (RFC 9112, section 6).
  public enum Framing: Sendable {
    /// `Content-Length` with the body's length.
    case contentLength
    /// `Content-Length` with another number; the connection is closed after the body.
    case declaredLength(Int)
    /// `Transfer-Encoding: chunked`, one chunk a slice.
    case chunked
    /// Neither: the body ends with the connection.
    case untilClose
  }

  /// One thing the server does on the connection while it answers.
  public enum Step: Sendable {
    /// Waits.
    case pause(Pause)
    /// Sends exactly these bytes.
    case send(Data)
    /// Holds the connection, silent, until the client leaves or the server stops.
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
    /// In the middle of the body, as it goes out.
    case insideBody
  }

  /// Something that happens in the middle of an answer.
  ///
  /// After a pause the rest follows; a step that ends the connection, or holds it for good, is the
  /// last one.
  public struct Interruption: Sendable {
    /// Where.
    public var place: Place
    /// What.
    public var step: Step

    /// Creates an interruption.
    public init(_ place: Place, _ step: Step) {
      self.place = place
      self.step = step
    }
  }

  /// The status code.
  public var status: Int
  /// The header fields.
  ///
  /// `Content-Length` or `Transfer-Encoding` are added unless they are here.
  public var headers: LoopbackHeaders
  /// The body's bytes as they go out: compressed already where `Content-Encoding` says so.
  public var body: Data
  /// A wait before the first byte of the answer.
  public var beforeHead: Pause?
  /// A wait between head and body.
  public var beforeBody: Pause?
  /// How the body's end is made known.
  public var framing = Framing.contentLength
  /// The size of the slices the body is sent in, in bytes; nil sends it in one piece.
  public var sliceSize: Int?
  /// A wait between two slices.
  public var betweenSlices: Pause?
  /// Whether the server closes the connection after the answer, and says so.
  public var closesConnection = false
  /// Where the answer breaks off, and what happens there.
  public var interruption: Interruption?
  /// When there is one, the server carries it out and ignores everything else here.
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

  /// An answer with a JSON body, given as text.
  public static func json(
    _ text: String, status: Int = 200, headers: LoopbackHeaders = [:]
  ) -> LoopbackResponse {
    .text(text, status: status, headers: headers, contentType: "application/json; charset=utf-8")
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

  /// The same answer, its head sent a time later.
  public func after(_ latency: Duration) -> LoopbackResponse {
    with { $0.beforeHead = .duration(latency) }
  }

  /// The same answer, its head held until a gate opens.
  public func held(by gate: Gate) -> LoopbackResponse {
    with { $0.beforeHead = .gate(gate) }
  }

  /// The same answer, its body held until a gate opens.
  public func bodyHeld(by gate: Gate) -> LoopbackResponse {
    with { $0.beforeBody = .gate(gate) }
  }

  /// The same answer, its body in slices with a wait between them.
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
