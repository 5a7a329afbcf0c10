internal import IssueMirror

/// The tool `mirror_status`: the mirrored repositories, their age, and instructions for a person to renew them.
struct StatusTool: Sendable {
  private let repository: RepositoryReference?

  init(_ values: [String: MCPArgument]) throws(ToolRefusal) {
    repository = try MCPArguments(values, known: ["repo"]).repository()
  }

  func text(in context: ToolContext) async throws -> String {
    let repositories =
      if let repository { [try await context.mirror.repository(of: repository)] } else {
        try await context.mirror.repositories()
      }
    let holdings = try await RepositoryHoldings.all(repositories, in: context.mirror)
    var head = AnswerHead(of: holdings, mark: nil, now: context.now)
    if repositories.isEmpty {
      head.add("Nothing is mirrored. Ask the user to run: issues sync OWNER/REPO")
    }
    var mirrors: [OrderedJSON] = []
    func answer(_ more: Int) -> OrderedJSON {
      let tail: [OrderedJSON.Member] =
        more > 0
        ? [("leftOut", .integer(more)), ("hint", .string("Name one of the others with repo."))] : []
      return .object(
        head.members + [("total", .integer(holdings.count)), ("mirrors", .array(mirrors))] + tail)
    }
    var left = AnswerBound.usual - answer(.max).text.utf16.count
    for holding in holdings {
      let mirror = try await entry(holding, context)
      left -= mirror.text.utf16.count + 1
      guard left >= 0 else { break }
      mirrors.append(mirror)
    }
    return answer(holdings.count - mirrors.count).text
  }

  private func entry(
    _ holding: RepositoryHoldings, _ context: ToolContext
  ) async throws(MirrorFailure) -> OrderedJSON {
    let repository = holding.repository
    let counts = try await context.mirror.counts(of: repository)
    let head = AnswerHead(of: [holding], mark: nil, now: context.now)
    let sync = repository.syncCommand
    return .object([
      ("repo", .string(repository.typedName)),
      ("asOf", head.asOf.map { .string(Timestamp.string(from: $0)) } ?? .null),
      ("ageHours", head.ageHours.map(OrderedJSON.tenths) ?? .null),
      ("complete", .boolean(holding.missing.isEmpty)), ("missing", .strings(holding.missing)),
      ("issues", .integer(counts.open + counts.closed)), ("open", .integer(counts.open)),
      ("prs", .integer(counts.pullRequests)), ("openPrs", .integer(counts.openPullRequests)),
      ("comments", .integer(counts.comments)),
      ("refresh", .string(repository.commentsSyncedTo == nil ? sync : "\(sync) --comments")),
    ])
  }
}
