internal import ConcurrencyPrimitives
internal import Dispatch
internal import PlatformModules

/// An HTTP/1.1 server on 127.0.0.1 that reads each request and lets a script send the response, byte by byte. Each
/// connection has its own thread, which may block.
final class ScriptedServer: Sendable {
  /// Responds to a request, and returns whether the connection stays open.
  typealias Script = @Sendable (ScriptedRequest, ScriptedConnection) -> Bool

  private struct State: Sendable {
    var requests: [ScriptedRequest] = []
    var running = 0
    var events: Set<String> = []
    var isStopping = false
  }

  let port: UInt16
  private let listener: Int32
  /// A descriptor that becomes readable when the server stops.
  private let wakeUp: Int32
  private let stopping: Int32
  private let state = Watched(State())

  init(_ script: @escaping Script) throws(ConformanceFailure) {
    var ends: [Int32] = [-1, -1]
    guard let (listener, port) = ScriptedConnection.listen() else {
      throw ConformanceFailure("no socket on 127.0.0.1")
    }
    guard unsafe pipe(&ends) == 0 else {
      close(listener)
      throw ConformanceFailure("no pipe")
    }
    (self.listener, self.port, wakeUp, stopping) = (listener, port, ends[0], ends[1])
    state.update { $0.running = 1 }
    Self.thread { self.accept(script) }
  }

  var url: String { "http://127.0.0.1:\(port)" }
  var requests: [ScriptedRequest] { state.read { $0.requests } }

  /// Waits until a script has noted an event.
  func wait(for event: String) async {
    await state.wait { $0.events.contains(event) }
  }

  func wait(forRequests count: Int) async {
    await state.wait { $0.requests.count >= count }
  }

  func has(_ event: String) -> Bool { state.read { $0.events.contains(event) } }

  func note(_ event: String) { state.update { _ = $0.events.insert(event) } }

  /// Closes every connection, to end even a transport that ignores the cancellation of its task.
  func beginStopping() {
    let isFirst = state.update { state in
      defer { state.isStopping = true }
      return !state.isStopping
    }
    if isFirst { close(stopping) }
  }

  /// Closes every connection, and waits until all are closed.
  func stop() async {
    beginStopping()
    // A cancellation must not end this wait: the threads use the descriptors that are closed next.
    await Task { [state] in await state.wait { $0.running == 0 } }.value
    close(wakeUp)
    close(listener)
  }

  private static func thread(_ body: @escaping @Sendable () -> Void) {
    // Each body blocks its thread, and a shared queue has a limited number of threads.
    DispatchQueue(label: "ScriptedServer").async(execute: body)
  }

  private func accept(_ script: @escaping Script) {
    while ScriptedConnection.wait(listener, for: POLLIN, or: wakeUp, milliseconds: -1) == .ready {
      guard let connection = ScriptedConnection(acceptedBy: listener, wakeUp: wakeUp, of: self)
      else { continue }
      state.update { $0.running += 1 }
      Self.thread {
        while let request = connection.readRequest() {
          self.state.update { $0.requests.append(request) }
          guard script(request, connection) else { break }
        }
        connection.close()
        self.state.update { $0.running -= 1 }
      }
    }
    state.update { $0.running -= 1 }
  }
}

/// A request as the server received it.
struct ScriptedRequest: Sendable {
  var line: String
  var fields: [(name: String, value: String)]
  var body: [UInt8]

  var method: String { line.split(separator: " ").first.map(String.init) ?? "" }
  var target: String { line.split(separator: " ").dropFirst().first.map(String.init) ?? "" }

  func values(_ name: String) -> [String] {
    fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
  }
}

/// A connection, used by a single thread.
final class ScriptedConnection: Sendable {
  enum Readiness {
    case ready
    case notYet
    /// The server is stopping.
    case stop
  }

  private let descriptor: Int32
  private let wakeUp: Int32
  private let server: ScriptedServer
  private let unread = Locked<[UInt8]>([])

  init?(acceptedBy listener: Int32, wakeUp: Int32, of server: ScriptedServer) {
    #if canImport(Darwin)
      descriptor = Darwin.accept(listener, nil, nil)
    #elseif canImport(Musl)
      descriptor = Musl.accept(listener, nil, nil)
    #else
      descriptor = Glibc.accept(listener, nil, nil)
    #endif
    (self.wakeUp, self.server) = (wakeUp, server)
    guard descriptor >= 0 else { return nil }
    Self.prepare(descriptor)
  }

  func note(_ event: String) { server.note(event) }

  /// Waits until the server has noted an event. Returns false if the server stops or the client disconnects first.
  func wait(for event: String) -> Bool {
    while !server.has(event) {
      switch Self.wait(descriptor, for: POLLIN, or: wakeUp, milliseconds: 5) {
      case .ready: return false
      case .notYet: continue
      case .stop: return false
      }
    }
    return true
  }

  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Sends all bytes, and notes `stalled` if the client reads nothing for half a second. Returns false if the client
  /// has disconnected.
  @discardableResult
  func send(_ bytes: [UInt8], stalled: String? = nil) -> Bool {
    var sent = 0
    while sent < bytes.count {
      switch Self.wait(descriptor, for: POLLOUT, or: wakeUp, milliseconds: 500) {
      case .stop: return false
      case .notYet: if let stalled { note(stalled) }
      case .ready:
        let count = unsafe bytes.withUnsafeBytes {
          unsafe Self.write(descriptor, .init(rebasing: $0[sent...]))
        }
        if count > 0 {
          sent += count
        } else if errno != EAGAIN, errno != EINTR {
          return false
        }
      }
    }
    return true
  }

  /// Waits until the client closes the connection, and ignores its data. Returns false if the server stops first.
  func waitForLeave() -> Bool {
    while let bytes = receive() { if bytes.isEmpty { return true } }
    return false
  }

  /// Makes the next close reset the connection.
  func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
  }

  func close() {
    #if canImport(Darwin)
      _ = Darwin.close(descriptor)
    #elseif canImport(Musl)
      _ = Musl.close(descriptor)
    #else
      _ = Glibc.close(descriptor)
    #endif
  }

  /// Reads a request; nil if the client disconnects before the end of the request.
  func readRequest() -> ScriptedRequest? {
    let end = Array("\r\n\r\n".utf8)
    var received = unread.withLock { $0 }
    func more() -> Bool {
      guard let bytes = receive(), !bytes.isEmpty else { return false }
      received += bytes
      return true
    }
    var searched = 0
    var headEnd: Int?
    while headEnd == nil {
      headEnd = (searched..<max(searched, received.count - 3)).first {
        received[$0..<$0 + 4].elementsEqual(end)
      }
      guard headEnd == nil else { break }
      searched = max(0, received.count - 3)
      guard more() else { return nil }
    }
    guard let headEnd else { return nil }
    let lines = String(decoding: received[..<headEnd], as: UTF8.self)
      .split(separator: "\r\n", omittingEmptySubsequences: false)
    let fields = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { return nil }
      return (String(parts[0]), String(parts[1].drop { $0 == " " }))
    }
    var request = ScriptedRequest(line: String(lines[0]), fields: fields, body: [])
    let length = request.values("Content-Length").first.flatMap { Int($0) } ?? 0
    if request.values("Expect").contains(where: { $0.lowercased() == "100-continue" }) {
      send("HTTP/1.1 100 Continue\r\n\r\n")
    }
    var position = headEnd + 4
    func take(_ count: Int) -> ArraySlice<UInt8>? {
      while received.count < position + count { guard more() else { return nil } }
      defer { position += count }
      return received[position..<position + count]
    }
    if request.values("Transfer-Encoding").last?.lowercased() == "chunked" {
      // A body in chunks (RFC 9112, section 7.1).
      var size: Int?
      while size != 0 {
        var line: [UInt8] = []
        while !line.suffix(2).elementsEqual("\r\n".utf8) {
          guard let byte = take(1) else { return nil }
          line += byte
        }
        let digits = String(
          decoding: line.prefix(while: { $0 != UInt8(ascii: ";") }), as: UTF8.self)
        size = Int(digits.filter { !$0.isWhitespace }, radix: 16)
        guard let size, size >= 0, let data = take(size), take(2) != nil else { return nil }
        request.body += data
      }
    } else {
      guard let data = take(length) else { return nil }
      request.body = Array(data)
    }
    unread.withLock { $0 = Array(received[position...]) }
    return request
  }

  /// Returns the next bytes: empty if the client has disconnected, nil if the server stops.
  private func receive() -> [UInt8]? {
    while true {
      guard Self.wait(descriptor, for: POLLIN, or: wakeUp, milliseconds: -1) == .ready else {
        return nil
      }
      var bytes = [UInt8](repeating: 0, count: 64 << 10)
      let count = unsafe bytes.withUnsafeMutableBytes {
        unsafe read(descriptor, $0.baseAddress, $0.count)
      }
      if count >= 0 { return Array(bytes[..<count]) }
      if errno != EAGAIN, errno != EINTR { return [] }
    }
  }

  private static func prepare(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    #if canImport(Darwin)
      var isOn: Int32 = 1
      setsockopt(
        descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  /// Calls `send(2)`, without the signal that would end the process if the client has disconnected.
  private static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      Darwin.send(descriptor, bytes.baseAddress, bytes.count, 0)
    #elseif canImport(Musl)
      Musl.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #else
      unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #endif
  }

  static func wait(
    _ descriptor: Int32, for events: Int32, or wakeUp: Int32, milliseconds: Int32
  ) -> Readiness {
    var queries = [
      pollfd(fd: descriptor, events: Int16(events), revents: 0),
      pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      let count = unsafe poll(&queries, 2, milliseconds)
      if count < 0, errno == EINTR { continue }
      if count < 0 || queries[1].revents != 0 { return .stop }
      return count == 0 ? .notYet : .ready
    }
  }

  static func listen() -> (descriptor: Int32, port: UInt16)? {
    #if canImport(Glibc)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { return nil }
    prepare(descriptor)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard unsafe bind(descriptor, address, length) == 0, startListening(descriptor) == 0 else {
          return Int32(-1)
        }
        return unsafe getsockname(descriptor, address, &length)
      }
    }
    guard status == 0 else {
      startClosing(descriptor)
      return nil
    }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }

  // `listen(2)` and `close(2)` under other names, because this type's methods hide them.
  #if canImport(Darwin)
    private static func startListening(_ descriptor: Int32) -> Int32 {
      Darwin.listen(descriptor, 64)
    }
    private static func startClosing(_ descriptor: Int32) { _ = Darwin.close(descriptor) }
  #elseif canImport(Musl)
    private static func startListening(_ descriptor: Int32) -> Int32 { Musl.listen(descriptor, 64) }
    private static func startClosing(_ descriptor: Int32) { _ = Musl.close(descriptor) }
  #else
    private static func startListening(_ descriptor: Int32) -> Int32 {
      Glibc.listen(descriptor, 64)
    }
    private static func startClosing(_ descriptor: Int32) { _ = Glibc.close(descriptor) }
  #endif
}
