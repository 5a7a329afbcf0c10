internal import IssueMirror
internal import IssueOutbox
internal import PlatformModules

/// The environment of a tool.
struct ToolContext: Sendable {
  let mirror: any IssueReader
  let mark: StrangerText
  let now: Date

  func head(of repositories: [MirroredRepository]) async throws(MirrorFailure) -> AnswerHead {
    AnswerHead(
      of: try await RepositoryHoldings.all(repositories, in: mirror), mark: mark, now: now)
  }
}

/// Runs calls of tools, and converts failures into messages that a model can act on.
struct MCPToolbox: Sendable {
  let watch: MirrorWatch
  /// Opens the outbox for proposals; nil without them.
  var openOutbox: (@Sendable () throws(CommandFailure) -> Outbox)?

  /// Answers a call. Throws only if the call is canceled.
  func answer(_ call: MCPCall) async throws(CancellationError) -> MCPAnswer {
    do {
      return MCPAnswer(text: try await text(of: call))
    } catch let refusal as ToolRefusal {
      return MCPAnswer(text: refusal.text, isError: true)
    } catch {
      guard !Task.isCancelled else { throw CancellationError() }
      await watch.reopen()
      let refusal = (error as? MirrorFailure).map(ToolRefusal.init) ?? ToolRefusal("\(error)")
      return MCPAnswer(text: refusal.text, isError: true)
    }
  }

  private func text(of call: MCPCall) async throws -> String {
    let values = call.arguments
    // Invalid arguments are refused even without a mirror.
    switch call.tool {
    case .searchIssues:
      let tool = try SearchTool(values)
      return try await tool.text(in: context())
    case .readIssue:
      let tool = try ReadTool(values)
      return try await tool.text(in: context())
    case .relatedIssues:
      let tool = try RelatedTool(values)
      return try await tool.text(in: context())
    case .mirrorStatus:
      let tool = try StatusTool(values)
      return try await tool.text(in: context())
    case .proposeChange:
      let tool = try ProposalTool(values, by: call.clientName)
      guard let openOutbox else {
        throw ToolRefusal(
          "This server doesn't take proposals: a person starts it with --proposals.")
      }
      return try await tool.text(in: context(), openOutbox)
    }
  }

  private func context() async throws -> ToolContext {
    ToolContext(mirror: try await watch.mirror(), mark: StrangerText(), now: Date())
  }
}
