internal import Dispatch
internal import Locking

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension ChildProcess {
  /// What came of a program that had only so much time, and room for its output.
  enum BoundedOutput: Sendable, Hashable {
    /// It ended, and wrote this.
    case finished(Termination, [UInt8])

    /// It wrote more than there was room for, and was killed.
    case tooLong

    /// It took too long, and was killed.
    case timedOut

    /// The task that waited was cancelled, and the program killed.
    case cancelled
  }

  /// Runs a program to its end, or kills it, and gives what it wrote to its standard output.
  ///
  /// Its standard input is empty and its standard error discarded. When this returns the program is gone,
  /// and reaped. What the program itself started may go on: it isn't waited for, not even where it holds
  /// the output open.
  ///
  /// - Parameters:
  ///   - arguments: The program and its arguments.
  ///   - environment: The child's whole environment.
  ///   - limit: The most bytes of output that are taken.
  ///   - timeout: How long it may take.
  ///   - clock: What the time is measured with.
  /// - Returns: What came of it.
  /// - Throws: ``StartFailure`` where the program isn't there or can't be run.
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
      // Who ends first says what happened. The other is waited for too: the child shall be gone.
      var result: BoundedOutput?
      for await ending in group where result == nil {
        result = ending
        group.cancelAll()
      }
      return result ?? .cancelled
    }
  }
}

/// A child whose output is being read, and which can be killed at any moment.
private final class BoundedRun: Sendable {
  private struct State: Sendable {
    /// Whether the kernel has forgotten the child. Its number may be another process's from then on.
    var isReaped = false
    /// Whether the child was killed.
    var isStopped = false
  }

  private let child: ChildProcess
  private let output: CInt
  /// Hangs up when the child is killed: something that the child started may hold the output open.
  private let stopping: Pipe
  private let state = Locked(State())

  init(
    _ arguments: [String], environment: [String: String]
  ) throws(ChildProcess.StartFailure) {
    let program = arguments.first ?? ""
    guard let output = Pipe() else {
      throw ChildProcess.StartFailure(program: program, errno: errno)
    }
    guard let stopping = Pipe() else {
      let reason = errno
      output.closeEnds()
      throw ChildProcess.StartFailure(program: program, errno: reason)
    }
    do {
      child = try ChildProcess(
        arguments, environment: environment, input: .null,
        output: .descriptor(output.writingEnd), error: .null)
    } catch {
      output.closeEnds()
      stopping.closeEnds()
      throw error
    }
    // While this end is open, the reading end never sees the end of the file.
    close(output.writingEnd)
    self.output = output.readingEnd
    self.stopping = stopping
  }

  /// Reads to the end, and waits for it; kills the child when the task is cancelled.
  ///
  /// To be called once.
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
    let bytes = outputBytes(limit)
    if bytes.count > limit { stop() }
    // Waited for without reaping, and without the lock: until it is reaped its number stays its own, so
    // that `stop` never kills another process.
    var information = siginfo_t()
    while waitid(P_PID, id_t(child.identifier), &information, WEXITED | WNOWAIT) == -1,
      errno == EINTR
    {}
    let (termination, isStopped) = state.withLock { state in
      state.isReaped = true
      return (ChildProcess.reap(child.identifier), state.isStopped)
    }
    close(output)
    close(stopping.readingEnd)
    if !isStopped { close(stopping.writingEnd) }
    if bytes.count > limit { return .tooLong }
    return isStopped ? .cancelled : .finished(termination, bytes)
  }

  /// Reads until the end of the output, until there is more than `limit`, or until the child is killed.
  private func outputBytes(_ limit: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while bytes.count <= limit {
      var waiting = [
        pollfd(fd: output, events: Int16(POLLIN), revents: 0),
        pollfd(fd: stopping.readingEnd, events: Int16(POLLIN), revents: 0),
      ]
      let ready = poll(&waiting, nfds_t(waiting.count), -1)
      if ready == -1, errno == EINTR { continue }
      guard ready > 0, waiting[1].revents == 0 else { break }
      let count = read(output, &buffer, buffer.count)
      if count > 0 {
        bytes += buffer[..<count]
      } else if count == 0 || errno != EINTR {
        break
      }
    }
    return bytes
  }
}
