internal import PlatformModules

/// A failure of an answer on its way, for any answer and any route.
///
/// ```swift
/// let github = LoopbackGitHub()
/// let handler = LoopbackFault.reset(.insideBody)
///   .breaking(github.handler, times: 1) { $0.path.hasSuffix("/issues") }
/// try await withLoopbackServer(answering: handler) { server in … }
/// ```
///
/// Answers that are already scripts stay unchanged.
public struct LoopbackFault: Sendable {
  private let change: @Sendable (inout LoopbackResponse) -> Void

  /// Creates a fault from its effect on a response.
  public init(_ change: @escaping @Sendable (inout LoopbackResponse) -> Void) {
    self.change = change
  }

  /// The answer with the fault.
  public func applied(to response: LoopbackResponse) -> LoopbackResponse {
    response.with { if $0.steps == nil { change(&$0) } }
  }

  /// A handler whose answers have the fault.
  ///
  /// - Parameters:
  ///   - handler: Makes the answers.
  ///   - times: How many answers have the fault before the rest are whole.
  ///   - predicate: The requests that it applies to; all by default.
  /// - Returns: The handler.
  public func breaking(
    _ handler: @escaping LoopbackServer.Handler, times: Int = .max,
    where predicate: @escaping @Sendable (LoopbackRequest) -> Bool = { _ in true }
  ) -> LoopbackServer.Handler {
    let remaining = Watched(times)
    return { request in
      let response = await handler(request)
      guard predicate(request) else { return response }
      let strikes = remaining.update { remaining in
        defer { remaining = max(remaining - 1, 0) }
        return remaining > 0
      }
      return strikes ? applied(to: response) : response
    }
  }

  /// This fault, then another.
  public func then(_ other: LoopbackFault) -> LoopbackFault {
    LoopbackFault { $0 = other.applied(to: applied(to: $0)) }
  }
}

// MARK: The connection

extension LoopbackFault {
  /// The connection is reset.
  public static func reset(_ place: LoopbackResponse.Place) -> LoopbackFault {
    LoopbackFault { $0.interruption = .init(place, .reset) }
  }

  /// The connection is closed in order.
  public static func closed(_ place: LoopbackResponse.Place) -> LoopbackFault {
    LoopbackFault { $0.interruption = .init(place, .close) }
  }

  /// Nothing more comes, until the client leaves or the server stops.
  public static func stalled(_ place: LoopbackResponse.Place) -> LoopbackFault {
    LoopbackFault { $0.interruption = .init(place, .stall) }
  }

  /// Nothing more comes until a gate opens.
  public static func held(_ place: LoopbackResponse.Place, by gate: Gate) -> LoopbackFault {
    LoopbackFault { $0.interruption = .init(place, .pause(.gate(gate))) }
  }

  /// The body comes a few bytes at a time, on the server's clock.
  public static func dripping(_ bytes: Int = 1, every pause: Duration) -> LoopbackFault {
    LoopbackFault { $0 = $0.dripping(bytes, every: pause) }
  }
}

// MARK: Lengths

extension LoopbackFault {
  /// More bytes are announced than come.
  public static let truncated = LoopbackFault { $0.framing = .declaredLength($0.body.count + 1000) }

  /// The last chunk is missing.
  public static let withoutLastChunk = LoopbackFault {
    $0.framing = .chunked
    $0.interruption = .init(.insideBody, .close)
  }

  /// Half as many bytes are announced as come.
  public static let lengthTooShort = LoopbackFault {
    $0.framing = .declaredLength($0.body.count / 2)
  }

  /// `Content-Length` has these values, in a field each.
  public static func contentLength(_ values: String...) -> LoopbackFault {
    LoopbackFault { response in
      for value in values { response.headers.add("Content-Length", value) }
      response.closesConnection = true
    }
  }

  /// Two lengths that differ: the right one, then half of it.
  public static let twoLengths = LoopbackFault {
    $0.headers.add("Content-Length", "\($0.body.count)")
    $0.headers.add("Content-Length", "\($0.body.count / 2)")
    $0.closesConnection = true
  }

  /// A chunk's size isn't a number.
  public static let badChunkSize = LoopbackFault {
    $0.headers.add("Transfer-Encoding", "chunked")
    $0.body = Data("zz\r\n".utf8) + $0.body + Data("\r\n0\r\n\r\n".utf8)
    $0.closesConnection = true
  }
}

// MARK: Heads

extension LoopbackFault {
  /// Ten thousand extra header fields.
  public static let hugeHead = LoopbackFault { response in
    for number in 0..<10_000 {
      response.headers.add("X-Filler-\(number)", String(repeating: "x", count: 60))
    }
  }

  /// One header field of 600 KB.
  public static let hugeField = LoopbackFault {
    $0.headers.add("X-Filler", String(repeating: "x", count: 600_000))
  }

  /// A megabyte of interim answers in place of the answer.
  public static let interimAnswersOnly = LoopbackFault {
    let interim = Data("HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\n\r\n".utf8)
    $0.steps = [.send(Data(repeatElement(interim, count: 20_000).joined())), .stall]
  }

  /// Bytes that aren't HTTP in place of the answer.
  public static let notHTTP = LoopbackFault {
    $0.steps = [.send(Data("SSH-2.0-OpenSSH_9.6\r\n".utf8)), .close]
  }

  /// The body alone, as before HTTP/1.0.
  public static let withoutHead = LoopbackFault {
    $0.steps = [.send($0.body), .close]
  }
}

// MARK: Contents

extension LoopbackFault {
  /// The body is compressed, and half of it is sent as if it were all.
  public static let gzipCutInHalf = LoopbackFault {
    $0.headers["Content-Encoding"] = "gzip"
    let packed = Gzip.stored($0.body)
    $0.body = Data(packed.prefix(packed.count / 2))
  }

  /// The body is compressed, and a byte in its middle is changed.
  public static let gzipCorrupt = LoopbackFault {
    $0.headers["Content-Encoding"] = "gzip"
    var packed = Gzip.stored($0.body)
    // In the text, so that only the checksum at the end shows it.
    packed[packed.startIndex + packed.count / 2] ^= 1
    $0.body = packed
  }

  /// The body claims to be compressed, but isn't.
  public static let gzipThatIsNone = LoopbackFault { $0.headers["Content-Encoding"] = "gzip" }

  /// A small body that decompresses to `size` bytes.
  public static func gzipBomb(_ size: Int) -> LoopbackFault {
    LoopbackFault {
      $0.headers["Content-Encoding"] = "gzip"
      $0.body = Gzip.bomb(size)
    }
  }

  /// The body is compressed in an unknown way.
  public static let unknownEncoding = LoopbackFault {
    $0.headers["Content-Encoding"] = "x-unknown"
  }

  /// The body is this text.
  public static func body(_ text: String, contentType: String? = nil) -> LoopbackFault {
    LoopbackFault {
      $0.body = Data(text.utf8)
      if let contentType { $0.headers["Content-Type"] = contentType }
    }
  }

  /// Every string in the JSON begins with bytes that aren't UTF-8.
  public static let invalidUTF8 = LoopbackFault { response in
    var body = Data()
    let bytes = [UInt8](response.body)
    var isInside = false
    var index = 0
    while index < bytes.count {
      body.append(bytes[index])
      if bytes[index] == UInt8(ascii: "\\") {
        index += 1
        body.append(bytes[index])
      } else if bytes[index] == UInt8(ascii: "\"") {
        isInside.toggle()
        // Only of values: keys would be other keys.
        if isInside, index > 0, bytes[index - 1] == UInt8(ascii: ":"),
          Data(bytes[..<index]).suffix(8).elementsEqual(Data(#""title":"#.utf8))
        {
          body.append(contentsOf: [0xFF, 0xC3, 0x28, 0xED, 0xA0, 0x80])
        }
      }
      index += 1
    }
    response.body = body
  }
}
