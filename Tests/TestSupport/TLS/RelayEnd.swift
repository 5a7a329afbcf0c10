internal import CTLS
internal import PlatformModules

/// One end of a relay's connection: a non-blocking socket, with or without TLS.
protocol RelayEnd {
  var descriptor: Int32 { get }
  /// Whether there are bytes to read that poll doesn't report.
  var hasPending: Bool { get }
  func read() -> RelayRead
  func write(_ bytes: Data) -> RelayWrite
  /// Tells the other side that nothing follows.
  func finish()
}

/// The result of reading.
enum RelayRead {
  case bytes(Data)
  /// Wait for these events of `poll(2)` first.
  case wants(Int32)
  case ended
  case failed
}

/// The result of writing.
enum RelayWrite {
  case written(Int)
  /// Wait for these events of `poll(2)` first.
  case wants(Int32)
  case failed
}

/// A plain socket.
struct PlainEnd: RelayEnd {
  let descriptor: Int32
  var hasPending: Bool { false }

  func read() -> RelayRead {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count > 0 { return .bytes(Data(buffer[..<count])) }
    if count == 0 { return .ended }
    return errno == EAGAIN || errno == EINTR ? .wants(LoopbackSocket.readable) : .failed
  }

  func write(_ bytes: Data) -> RelayWrite {
    let count = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, 0) }
    if count >= 0 { return .written(count) }
    return errno == EAGAIN || errno == EINTR ? .wants(LoopbackSocket.writable) : .failed
  }

  func finish() {
    shutdown(descriptor, Int32(SHUT_WR))
  }
}

/// The certificate and settings of a TLS server.
final class TLSContext: Sendable {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  // Sessions are made from it on several threads, which OpenSSL allows since 1.1.0.
  nonisolated(unsafe) fileprivate let context: UnsafeMutableRawPointer

  init(
    _ certificate: CertificateAuthority.Certificate, speaksHTTP2: Bool, upTo version: TLSVersion?,
    clientsOf authority: String?
  ) throws {
    if let problem = TLSLibrary.problem { throw Failure(description: problem) }
    let context =
      speaksHTTP2
      ? ctls_context(certificate.file, certificate.keyFile, Self.http2)
      : ctls_context(certificate.file, certificate.keyFile, nil)
    guard let context else {
      throw Failure(description: "no TLS server can show \(certificate.file)")
    }
    self.context = context
    if let version, ctls_context_limit(context, version.rawValue) == 0 {
      throw Failure(description: "no TLS server ends at \(version) here")
    }
    if let authority, ctls_context_require_client(context, authority) == 0 {
      throw Failure(description: "no TLS server can trust \(authority)")
    }
  }

  deinit { ctls_context_free(context) }

  // Never freed and never changed: OpenSSL keeps the pointer.
  private nonisolated(unsafe) static let http2: UnsafePointer<CChar> = {
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: 3)
    text.initialize(from: [0x68, 0x32, 0], count: 3)
    return UnsafePointer(text)
  }()
}

/// The server's side of a TLS connection, for one thread.
final class TLSSession: RelayEnd {
  enum Handshake: Equatable {
    case done
    case wants(Int32)
    case failed

    var events: Int32? { if case .wants(let events) = self { events } else { nil } }
  }

  let descriptor: Int32
  private let context: TLSContext
  private let session: UnsafeMutableRawPointer

  init?(_ context: TLSContext, _ descriptor: Int32) {
    guard let session = ctls_session(context.context, descriptor) else { return nil }
    self.context = context
    self.session = session
    self.descriptor = descriptor
  }

  deinit { ctls_session_free(session) }

  var hasPending: Bool { ctls_has_pending(session) != 0 }

  func handshake() -> Handshake {
    switch ctls_accept(session) {
    case 1...: .done
    case CTLS_WANTS_READ: .wants(LoopbackSocket.readable)
    case CTLS_WANTS_WRITE: .wants(LoopbackSocket.writable)
    default: .failed
    }
  }

  func read() -> RelayRead {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    let count = ctls_read(session, &buffer, Int32(buffer.count))
    switch count {
    case 1...: return .bytes(Data(buffer[..<Int(count)]))
    case CTLS_WANTS_READ: return .wants(LoopbackSocket.readable)
    case CTLS_WANTS_WRITE: return .wants(LoopbackSocket.writable)
    case CTLS_ENDED: return .ended
    default: return .failed
    }
  }

  func write(_ bytes: Data) -> RelayWrite {
    let count = bytes.withUnsafeBytes { ctls_write(session, $0.baseAddress, Int32($0.count)) }
    switch count {
    case 1...: return .written(Int(count))
    case CTLS_WANTS_READ: return .wants(LoopbackSocket.readable)
    case CTLS_WANTS_WRITE: return .wants(LoopbackSocket.writable)
    default: return .failed
    }
  }

  func finish() { ctls_shutdown(session) }
}
