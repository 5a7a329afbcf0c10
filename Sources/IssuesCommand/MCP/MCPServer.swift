internal import ConcurrencyPrimitives

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Carries out what the dialogue decides. Calls run side by side; what is cancelled sends nothing more.
actor MCPServer {
  private let toolbox: MCPToolbox
  private let wire: Output
  private let errors: ErrorOutput
  private var dialogue = MCPDialogueStateMachine()
  private var calls: [Int: (identifier: MCPIdentifier, task: Task<Void, Never>)] = [:]
  private var lastCall = 0
  private var isClosed = false

  init(toolbox: MCPToolbox, wire: Output, errors: ErrorOutput) {
    (self.toolbox, self.wire, self.errors) = (toolbox, wire, errors)
  }

  deinit {
    for call in calls.values { call.task.cancel() }
  }

  /// Serves until the client closes its end.
  func serve(_ input: LineInput) async {
    while !isClosed {
      switch await input.next() {
      case .line(let line):
        // A client's blank line is no message.
        guard line.contains(where: { $0 > UInt8(ascii: " ") }) else { continue }
        await carryOut(dialogue.received(MCPMessage(line: line)))
      case .tooLong:
        let reason = "a message has at most \(LineInput.longestLine >> 20) MiB"
        await send(MCPReply(nil, .error(.invalidRequest, reason)))
      case nil: return await finish()
      }
    }
  }

  private func carryOut(_ action: MCPDialogueStateMachine.Action) async {
    switch action {
    case .reply(let reply): await send(reply)
    case .call(let call): begin(call)
    case .cancel(let identifier):
      for (key, call) in calls where call.identifier == identifier {
        call.task.cancel()
        calls[key] = nil
      }
    case .ignore(let reason):
      if let reason { errors.write("issues: ignored \(reason)") }
    }
  }

  private func begin(_ call: MCPCall) {
    lastCall += 1
    let key = lastCall
    let task = Task { [toolbox] in
      guard let answer = try? await toolbox.answer(call.tool, call.arguments) else { return }
      await end(key, MCPReply(call.identifier, .answer(answer), call.era))
    }
    calls[key] = (call.identifier, task)
  }

  private func end(_ key: Int, _ reply: MCPReply) async {
    // A cancelled call has gone, and its client must not hear of it again.
    guard calls.removeValue(forKey: key) != nil else { return }
    await send(reply)
  }

  private func send(_ reply: MCPReply) async {
    do throws(OutputError) {
      try await wire.write(reply.line)
    } catch {
      isClosed = true
    }
  }

  /// A client that closes its end kills the process after two seconds. Calls take milliseconds.
  private static let patience = Duration.milliseconds(1_500)

  private func finish() async {
    let tasks = calls.values.map(\.task)
    guard !tasks.isEmpty else { return }
    let end = Task {
      try await Task.sleep(for: Self.patience)
      for task in tasks { task.cancel() }
    }
    for task in tasks { await task.value }
    end.cancel()
  }
}

/// Standard input by lines, read when they are asked for: a client that sends faster waits.
actor LineInput {
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe queue.asUnownedSerialExecutor() }

  enum Item: Sendable, Equatable {
    case line([UInt8])
    /// The line was skipped.
    case tooLong
  }

  /// In bytes. The longest argument has some thousands.
  static let longestLine = 4 << 20
  private static let chunk = 64 << 10

  private nonisolated let queue = BlockingQueue(label: "standard input")
  private let descriptor: CInt
  private let limit: Int
  private var buffer: [UInt8] = []
  /// What of the buffer was returned, and what was searched for a line break.
  private var (begin, searched) = (0, 0)
  private var isSkipping = false
  private var isAtEnd = false

  init(descriptor: CInt = STDIN_FILENO, limit: Int = LineInput.longestLine) {
    (self.descriptor, self.limit) = (descriptor, limit)
  }

  /// The next line without its end; nil at the end. A last line needs no line break.
  func next() -> Item? {
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        return take(upTo: end)
      }
      searched = buffer.count
      if buffer.count - begin > limit {
        isSkipping = true
        buffer = []
        (begin, searched) = (0, 0)
      }
      guard !isAtEnd else {
        guard begin < buffer.count || isSkipping else { return nil }
        return take(upTo: buffer.count)
      }
      fill()
    }
  }

  private func take(upTo end: Int) -> Item {
    let line = Array(buffer[begin..<end])
    begin = min(end + 1, buffer.count)
    searched = begin
    if begin == buffer.count {
      buffer = []
      (begin, searched) = (0, 0)
    }
    defer { isSkipping = false }
    return isSkipping || line.count > limit ? .tooLong : .line(line)
  }

  private func fill() {
    if begin > 0 {
      buffer.removeFirst(begin)
      searched -= begin
      begin = 0
    }
    var chunk = [UInt8](repeating: 0, count: Self.chunk)
    let count = unsafe read(descriptor, &chunk, chunk.count)
    if count > 0 {
      buffer += chunk[..<count]
    } else if count == 0 {
      isAtEnd = true
    } else if errno == EAGAIN || errno == EWOULDBLOCK {
      var query = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      _ = unsafe poll(&query, 1, -1)
    } else if errno != EINTR {
      isAtEnd = true
    }
  }
}
