internal import ConcurrencyPrimitives
internal import Dispatch
internal import PlatformModules

extension ChildProcess {
  enum BoundedOutput: Sendable, Hashable {
    case finished(Termination, [UInt8])

    case tooLong

    case timedOut

    /// The waiting task was canceled, and the program was killed.
    case cancelled
  }

  /// Runs a program without input until it ends or is killed. Returns its standard output, at most `limit` bytes.
  ///
  /// When this returns, the program has ended and been reaped. Processes that it started aren't waited for, even if
  /// they hold the output open.
  static func output(
    of arguments: [String], environment: [String: String], limit: Int, timeout: Duration,
    clock: any Clock<Duration>
  ) async throws(StartFailure) -> BoundedOutput {
    let run = try BoundedRun(arguments, environment: environment)
    return await withTaskGroup(of: BoundedOutput?.self) { group in
      group.addTask { await run.finish(limit: limit) }
      group.addTask {
        do {
          try await clock.sleep(for: timeout)
          return .timedOut
        } catch {
          return nil
        }
      }
      // The first task to end provides the result. The other one is awaited as well, so that the child has ended.
      var result: BoundedOutput?
      for await ending in group where result == nil {
        result = ending
        group.cancelAll()
      }
      return result ?? .cancelled
    }
  }
}

/// A child process, its bounded output, and its optional input.
final class BoundedRun: Sendable {
  private struct State: Sendable {
    /// Whether the child is reaped. After that, its ID may belong to another process.
    var isReaped = false
    var isStopped = false
    var errors: [UInt8] = []
  }

  /// The maximum number of bytes that are kept from standard error.
  private static let maximumErrors = 64 << 10

  private let child: ChildProcess
  private let input: [UInt8]
  private let inputEnd: CInt
  private let output: CInt
  private let error: CInt
  /// The pipe that is closed when the child is killed, because a process that the child started may hold the output
  /// open.
  private let stopping: Pipe
  private let state = Locked(State())

  /// Starts a child. Without input, the child reads nothing, and its standard error isn't kept.
  init(
    _ arguments: [String], environment: [String: String], input: [UInt8]? = nil
  ) throws(ChildProcess.StartFailure) {
    var pipes: [Pipe] = []
    func pipe() throws(ChildProcess.StartFailure) -> Pipe {
      guard let pipe = Pipe() else {
        let reason = errno
        for pipe in pipes { pipe.closeEnds() }
        throw ChildProcess.StartFailure(program: arguments.first ?? "", errno: reason)
      }
      pipes.append(pipe)
      return pipe
    }
    let (output, stopping) = (try pipe(), try pipe())
    let inputs = input == nil ? nil : try pipe()
    let errors = input == nil ? nil : try pipe()
    do {
      child = try ChildProcess(
        arguments, environment: environment,
        input: inputs.map { .descriptor($0.readingEnd) } ?? .null,
        output: .descriptor(output.writingEnd),
        error: errors.map { .descriptor($0.writingEnd) } ?? .null)
    } catch {
      for pipe in pipes { pipe.closeEnds() }
      throw error
    }
    // While these ends are open, the other ends don't receive the end of file.
    close(output.writingEnd)
    if let inputs {
      close(inputs.readingEnd)
      // The input is non-blocking: a full pipe must not prevent reading the output.
      _ = fcntl(inputs.writingEnd, F_SETFL, O_NONBLOCK)
    }
    if let errors { close(errors.writingEnd) }
    self.input = input ?? []
    inputEnd = inputs?.writingEnd ?? -1
    self.output = output.readingEnd
    error = errors?.readingEnd ?? -1
    self.stopping = stopping
  }

  /// The child's standard error, after ``finish(limit:)``.
  var errors: [UInt8] { state.withLock { $0.errors } }

  /// Exchanges data with the child until it ends. Kills the child if the task is canceled. Call it only once.
  func finish(limit: Int) async -> ChildProcess.BoundedOutput {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        ChildProcess.waiting.async { continuation.resume(returning: self.readAndReap(limit)) }
      }
    } onCancel: {
      stop()
    }
  }

  private func stop() {
    state.withLock { state in
      guard !state.isReaped, !state.isStopped else { return }
      state.isStopped = true
      kill(child.identifier, SIGKILL)
      close(stopping.writingEnd)
    }
  }

  private func readAndReap(_ limit: Int) -> ChildProcess.BoundedOutput {
    let bytes = exchange(limit)
    if bytes.count > limit { stop() }
    // Waits without reaping and without the lock. The child keeps its ID until it is reaped, so `stop` never kills
    // another process.
    var information = unsafe siginfo_t()
    while unsafe waitid(P_PID, id_t(child.identifier), &information, WEXITED | WNOWAIT) == -1,
      errno == EINTR
    {}
    let (termination, isStopped) = state.withLock { state in
      state.isReaped = true
      return (ChildProcess.reap(child.identifier), state.isStopped)
    }
    close(output)
    if error >= 0 { close(error) }
    close(stopping.readingEnd)
    if !isStopped { close(stopping.writingEnd) }
    if bytes.count > limit { return .tooLong }
    return isStopped ? .cancelled : .finished(termination, bytes)
  }

  /// Writes the input, and returns the output.
  private func exchange(_ limit: Int) -> [UInt8] {
    var (bytes, errors): ([UInt8], [UInt8]) = ([], [])
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var written = 0
    // poll(2) skips negative descriptors.
    var waiting = [
      pollfd(fd: output, events: Int16(POLLIN), revents: 0),
      pollfd(fd: error, events: Int16(POLLIN), revents: 0),
      pollfd(fd: inputEnd, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: stopping.readingEnd, events: Int16(POLLIN), revents: 0),
    ]
    /// Reads from a descriptor. Returns whether there may be more.
    func read(_ descriptor: CInt, into bytes: inout [UInt8]) -> Bool {
      let count = unsafe systemRead(descriptor, &buffer, buffer.count)
      if count > 0 { bytes += buffer[..<count] }
      return count > 0 || count < 0 && errno == EINTR
    }
    while bytes.count <= limit, waiting[0].fd >= 0 || waiting[1].fd >= 0 {
      let ready = unsafe poll(&waiting, nfds_t(waiting.count), -1)
      if ready == -1, errno == EINTR { continue }
      guard ready > 0, waiting[3].revents == 0 else { break }
      if waiting[0].revents != 0, !read(output, into: &bytes) { waiting[0].fd = -1 }
      if waiting[1].revents != 0 {
        if !read(error, into: &errors) { waiting[1].fd = -1 }
        errors.removeLast(max(0, errors.count - Self.maximumErrors))
      }
      if waiting[2].revents != 0 {
        let count = unsafe input.withUnsafeBytes { bytes in
          let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
          return unsafe write(inputEnd, rest.baseAddress, rest.count)
        }
        if count > 0 { written += count }
        // A child that has ended, or has closed its input, accepts no more.
        if written == input.count || count < 0 && errno != EINTR && errno != EAGAIN {
          waiting[2].fd = -1
          close(inputEnd)
        }
      }
    }
    if waiting[2].fd >= 0 { close(inputEnd) }
    state.withLock { $0.errors = errors }
    return bytes
  }
}

/// Calls `read(2)`, whose name is hidden by a local function.
private func systemRead(_ descriptor: CInt, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int
{
  unsafe read(descriptor, buffer, count)
}
