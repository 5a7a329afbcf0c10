internal import FlyingSocks
public import PlatformModules

/// A client's bare TCP connection to a loopback server, for tests that count bytes.
public struct RawConnection: Sendable {
  private let socket: AsyncSocket
  private let pool: SocketPool<LoopbackEventQueue>

  /// Connects to a port of 127.0.0.1.
  ///
  /// - Throws: An error if the connection is refused.
  public init(port: UInt16) async throws {
    pool = try await LoopbackPool.shared.pool()
    let plain = try Socket(domain: AF_INET)
    do {
      socket = try AsyncSocket(socket: plain, pool: pool)
      try await socket.connect(to: .inet(ip4: "127.0.0.1", port: port))
    } catch {
      await pool.settle()
      try? plain.close()
      throw error
    }
  }

  /// Sends text as UTF-8.
  ///
  /// - Throws: An error if the connection is gone.
  public func send(_ text: String) async throws {
    try await socket.write(Data(text.utf8))
  }

  /// Reads until the server closes.
  ///
  /// - Throws: An error if the server resets the connection.
  public func receiveAll() async throws -> Data {
    var data = Data()
    while let more = try await receive() { data.append(contentsOf: more) }
    return data
  }

  /// Reads until the text satisfies a condition.
  ///
  /// - Returns: The whole text, which ends early if the server closes.
  /// - Throws: An error if the server resets the connection.
  public func receive(until isEnough: (String) -> Bool) async throws -> String {
    var data = Data()
    while !isEnough(String(decoding: data, as: UTF8.self)), let more = try await receive() {
      data.append(contentsOf: more)
    }
    return String(decoding: data, as: UTF8.self)
  }

  /// Closes the connection.
  public func close() async {
    await pool.settle()
    try? socket.close()
  }

  /// Some bytes; nil at the end of the stream.
  private func receive() async throws -> [UInt8]? {
    do {
      return try await socket.read(atMost: 4096)
    } catch SocketError.disconnected {
      // The pool reports FIN and RST alike. The socket itself knows.
      do {
        return try socket.socket.read(atMost: 4096)
      } catch SocketError.disconnected {
        return nil
      }
    }
  }
}
