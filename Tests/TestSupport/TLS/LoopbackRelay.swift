internal import CTLS

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// What stands between a client and a loopback server and passes bytes on: the end of TLS, or a proxy that
/// tunnels.
///
/// ```swift
/// let authority = try await CertificateAuthority()
/// let relay = try await LoopbackRelay.tls(authority.certificate(.good), to: server.port)
/// // … ask https://127.0.0.1:\(relay.port), trusting authority.file …
/// await relay.stop()
/// ```
///
/// What the server does to a connection, a reset or an end, is done to the client's.
public final class LoopbackRelay: Sendable {
  /// What it does at the client's end.
  enum Role: Sendable {
    case tls(TLSContext)
    /// Takes `CONNECT` and goes on as a tunnel.
    case tunnel
  }

  struct State: Sendable {
    var connections = 0
    var running = 0
    var isStopped = false
    var received = Data()
  }

  /// The port it listens on.
  public let port: UInt16
  private let listener: Int32
  /// Closing the writing end tells every thread to come to an end.
  private let wakeUp: (reading: Int32, writing: Int32)
  private let upstream: UInt16
  private let role: Role
  private let state = Watched(State())

  private init(role: Role, to upstream: UInt16) throws {
    self.role = role
    self.upstream = upstream
    (listener, port) = try LoopbackSocket.listen()
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      close(listener)
      throw ChildProcess.Failure(call: "pipe", code: errno)
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    wakeUp = (ends[0], ends[1])
  }

  /// Starts a relay that is a TLS server to its clients.
  ///
  /// - Parameters:
  ///   - certificate: What it shows.
  ///   - port: Where the decrypted bytes go on 127.0.0.1.
  ///   - speaksHTTP2: Whether HTTP/2 is agreed on with a client that offers it.
  /// - Returns: The relay, listening.
  /// - Throws: When the certificate can't be used or there is no port to be had.
  public static func tls(
    _ certificate: CertificateAuthority.Certificate, to port: UInt16, speaksHTTP2: Bool = false
  ) throws -> LoopbackRelay {
    let context = try TLSContext(certificate, speaksHTTP2: speaksHTTP2)
    let relay = try LoopbackRelay(role: .tls(context), to: port)
    relay.start()
    return relay
  }

  /// Starts an HTTP proxy whose every tunnel leads to the same port, whatever host is asked for.
  ///
  /// - Parameter port: Where the tunnels end on 127.0.0.1.
  /// - Returns: The proxy, listening.
  /// - Throws: When there is no port to be had.
  public static func proxy(to port: UInt16) throws -> LoopbackRelay {
    let relay = try LoopbackRelay(role: .tunnel, to: port)
    relay.start()
    return relay
  }

  /// How many connections were accepted.
  public var connectionCount: Int { state.read { $0.connections } }

  /// Everything that clients sent, in the order of arrival and as it came over the wire from the point
  /// of view of this relay: decrypted where it ends TLS.
  public var received: Data { state.read { $0.received } }

  /// Stops listening, closes every connection, and waits for that.
  public func stop() async {
    let isFirst = state.update { state in
      defer { state.isStopped = true }
      return !state.isStopped
    }
    guard isFirst else { return }
    close(wakeUp.writing)
    // Uncancellable: the threads use the descriptors that are closed next.
    await Task { [state] in try? await state.value { $0.running == 0 ? () : nil } }.value
    close(wakeUp.reading)
    close(listener)
  }

  private func start() {
    state.update { $0.running += 1 }
    OwnThread.start { [self] in
      while let client = accept() {
        state.update {
          $0.connections += 1
          $0.running += 1
        }
        OwnThread.start { [self] in
          serve(client)
          state.update { $0.running -= 1 }
        }
      }
      state.update { $0.running -= 1 }
    }
  }

  private func accept() -> Int32? {
    while true {
      guard LoopbackSocket.wait(for: [(listener, LoopbackSocket.readable)], or: wakeUp.reading)
      else { return nil }
      let client = LoopbackSocket.accept(on: listener)
      if client >= 0 { return client }
    }
  }

  private func serve(_ descriptor: Int32) {
    LoopbackSocket.blockPipeSignal()
    defer { close(descriptor) }
    let client: any RelayEnd
    switch role {
    case .tls(let context):
      guard let session = TLSSession(context, descriptor) else { return }
      while true {
        let outcome = session.handshake()
        if outcome == .done { break }
        guard let events = outcome.events,
          LoopbackSocket.wait(for: [(descriptor, events)], or: wakeUp.reading)
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

  /// Reads the head of a `CONNECT` and agrees.
  private func takeConnect(_ client: PlainEnd) -> Bool {
    var head = Data()
    while head.firstRange(of: Data("\r\n\r\n".utf8)) == nil {
      switch client.read() {
      case .bytes(let bytes):
        head.append(bytes)
        note(bytes)
      case .wants(let events):
        guard LoopbackSocket.wait(for: [(client.descriptor, events)], or: wakeUp.reading) else {
          return false
        }
      case .ended, .failed: return false
      }
    }
    return head.starts(with: Data("CONNECT ".utf8))
      && send(Data("HTTP/1.1 200 Connection established\r\n\r\n".utf8), to: client)
  }

  /// Passes bytes on in both directions until either end is done.
  private func pump(_ client: any RelayEnd, _ server: PlainEnd) {
    while true {
      if !client.hasPending {
        guard
          LoopbackSocket.wait(
            for: [
              (client.descriptor, LoopbackSocket.readable),
              (server.descriptor, LoopbackSocket.readable),
            ], or: wakeUp.reading)
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
        guard LoopbackSocket.wait(for: [(end.descriptor, events)], or: wakeUp.reading) else {
          return false
        }
      case .failed: return false
      }
    }
    return true
  }

  private func note(_ bytes: Data) {
    state.update { $0.received.append(bytes) }
  }
}
