internal import FlyingSocks
internal import PlatformModules

/// The address at which a worker listens: a port of this machine only, or an IP address and a port.
struct ListenAddress: Sendable, Hashable {
  let host: String
  let port: UInt16

  /// Parses `PORT`, `ADDRESS:PORT`, `localhost:PORT` or `[ADDRESS]:PORT`; nil for other text.
  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard let port = parts.last.flatMap({ UInt16($0) }) else { return nil }
    self.port = port
    var host = parts.count == 1 ? "127.0.0.1" : parts.dropLast().joined(separator: ":")
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = String(host.dropFirst().dropLast())
      guard host.contains(":") else { return nil }
    } else if host.contains(":") {
      return nil
    }
    self.host = host == "localhost" ? "127.0.0.1" : host
    guard (try? socketAddress) != nil else { return nil }
  }

  private init(host: String, port: UInt16) {
    (self.host, self.port) = (host, port)
  }

  /// The same address with another port, after the system has chosen one in place of 0.
  func with(port: UInt16) -> ListenAddress { ListenAddress(host: host, port: port) }

  /// Whether only this machine can connect.
  var isLoopback: Bool { host.hasPrefix("127.") || host == "::1" }

  /// A socket that listens at the address.
  func listeningSocket() throws -> Socket {
    func bound(_ address: some SocketAddress) throws -> Socket {
      let socket = try Socket(domain: Int32(address.family))
      do {
        try socket.setValue(true, for: .localAddressReuse)
        try socket.bind(to: address)
        try socket.listen()
        return socket
      } catch {
        try? socket.close()
        throw error
      }
    }
    return try bound(try socketAddress)
  }

  private var socketAddress: any SocketAddress {
    get throws {
      host.contains(":")
        ? try sockaddr_in6.inet6(ip6: host, port: port)
        : try sockaddr_in.inet(ip4: host, port: port)
    }
  }
}

extension ListenAddress: CustomStringConvertible {
  var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
