internal import PlatformModules

/// Listens on 127.0.0.1, and serves each connection on its own thread, which may block.
final class ThreadedListener: Sendable {
  private struct State: Sendable {
    var connections = 0
    var running = 0
    var isStopped = false
  }

  /// The port that it listens on.
  let port: UInt16
  /// Becomes readable when it is time to stop.
  let wakeUp: Int32
  /// Closing it tells every thread to end.
  private let stopping: Int32
  private let listener: Int32
  private let state = Watched(State())

  init() throws {
    (listener, port) = try LoopbackSocket.listen()
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      let failure = ChildProcess.Failure(call: "pipe", code: errno)
      close(listener)
      throw failure
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (wakeUp, stopping) = (ends[0], ends[1])
  }

  /// How many connections it has accepted.
  var connectionCount: Int { state.read { $0.connections } }

  /// Accepts connections until it is stopped.
  ///
  /// - Parameter serve: Serves a connection on its own thread until either side is done or ``wakeUp`` is readable. The
  ///   descriptor is closed afterwards.
  func start(serve: @escaping @Sendable (Int32) -> Void) {
    state.update { $0.running += 1 }
    OwnThread.start { [self] in
      while let client = accept() {
        state.update {
          $0.connections += 1
          $0.running += 1
        }
        OwnThread.start { [self] in
          LoopbackSocket.blockPipeSignal()
          serve(client)
          close(client)
          state.update { $0.running -= 1 }
        }
      }
      state.update { $0.running -= 1 }
    }
  }

  /// Stops listening, closes every connection, and waits until both are done.
  func stop() async {
    let isFirst = state.update { state in
      defer { state.isStopped = true }
      return !state.isStopped
    }
    guard isFirst else { return }
    close(stopping)
    // Uncancellable: the threads use the descriptors that are closed next.
    await Task { [state] in _ = try? await state.value { $0.running == 0 ? () : nil } }.value
    close(wakeUp)
    close(listener)
  }

  private func accept() -> Int32? {
    while true {
      guard LoopbackSocket.wait(for: [(listener, LoopbackSocket.readable)], or: wakeUp) else {
        return nil
      }
      let client = LoopbackSocket.accept(on: listener)
      if client >= 0 { return client }
    }
  }
}
