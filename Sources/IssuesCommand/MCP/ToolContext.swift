internal import IssueMirror
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

  /// Answers a call. Throws only if the call is canceled.
  func answer(
    _ tool: MCPTool, _ values: [String: MCPArgument]
  ) async throws(CancellationError) -> MCPAnswer {
    do {
      return MCPAnswer(text: try await text(tool, values))
    } catch let refusal as ToolRefusal {
      return MCPAnswer(text: refusal.text, isError: true)
    } catch {
      guard !Task.isCancelled else { throw CancellationError() }
      await watch.reopen()
      let refusal = (error as? MirrorFailure).map(ToolRefusal.init) ?? ToolRefusal("\(error)")
      return MCPAnswer(text: refusal.text, isError: true)
    }
  }

  private func text(_ tool: MCPTool, _ values: [String: MCPArgument]) async throws -> String {
    // Invalid arguments are refused even without a mirror.
    switch tool {
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
    }
  }

  private func context() async throws -> ToolContext {
    ToolContext(mirror: try await watch.mirror(), mark: StrangerText(), now: Date())
  }
}
