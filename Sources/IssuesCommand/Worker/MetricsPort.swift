internal import ConcurrencyPrimitives
internal import PlatformModules
internal import StyledText

/// A port of 127.0.0.1 that responds to one request at a time. A silent client is dropped after two seconds, so that
/// the next one can be served.
actor MetricsPort {
  /// The time in milliseconds for a client to send its request and to receive the response.
  private static let patience: Int64 = 2000
  /// The maximum number of waiting clients.
  private static let backlog: CInt = 16

  /// The number of the port.
  nonisolated let number: UInt16
  private nonisolated let queue = BlockingQueue(label: "metrics")
  private let listener: CInt
  /// A pipe that becomes readable when the port must stop.
  private nonisolated let wakeUp: Pipe
  private var client: CInt = -1
  private var deadline: Int64 = 0

  /// A separate queue, because waiting for clients blocks.
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe queue.asUnownedSerialExecutor()
  }

  /// Begins to listen. The number 0 means any free port.
  init(_ number: UInt16) throws(CommandFailure) {
    guard let pipe = Pipe() else { throw Self.failure(number) }
    guard let (listener, port) = Self.listen(number) else {
      defer { pipe.closeEnds() }
      throw Self.failure(number)
    }
    (self.listener, self.number, wakeUp) = (listener, port, pipe)
  }

  deinit {
    if client >= 0 { close(client) }
    close(listener)
    wakeUp.closeEnds()
  }

  /// Responds to requests until the task is canceled.
  nonisolated func run(_ metrics: @Sendable () async -> Result<String, CommandFailure>) async {
    await withTaskCancellationHandler {
      while let request = await nextRequest() {
        let text = request.refusal == nil ? await metrics() : nil
        await answer(request.answer(text))
      }
    } onCancel: {
      _ = unsafe withUnsafeBytes(of: UInt8(0)) {
        unsafe write(wakeUp.writingEnd, $0.baseAddress, 1)
      }
    }
  }

  /// The next request; nil when the port must stop.
  private func nextRequest() -> MetricsRequest? {
    while Self.wait(for: listener, POLLIN, or: wakeUp.readingEnd) == .ready {
      client = accept(listener, nil, nil)
      guard client >= 0 else {
        // The client has left, or no descriptor is free. One may become free later.
        if errno == EMFILE || errno == ENFILE { _ = poll(nil, 0, 100) }
        continue
      }
      Self.prepare(client)
      deadline = Self.now() + Self.patience
      if let request = read() { return request }
      leave()
    }
    return nil
  }

  /// Reads a request; nil if the client leaves or doesn't send more.
  private func read() -> MetricsRequest? {
    var received: [UInt8] = []
    while received.count < MetricsRequest.mostBytes {
      guard let bytes = receive(MetricsRequest.mostBytes - received.count) else { return nil }
      received += bytes
      if let request = MetricsRequest(received) { return request }
    }
    return nil
  }

  /// Reads bytes; nil at the end.
  private func receive(_ most: Int) -> [UInt8]? {
    while wait(POLLIN) {
      var bytes = [UInt8](repeating: 0, count: most)
      let count = unsafe bytes.withUnsafeMutableBytes {
        unsafe recv(client, $0.baseAddress, $0.count, 0)
      }
      if count > 0 { return Array(bytes[..<count]) }
      if count == 0 || errno != EAGAIN && errno != EINTR { return nil }
    }
    return nil
  }

  private func answer(_ bytes: [UInt8]) {
    deadline = Self.now() + Self.patience
    var rest = bytes[...]
    while !rest.isEmpty, wait(POLLOUT) {
      let count = unsafe rest.withUnsafeBytes { unsafe write(client, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EAGAIN, errno != EINTR {
        break
      }
    }
    // Closing a connection with unread bytes resets it, and the response may be lost (RFC 9112, section 9.6).
    shutdown(client, CInt(SHUT_WR))
    while receive(MetricsRequest.mostBytes) != nil {}
    leave()
  }

  private func leave() {
    close(client)
    client = -1
  }

  /// Waits for the client. Returns false when its time is over, or when the port must stop.
  private func wait(_ events: CInt) -> Bool {
    let rest = deadline - Self.now()
    guard rest > 0 else { return false }
    return Self.wait(
      for: client, events, or: wakeUp.readingEnd, milliseconds: CInt(rest)) == .ready
  }

  private enum Readiness {
    case ready, late, stop
  }

  private static func wait(
    for descriptor: CInt, _ events: CInt, or wakeUp: CInt, milliseconds: CInt = -1
  ) -> Readiness {
    var queries = [
      pollfd(fd: descriptor, events: CShort(events), revents: 0),
      pollfd(fd: wakeUp, events: CShort(POLLIN), revents: 0),
    ]
    while true {
      let count = unsafe poll(&queries, 2, milliseconds)
      if count < 0, errno == EINTR { continue }
      if count < 0 || queries[1].revents != 0 { return .stop }
      return count == 0 ? .late : .ready
    }
  }

  /// The current time of a monotonic clock, in milliseconds.
  private static func now() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  private static func prepare(_ descriptor: CInt) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
  }

  /// Opens a socket; nil with the reason in `errno`.
  private static func listen(_ number: UInt16) -> (descriptor: CInt, port: UInt16)? {
    #if canImport(Glibc)
      let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { return nil }
    prepare(descriptor)
    // Connections of a worker that has just ended must not block the port.
    var isOn: CInt = 1
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<CInt>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = number.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard unsafe bind(descriptor, address, length) == 0,
          startListening(descriptor, backlog) == 0
        else { return CInt(-1) }
        return unsafe getsockname(descriptor, address, &length)
      }
    }
    guard status == 0 else {
      let reason = errno
      close(descriptor)
      errno = reason
      return nil
    }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }

  /// The failure for `errno`.
  private static func failure(_ number: UInt16) -> CommandFailure {
    let reason = errno
    let words = unsafe TerminalText(String(cString: strerror(reason))).string
    return CommandFailure(
      .failed,
      "can't listen on the port \(number) of 127.0.0.1: \(words)"
        + (reason == EADDRINUSE ? "\nUse another one; --metrics-port 0 is any free port." : ""))
  }
}

/// Calls `listen(2)`, whose name is hidden by a method of the type.
private func startListening(_ descriptor: CInt, _ backlog: CInt) -> CInt {
  listen(descriptor, backlog)
}
