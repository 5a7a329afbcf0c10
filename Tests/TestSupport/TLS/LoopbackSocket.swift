internal import PlatformModules

/// Plain sockets on 127.0.0.1, for threads that may block.
enum LoopbackSocket {
  /// `POLLIN` and `POLLOUT` of poll(2).
  static let readable: Int32 = 0x001
  static let writable: Int32 = 0x004

  #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
  #else
    private static let stream = SOCK_STREAM
  #endif

  private static func make() throws -> Int32 {
    let descriptor = socket(AF_INET, stream, 0)
    guard descriptor >= 0 else { throw ChildProcess.Failure(call: "socket", code: errno) }
    prepare(descriptor)
    return descriptor
  }

  private static func prepare(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    var isOn: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func withAddress<Result>(
    _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  /// Listens on a port that the system chooses.
  static func listen() throws -> (descriptor: Int32, port: UInt16) {
    let (descriptor, port) = try bound()
    guard startListening(descriptor) == 0 else {
      let failure = ChildProcess.Failure(call: "listen", code: errno)
      close(descriptor)
      throw failure
    }
    return (descriptor, port)
  }

  /// Reserves a port that the system chooses, on which no process listens or can listen.
  static func bound() throws -> (descriptor: Int32, port: UInt16) {
    let descriptor = try make()
    let status = withAddress(0) { bind(descriptor, $0, $1) }
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let named = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &length)
      }
    }
    guard status == 0, named == 0 else {
      let failure = ChildProcess.Failure(call: "bind", code: errno)
      close(descriptor)
      throw failure
    }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }

  /// `listen(2)`, which this type's method would hide.
  private static func startListening(_ descriptor: Int32) -> Int32 {
    #if canImport(Darwin)
      Darwin.listen(descriptor, 64)
    #elseif canImport(Musl)
      Musl.listen(descriptor, 64)
    #else
      Glibc.listen(descriptor, 64)
    #endif
  }

  /// Accepts a connection; negative if there is none.
  static func accept(on listener: Int32) -> Int32 {
    #if canImport(Darwin)
      let descriptor = Darwin.accept(listener, nil, nil)
    #elseif canImport(Musl)
      let descriptor = Musl.accept(listener, nil, nil)
    #else
      let descriptor = Glibc.accept(listener, nil, nil)
    #endif
    if descriptor >= 0 { prepare(descriptor) }
    return descriptor
  }

  /// Connects; nil if the connection is refused.
  static func connect(to port: UInt16) -> Int32? {
    guard let descriptor = try? make() else { return nil }
    let status = withAddress(port) { address, length in
      #if canImport(Darwin)
        Darwin.connect(descriptor, address, length)
      #elseif canImport(Musl)
        Musl.connect(descriptor, address, length)
      #else
        Glibc.connect(descriptor, address, length)
      #endif
    }
    if status != 0, errno == EINPROGRESS {
      var query = pollfd(fd: descriptor, events: Int16(writable), revents: 0)
      _ = poll(&query, 1, -1)
      var problem: Int32 = 0
      var length = socklen_t(MemoryLayout<Int32>.size)
      getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &problem, &length)
      if problem == 0 { return descriptor }
    } else if status == 0 {
      return descriptor
    }
    close(descriptor)
    return nil
  }

  /// Waits for any of these events.
  ///
  /// - Returns: False if the pipe says that it is time to stop.
  static func wait(for events: [(descriptor: Int32, events: Int32)], or wakeUp: Int32) -> Bool {
    var queries = events.map { pollfd(fd: $0.descriptor, events: Int16($0.events), revents: 0) }
    queries.append(pollfd(fd: wakeUp, events: Int16(readable), revents: 0))
    while poll(&queries, nfds_t(queries.count), -1) < 0 {
      guard errno == EINTR else { return false }
    }
    return queries.last?.revents == 0
  }

  /// Makes closing the socket a reset.
  static func resetOnClose(_ descriptor: Int32) {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
  }

  /// On this thread, `write` to a broken connection fails instead of ending the process.
  static func blockPipeSignal() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }
}
