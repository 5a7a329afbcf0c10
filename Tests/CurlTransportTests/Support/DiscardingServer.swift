import PlatformModules
import TestSupport

/// A server for one request whose body is too large to be kept: it counts the bytes.
final class DiscardingServer: Sendable {
  struct Received: Sendable {
    var head = ""
    var count = 0
    /// The first byte and the last one.
    var ends: [UInt8] = []
  }

  struct Failure: Error {}

  let url: String
  /// How many bytes of the body have come in.
  let count = Watched(0)
  private let received = Watched<Received?>(nil)

  /// Starts the server on a thread of its own.
  ///
  /// - Parameters:
  ///   - limit: How many bytes of the body are read before the answer.
  ///   - status: The status that is answered.
  ///   - unixSocket: The path of the socket to listen on; nil for a port.
  ///   - onHead: Runs when the head is in, before the body is read.
  /// - Throws: ``Failure`` when there is no port to be had.
  init(
    limit: Int = .max, status: Int = 200, unixSocket: String? = nil,
    onHead: @escaping @Sendable () -> Void = {}
  ) throws {
    let listener = try unixSocket.map { try Self.listen(at: $0) } ?? Self.listen()
    url = listener.url
    let descriptor = listener.descriptor
    OwnThread.start { [received, count] in
      let connection = accept(descriptor, nil, nil)
      close(descriptor)
      guard connection >= 0 else { return }
      Self.serve(connection, limit, status, onHead, count, received)
      close(connection)
    }
  }

  private static func makeSocket(_ domain: CInt) throws -> CInt {
    #if canImport(Glibc)
      let descriptor = socket(domain, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(domain, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { throw Failure() }
    return descriptor
  }

  private static func listen() throws -> (descriptor: CInt, url: String) {
    let listener = try makeSocket(AF_INET)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && startListening(listener) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    guard isListening else { throw Failure() }
    return (listener, "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))")
  }

  private static func listen(at path: String) throws -> (descriptor: CInt, url: String) {
    let listener = try makeSocket(AF_UNIX)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let isListening = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
          && startListening(listener) == 0
      }
    }
    guard isListening else { throw Failure() }
    return (listener, path)
  }

  /// The received bytes, once the response is sent or the client has gone.
  func outcome() async throws -> Received {
    try await received.value { $0 }
  }

  private static func serve(
    _ connection: CInt, _ limit: Int, _ status: Int, _ onHead: () -> Void,
    _ total: Watched<Int>, _ outcome: Watched<Received?>
  ) {
    var received = Received()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var head: [UInt8] = []
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      guard recv(connection, &buffer, 1, 0) == 1 else { break }
      head.append(buffer[0])
    }
    received.head = String(decoding: head, as: UTF8.self)
    let field = received.head.split(separator: "\r\n").first {
      $0.lowercased().hasPrefix("content-length:")
    }
    // A body in chunks is counted with their sizes, up to the limit.
    let isChunked = received.head.contains("\r\nTransfer-Encoding: chunked\r\n")
    let announced =
      field.flatMap { Int($0.split(separator: " ").last ?? "") } ?? (isChunked ? .max : 0)
    onHead()
    while received.count < min(announced, limit) {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      received.count += count
      total.update { $0 += count }
      received.ends = [received.ends.first ?? buffer[0], buffer[count - 1]]
    }
    let answer = Array("HTTP/1.1 \(status) X\r\nContent-Length: 2\r\n\r\nok".utf8)
    _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
    outcome.update { $0 = received }
    // To close with bytes unread would reset the connection, and the answer could be lost.
    while recv(connection, &buffer, buffer.count, 0) > 0 {}
  }
}

/// `listen(2)` under another name, because the methods would hide it.
private func startListening(_ descriptor: CInt) -> CInt { listen(descriptor, 1) }
