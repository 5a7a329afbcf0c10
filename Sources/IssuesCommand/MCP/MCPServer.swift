/// Carries out the actions of the dialogue. Calls run concurrently. A canceled call doesn't send anything more.
actor MCPServer {
  /// Runs a tool. Throws if the call is canceled.
  typealias Answering =
    @Sendable (MCPCall) async throws(CancellationError) -> MCPAnswer

  private let answer: Answering
  private let wire: Output
  private let errors: ErrorOutput
  private var dialogue: MCPDialogueStateMachine
  private var calls: [Int: (identifier: MCPIdentifier, task: Task<Void, Never>)] = [:]
  private var lastCall = 0
  private var isClosed = false

  init(
    wire: Output, errors: ErrorOutput, toolset: MCPToolset = .reading, answer: @escaping Answering
  ) {
    (self.wire, self.errors, self.answer) = (wire, errors, answer)
    dialogue = MCPDialogueStateMachine(toolset)
  }

  deinit {
    for call in calls.values { call.task.cancel() }
  }

  /// Handles messages until the client closes its end.
  func serve(_ input: LineInput) async {
    while !isClosed {
      switch await input.next() {
      case .line(let line):
        // An empty line from a client isn't a message.
        guard line.contains(where: { $0 > UInt8(ascii: " ") }) else { continue }
        await carryOut(dialogue.received(MCPMessage(line: line)))
      case .tooLong:
        let reason = "a message can have at most \(LineInput.longestLine >> 20) MiB"
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
    let task = Task { [answer] in
      guard let answer = try? await answer(call) else { return }
      await end(key, MCPReply(call.identifier, .answer(answer), call.era))
    }
    calls[key] = (call.identifier, task)
  }

  private func end(_ key: Int, _ reply: MCPReply) async {
    // A canceled call was removed, and its client must not receive a response.
    guard calls[key] != nil else { return }
    await send(reply)
    // The call is removed only now, because finishing waits for the calls in the table.
    calls[key] = nil
  }

  private func send(_ reply: MCPReply) async {
    do throws(OutputError) {
      try await wire.write(reply.line)
    } catch {
      isClosed = true
    }
  }

  /// The time to finish calls. A client that closes its end kills the process after two seconds. Calls take
  /// milliseconds.
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
