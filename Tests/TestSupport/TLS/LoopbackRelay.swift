internal import CTLS
public import PlatformModules

/// Passes bytes between a client and a loopback server: as the end of TLS, or as a tunnelling proxy.
///
/// ```swift
/// let authority = try await CertificateAuthority()
/// let relay = try await LoopbackRelay.tls(authority.certificate(.good), to: server.port)
/// // … ask https://127.0.0.1:\(relay.port), trusting authority.file …
/// await relay.stop()
/// ```
///
/// If the server resets or ends a connection, the relay does the same to the client's.
public final class LoopbackRelay: Sendable {
  /// Its role towards the client.
  enum Role: Sendable {
    case tls(TLSContext)
    /// Takes `CONNECT`, then tunnels.
    case tunnel
  }

  private let listener: ThreadedListener
  private let upstream: UInt16
  private let role: Role
  private let data = Watched(Data())

  private init(role: Role, to upstream: UInt16) throws {
    self.role = role
    self.upstream = upstream
    listener = try ThreadedListener()
  }

  /// The port that it listens on.
  public var port: UInt16 { listener.port }

  /// Starts a relay that is a TLS server to its clients.
  ///
  /// - Parameters:
  ///   - certificate: The certificate that it shows.
  ///   - port: The port on 127.0.0.1 that the decrypted bytes go to.
  ///   - speaksHTTP2: Whether it agrees on HTTP/2 with clients that offer it.
  ///   - version: The newest version that it speaks, besides all older ones; nil for all of OpenSSL's.
  ///   - authority: The file of an authority, if only its certificates let clients in.
  /// - Returns: The relay, listening.
  /// - Throws: An error if the certificate can't be used or there is no free port.
  public static func tls(
    _ certificate: CertificateAuthority.Certificate, to port: UInt16, speaksHTTP2: Bool = false,
    upTo version: TLSVersion? = nil, clientsOf authority: String? = nil
  ) throws -> LoopbackRelay {
    let context = try TLSContext(
      certificate, speaksHTTP2: speaksHTTP2, upTo: version, clientsOf: authority)
    let relay = try LoopbackRelay(role: .tls(context), to: port)
    relay.listener.start { [relay] in relay.serve($0) }
    return relay
  }

  /// Starts an HTTP proxy that tunnels to the same port, whatever host a client asks for.
  ///
  /// - Parameter port: The end of the tunnels on 127.0.0.1.
  /// - Returns: The proxy, listening.
  /// - Throws: An error if there is no free port.
  public static func proxy(to port: UInt16) throws -> LoopbackRelay {
    let relay = try LoopbackRelay(role: .tunnel, to: port)
    relay.listener.start { [relay] in relay.serve($0) }
    return relay
  }

  /// How many connections it has accepted.
  public var connectionCount: Int { listener.connectionCount }

  /// Everything that clients sent, in order of arrival and as this relay sees it: decrypted if it ends TLS.
  public var received: Data { data.current }

  /// Stops listening, closes every connection, and waits until both are done.
  public func stop() async { await listener.stop() }

  private func serve(_ descriptor: Int32) {
    let client: any RelayEnd
    switch role {
    case .tls(let context):
      guard let session = TLSSession(context, descriptor) else { return }
      while true {
        let outcome = session.handshake()
        if outcome == .done { break }
        if outcome == .failed { return leave(PlainEnd(descriptor: descriptor)) }
        guard let events = outcome.events,
          LoopbackSocket.wait(for: [(descriptor, events)], or: listener.wakeUp)
        else { return }
      }
      client = session
    case .tunnel:
      let plain = PlainEnd(descriptor: descriptor)
      guard takeConnect(plain) else { return }
      client = plain
    }
    guard let server = LoopbackSocket.connect(to: upstream) else { return }
    defer { close(server) }
    pump(client, PlainEnd(descriptor: server))
  }

  /// Waits until the client has left: closing before it has read why would take that away from it (RST).
  private func leave(_ client: PlainEnd) {
    client.finish()
    while true {
      switch client.read() {
      case .bytes: break
      case .wants(let events):
        guard LoopbackSocket.wait(for: [(client.descriptor, events)], or: listener.wakeUp) else {
          return
        }
      case .ended, .failed: return
      }
    }
  }

  /// Reads the head of a `CONNECT`, and agrees.
  private func takeConnect(_ client: PlainEnd) -> Bool {
    var head = Data()
    while head.firstRange(of: Data("\r\n\r\n".utf8)) == nil {
      switch client.read() {
      case .bytes(let bytes):
        head.append(bytes)
        note(bytes)
      case .wants(let events):
        guard LoopbackSocket.wait(for: [(client.descriptor, events)], or: listener.wakeUp) else {
          return false
        }
      case .ended, .failed: return false
      }
    }
    return head.starts(with: Data("CONNECT ".utf8))
      && send(Data("HTTP/1.1 200 Connection established\r\n\r\n".utf8), to: client)
  }

  /// Passes bytes both ways until either end is done.
  private func pump(_ client: any RelayEnd, _ server: PlainEnd) {
    while true {
      if !client.hasPending {
        guard
          LoopbackSocket.wait(
            for: [
              (client.descriptor, LoopbackSocket.readable),
              (server.descriptor, LoopbackSocket.readable),
            ], or: listener.wakeUp)
        else { return }
      }
      switch client.read() {
      case .bytes(let bytes):
        note(bytes)
        guard send(bytes, to: server) else { return }
      case .wants: break
      case .ended, .failed: return
      }
      switch server.read() {
      case .bytes(let bytes):
        guard send(bytes, to: client) else { return }
      case .wants: break
      case .ended:
        client.finish()
        return
      case .failed:
        LoopbackSocket.resetOnClose(client.descriptor)
        return
      }
    }
  }

  private func send(_ bytes: Data, to end: any RelayEnd) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      switch end.write(rest) {
      case .written(let count): rest = rest.dropFirst(count)
      case .wants(let events):
        guard LoopbackSocket.wait(for: [(end.descriptor, events)], or: listener.wakeUp) else {
          return false
        }
      case .failed: return false
      }
    }
    return true
  }

  private func note(_ bytes: Data) {
    data.update { $0.append(bytes) }
  }
}
