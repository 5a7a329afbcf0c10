internal import FlyingSocks
internal import PlatformModules

/// One accepted connection, which reads requests and carries out answers at the same time.
///
/// Reading goes on while an answer is held, so that a client's departure is noticed at once: end of file ends the
/// reading task, which cancels the answering one.
struct LoopbackConnection: Sendable {
  private enum Incoming: Sendable {
    case request(LoopbackRequest)
    case continueWanted
    case malformed(String)
  }

  let id: Int
  let socket: AsyncSocket
  let pool: SocketPool<LoopbackEventQueue>
  let log: RequestLog
  let clock: any Clock<Duration>
  let handler: LoopbackServer.Handler
  /// Whether the connection closes after its first response, to let others in.
  let answersOnce: Bool

  /// Serves the connection until either side ends it, then closes it.
  func serve() async {
    let (incoming, inbox) = AsyncStream.makeStream(of: Incoming.self)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await readRequests(into: inbox) }
      group.addTask { await answerRequests(incoming) }
      // Whichever ends first ends the other.
      await group.next()
      group.cancelAll()
    }
    await pool.settle()
    try? socket.close()
    log.connectionClosed(id)
  }

  private func readRequests(into inbox: AsyncStream<Incoming>.Continuation) async {
    var parser = RequestParser()
    do {
      while true {
        parser.append(try await socket.read(atMost: 4096))
        parsing: while true {
          switch try parser.next() {
          case .incomplete:
            break parsing
          case .awaitsContinue:
            inbox.yield(.continueWanted)
            break parsing
          case .request(var request):
            request.connection = id
            inbox.yield(.request(log.arrived(request)))
          }
        }
      }
    } catch let error as RequestParser.Malformed {
      inbox.yield(.malformed(error.reason))
      // Returning would cancel the answer that tells the client so.
      while (try? await socket.read(atMost: 4096)) != nil {}
    } catch {
      // End of file, a reset, or the answering side is done.
    }
  }

  private func answerRequests(_ incoming: AsyncStream<Incoming>) async {
    for await message in incoming {
      switch message {
      case .continueWanted:
        try? await socket.write(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
      case .malformed(let reason):
        let answer = LoopbackResponse.text("\(reason)\n", status: 400)
        let request = LoopbackRequest(method: "GET", target: "/", version: "HTTP/1.0")
        _ = try? await carryOut(answer.wireSteps(for: request))
        return
      case .request(let request):
        if await !answer(request) { return }
      }
    }
  }

  /// Answers one request.
  ///
  /// - Returns: Whether the connection goes on.
  private func answer(_ request: LoopbackRequest) async -> Bool {
    // The handler may take its time to notice a cancellation. The log doesn't.
    var response = await withTaskCancellationHandler {
      await handler(request)
    } onCancel: {
      log.finished(request, .clientWentAway)
    }
    if answersOnce { response.closesConnection = true }
    var hasLeft = false
    defer { if !hasLeft { log.left() } }
    do {
      let goesOn = try await carryOut(response.wireSteps(for: request)) {
        hasLeft = true
        log.left()
      }
      log.finished(request, .answered)
      return goesOn && !answersOnce
    } catch {
      log.finished(request, .clientWentAway)
      return false
    }
  }

  /// Carries out an answer's steps.
  ///
  /// - Parameters:
  ///   - steps: The steps.
  ///   - beforeLastBytes: Called before the last bytes go out: once a client has them, its next request may come,
  ///     on any connection, before this task goes on.
  /// - Returns: Whether the connection goes on.
  /// - Throws: An error if the client is gone or the server stops.
  private func carryOut(
    _ steps: [LoopbackResponse.Step], beforeLastBytes: () -> Void = {}
  ) async throws -> Bool {
    let last = steps.lastIndex { if case .send = $0 { true } else { false } }
    for (index, step) in steps.enumerated() {
      try Task.checkCancellation()
      if index == last { beforeLastBytes() }
      switch step {
      case .pause(.duration(let duration)):
        try await clock.sleep(for: duration)
      case .pause(.gate(let gate)):
        await gate.wait()
        try Task.checkCancellation()
      case .send(let data):
        try await socket.write(data)
      case .stall:
        await Gate().wait()
        throw CancellationError()
      case .close:
        return false
      case .reset:
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
          socket.socket.file.rawValue, SOL_SOCKET, SO_LINGER, &linger,
          socklen_t(MemoryLayout.size(ofValue: linger))
        )
        return false
      }
    }
    return true
  }
}
