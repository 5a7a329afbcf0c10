internal import Dispatch
internal import PlatformModules

/// A child process, or a function in its place, with this side of its standard streams.
final class ChildProcess: Sendable {
  /// A system call that failed.
  struct Failure: Error, CustomStringConvertible {
    var call: String
    var code: Int32
    var description: String { "\(call): \(String(cString: strerror(code)))" }
  }

  /// nil for a function.
  let identifier: pid_t?
  /// The child's output, or its terminal's master for both directions.
  let output: Int32
  /// The child's standard error; nil on a terminal.
  let error: Int32?
  private let input: Int32
  private let isTerminal: Bool
  private let task: Task<Int32, Never>?
  /// Whether this process may still use ``input``. Only the queue below changes it.
  private let inputIsOpen = Watched(true)
  /// Keeps the order, and spares Swift's threads.
  private let writing = DispatchQueue(label: "command-input")

  /// Calls a function with the other ends of three pipes; its result is the exit status.
  init(running body: @escaping CommandRun.Function) throws {
    signal(SIGPIPE, SIG_IGN)
    let (inputRead, inputWrite) = try Self.makePipe()
    let (outputRead, outputWrite) = try Self.makePipe()
    let (errorRead, errorWrite) = try Self.makePipe()
    (input, output, error, isTerminal) = (inputWrite, outputRead, errorRead, false)
    identifier = nil
    task = Task {
      let status = await body(inputRead, outputWrite, errorWrite)
      for descriptor in [inputRead, outputWrite, errorWrite] { close(descriptor) }
      return status
    }
  }

  init(
    path: String, arguments: [String], environment: [String: String],
    connection: CommandRun.Connection, workingDirectory: String?
  ) throws {
    // A program that ends before it has read its input must not end the tests.
    signal(SIGPIPE, SIG_IGN)

    var actions = SpawnActions()
    defer { actions.destroy() }
    var childEnds: [Int32] = []
    defer { for descriptor in childEnds { close(descriptor) } }
    switch connection {
    case .pipes:
      let (inputRead, inputWrite) = try Self.makePipe()
      let (outputRead, outputWrite) = try Self.makePipe()
      let (errorRead, errorWrite) = try Self.makePipe()
      childEnds = [inputRead, outputWrite, errorWrite]
      actions.duplicate(inputRead, to: 0)
      actions.duplicate(outputWrite, to: 1)
      actions.duplicate(errorWrite, to: 2)
      (input, output, error, isTerminal) = (inputWrite, outputRead, errorRead, false)
    case .terminal(let columns, let rows):
      let (master, name) = try Self.makeTerminal()
      // The session's leader opens the terminal itself, which makes it the controlling one.
      actions.open(name, as: 0)
      actions.duplicate(0, to: 1)
      actions.duplicate(0, to: 2)
      (input, output, error, isTerminal) = (master, master, nil, true)
      Self.setSize(of: master, columns: columns, rows: rows)
    }
    task = nil
    actions.closeOthers()
    var (path, arguments) = (path, arguments)
    if let workingDirectory {
      // A shell changes the folder and becomes the program: Swift doesn't see glibc's file action for that.
      arguments =
        ["sh", "-c", #"cd -- "$0" && exec "$@""#, workingDirectory, path] + arguments.dropFirst()
      path = "/bin/sh"
    }
    do {
      identifier = try actions.spawn(
        path, arguments, environment.map { "\($0.key)=\($0.value)" }.sorted(),
        startsSession: isTerminal)
    } catch {
      close(input)
      if !isTerminal { close(output) }
      if let own = self.error { close(own) }
      throw error
    }
  }

  /// Reads a stream to its end on its own thread, and closes it.
  ///
  /// - Parameters:
  ///   - descriptor: The stream.
  ///   - limit: The number of bytes after which it is closed at once.
  ///   - receive: Gets the bytes, and nil at the end.
  func read(
    _ descriptor: Int32, atMost limit: Int?, receive: @escaping @Sendable (Data?) -> Void
  ) {
    OwnThread.start { [self] in
      var buffer = [UInt8](repeating: 0, count: 65_536)
      var total = 0
      while total < limit ?? .max {
        let wanted = min(buffer.count, (limit ?? .max) - total)
        #if canImport(Darwin)
          let count = Darwin.read(descriptor, &buffer, wanted)
        #elseif canImport(Musl)
          let count = Musl.read(descriptor, &buffer, wanted)
        #else
          let count = Glibc.read(descriptor, &buffer, wanted)
        #endif
        if count < 0, errno == EINTR { continue }
        // Linux returns EIO once the last program has closed a terminal.
        if count <= 0 { break }
        total += count
        receive(Data(buffer[..<count]))
      }
      // A terminal's master is also written to, so it is closed in turn with the writing.
      if isTerminal {
        closeInput()
      } else {
        close(descriptor)
      }
      receive(nil)
    }
  }

  /// Writes to the child, after earlier writes.
  func write(_ data: Data, closing: Bool) {
    writing.async { [input, inputIsOpen] in
      guard inputIsOpen.current else { return }
      var rest = data[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { bytes in
          #if canImport(Darwin)
            Darwin.write(input, bytes.baseAddress, bytes.count)
          #elseif canImport(Musl)
            Musl.write(input, bytes.baseAddress, bytes.count)
          #else
            Glibc.write(input, bytes.baseAddress, bytes.count)
          #endif
        }
        if count < 0, errno == EINTR { continue }
        if count <= 0 { break }
        rest = rest.dropFirst(count)
      }
    }
    if closing { closeInput() }
  }

  /// Closes the input once, after earlier writes.
  private func closeInput() {
    writing.async { [input, inputIsOpen] in
      guard inputIsOpen.current else { return }
      inputIsOpen.update { $0 = false }
      close(input)
    }
  }

  func send(signal: Int32) {
    guard let identifier else { preconditionFailure("a function gets no signals") }
    kill(identifier, signal)
  }

  /// Kills the child, or cancels the function.
  func end() {
    task?.cancel()
    if let identifier { kill(identifier, SIGKILL) }
  }

  func resize(columns: Int, rows: Int) {
    writing.async { [input, inputIsOpen] in
      if inputIsOpen.current { Self.setSize(of: input, columns: columns, rows: rows) }
    }
  }

  /// Waits for the child on its own thread.
  func waitForExit(
    samplesMemory: Bool,
    report: @escaping @Sendable (CommandRun.Status, Duration, Int?) -> Void
  ) {
    guard let identifier else {
      Task {
        let status = await task?.value ?? -1
        closeInput()
        report(.exited(status), .zero, nil)
      }
      return
    }
    OwnThread.start { [self] in
      var memory: Int?
      #if os(Linux)
        if samplesMemory { memory = peakMemory(of: identifier) }
      #endif
      var status: Int32 = 0
      var usage = rusage()
      while wait4(identifier, &status, 0, &usage) < 0, errno == EINTR {}
      #if !os(Linux)
        if samplesMemory { memory = Int(usage.ru_maxrss) }
      #endif
      if !isTerminal { closeInput() }
      let signal = status & 0x7F
      report(
        signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal),
        Self.duration(usage.ru_utime) + Self.duration(usage.ru_stime), memory)
    }
  }

  #if os(Linux)
    /// Reads the peak of the resident memory in bytes again and again until the child ends.
    private func peakMemory(of identifier: pid_t) -> Int? {
      let hasEnded = DispatchSemaphore(value: 0)
      OwnThread.start {
        var info = siginfo_t()
        // Without reaping it, so that its number can't belong to another process yet.
        while waitid(P_PID, id_t(identifier), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        hasEnded.signal()
      }
      var memory: Int?
      repeat {
        memory = Self.highWaterMark(of: identifier) ?? memory
      } while hasEnded.wait(timeout: .now() + .milliseconds(1)) == .timedOut
      return memory
    }

    /// The peak of the resident memory in bytes.
    ///
    /// Not `ru_maxrss`: Linux carries it over `exec`, so it is never less than that of the spawning process, the tests
    /// with their server.
    private static func highWaterMark(of identifier: pid_t) -> Int? {
      guard let data = try? Data(contentsOf: URL(filePath: "/proc/\(identifier)/status")) else {
        return nil
      }
      for line in String(decoding: data, as: UTF8.self).split(separator: "\n")
      where line.hasPrefix("VmHWM:") {
        let digits = line.drop { !$0.isNumber }.prefix { $0.isNumber }
        return Int(digits).map { $0 * 1024 }
      }
      return nil
    }
  #endif

  private static func duration(_ time: timeval) -> Duration {
    .seconds(Int(time.tv_sec)) + .microseconds(Int(time.tv_usec))
  }

  private static func makePipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Failure(call: "pipe", code: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  #if os(Linux)
    /// `TIOCSPTLCK` and `TIOCGPTN` of `<asm-generic/ioctls.h>`, see ioctl_tty(2).
    private static let unlockRequest: UInt = 0x4004_5431
    private static let numberRequest: UInt = 0x8004_5430
  #endif

  private static func makeTerminal() throws -> (master: Int32, name: String) {
    #if canImport(Darwin)
      let master = posix_openpt(O_RDWR | O_NOCTTY)
      guard master >= 0, grantpt(master) == 0, unlockpt(master) == 0, let name = ptsname(master)
      else { throw Failure(call: "posix_openpt", code: errno) }
      _ = fcntl(master, F_SETFD, FD_CLOEXEC)
      return (master, String(cString: name))
    #else
      // As posix_openpt(3), unlockpt(3) and ptsname(3) do, which Swift doesn't see here.
      let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
      guard master >= 0 else { throw Failure(call: "open /dev/ptmx", code: errno) }
      var locked: Int32 = 0
      var number: UInt32 = 0
      guard ioctl(master, Self.unlockRequest, &locked) == 0,
        ioctl(master, Self.numberRequest, &number) == 0
      else {
        let failure = Failure(call: "ioctl /dev/ptmx", code: errno)
        close(master)
        throw failure
      }
      return (master, "/dev/pts/\(number)")
    #endif
  }

  private static func setSize(of terminal: Int32, columns: Int, rows: Int) {
    var size = winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
  }
}
