internal import FlyingSocks
internal import HTTPTypes
internal import PlatformModules

/// A connection of a client over HTTP/1.1 (RFC 9112), for one request and its response.
///
/// It ends with the response, so that nothing behind a request is read as another one.
struct RequestConnection {
  /// A response, also to a request that can't be read.
  struct Response: Error {
    var status: HTTPResponse.Status
    var text: String
    var fields: HTTPFields = [
      .contentType: "text/plain; charset=utf-8", .cacheControl: "no-store", .connection: "close",
    ]
  }

  /// The maximum size of a request line and its fields in bytes.
  private static let longestHead = 16 << 10

  private let socket: AsyncSocket
  /// What was received of the head, and then of the body.
  private var received = Data()
  private var bodyLength = 0
  private var awaitsContinue = false

  init(_ socket: AsyncSocket) {
    self.socket = socket
  }

  /// Reads the request up to its body. Throws a ``Response``, or an error if the client is gone.
  mutating func request() async throws -> HTTPRequest {
    let end = Data("\r\n\r\n".utf8)
    var range = received.firstRange(of: end)
    while range == nil, received.count <= Self.longestHead {
      received += try await socket.read(atMost: 4096)
      range = received.firstRange(of: end)
    }
    guard range.map({ $0.lowerBound <= Self.longestHead }) ?? false else {
      throw Response(status: .requestHeaderFieldsTooLarge, text: "The fields are too long.\n")
    }
    guard let range,
      let request = Self.request(String(decoding: received[..<range.lowerBound], as: UTF8.self))
    else { throw Response(status: .badRequest, text: "This isn't an HTTP/1.1 request.\n") }
    received.removeSubrange(..<range.upperBound)
    // Of two lengths, a proxy could have used the other one.
    guard request.headerFields[.transferEncoding] == nil,
      let length = Self.length(request.headerFields[values: .contentLength])
    else { throw Response(status: .lengthRequired, text: "Send the body with a Content-Length.\n") }
    bodyLength = length
    awaitsContinue = request.headerFields[.expect]?.lowercased() == "100-continue"
    return request
  }

  /// Reads the body; nil if it is larger than a number of bytes.
  mutating func body(atMost limit: Int) async throws -> Data? {
    guard bodyLength <= limit else { return nil }
    if awaitsContinue, received.isEmpty {
      try await socket.write(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
    }
    while received.count < bodyLength {
      received += try await socket.read(atMost: bodyLength - received.count)
    }
    return received.prefix(bodyLength)
  }

  /// Sends the response, and ends the connection. A response to `HEAD` has no body.
  func end(_ response: Response, to method: HTTPRequest.Method? = nil) async throws {
    var head = "HTTP/1.1 \(response.status.code) \(response.status.reasonPhrase)\r\n"
    for field in response.fields { head += "\(field.name): \(field.value)\r\n" }
    head += "Content-Length: \(response.text.utf8.count)\r\n\r\n"
    try await socket.write(Data((head + (method == .head ? "" : response.text)).utf8))
    // A client that still sends would lose the response if the connection were closed now (RFC 9112, section 9.6).
    shutdown(socket.socket.file.rawValue, Int32(SHUT_WR))
    while try await !socket.read(atMost: 4096).isEmpty {}
  }

  private static func request(_ head: String) -> HTTPRequest? {
    var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)[...]
    let words = lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, let method = HTTPRequest.Method(String(words[0])),
      words[1].hasPrefix("/"), words[2].hasPrefix("HTTP/1.")
    else { return nil }
    var (fields, host) = (HTTPFields(), String?.none)
    for line in lines {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      // A name with spaces around it is one to some servers, and none to others.
      guard parts.count == 2, !parts[0].contains(where: \.isWhitespace),
        let name = HTTPField.Name(String(parts[0]))
      else { return nil }
      let field = HTTPField(name: name, value: String(parts[1]))
      if name.canonicalName == "host" { host = field.value } else { fields.append(field) }
    }
    return HTTPRequest(
      method: method, scheme: nil, authority: host, path: String(words[1]), headerFields: fields)
  }

  private static func length(_ values: [String]) -> Int? {
    guard let value = values.first else { return 0 }
    let isNumber = value.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return values.count == 1 && isNumber ? Int(value) : nil
  }
}
