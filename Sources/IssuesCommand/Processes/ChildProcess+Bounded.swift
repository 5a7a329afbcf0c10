internal import ConcurrencyPrimitives
internal import Dispatch

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension ChildProcess {
  enum BoundedOutput: Sendable, Hashable {
    case finished(Termination, [UInt8])

    case tooLong

    case timedOut

    /// The waiting task was cancelled, and the program killed.
    case cancelled
  }

  /// Runs a program without input to its end, or kills it, and returns its standard output, at most `limit` bytes.
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
      // The first task to end decides. The other is awaited too, so that the child is gone.
      var result: BoundedOutput?
      for await ending in group where result == nil {
        result = ending
        group.cancelAll()
      }
      return result ?? .cancelled
    }
  }
}

private final class BoundedRun: Sendable {
  private struct State: Sendable {
    /// Once the kernel has forgotten the child, its id may be another process's.
    var isReaped = false
    var isStopped = false
  }

  private let child: ChildProcess
  private let output: CInt
  /// Hangs up when the child is killed, since a process that it started may hold the output open.
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
    // While this end is open, the reading end sees no end of file.
    close(output.writingEnd)
    self.output = output.readingEnd
    self.stopping = stopping
  }

  /// Kills the child when the task is cancelled. Call it once.
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
    // Wait without reaping and without the lock: the child keeps its id until then, so `stop` never kills another
    // process.
    var information = unsafe siginfo_t()
    while unsafe waitid(P_PID, id_t(child.identifier), &information, WEXITED | WNOWAIT) == -1,
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

  private func outputBytes(_ limit: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while bytes.count <= limit {
      var waiting = [
        pollfd(fd: output, events: Int16(POLLIN), revents: 0),
        pollfd(fd: stopping.readingEnd, events: Int16(POLLIN), revents: 0),
      ]
      let ready = unsafe poll(&waiting, nfds_t(waiting.count), -1)
      if ready == -1, errno == EINTR { continue }
      guard ready > 0, waiting[1].revents == 0 else { break }
      let count = unsafe read(output, &buffer, buffer.count)
      if count > 0 {
        bytes += buffer[..<count]
      } else if count == 0 || errno != EINTR {
        break
      }
    }
    return bytes
  }
}
