internal import IssueMirror
internal import StyledText

struct SimilarIssueList: Sendable {
  let query: SimilarIssuesQuery
  let place: MirroredPlace
  let limit: Int
  let session: CommandSession
  let fields: JSONFields?

  func show() async throws {
    let repository = place.repository
    var name = "the text"
    if case .issue(let number) = query.subject {
      name = "\(repository.fullName)#\(number)"
      guard try await place.mirror.sentIssue(number, of: repository) != nil else {
        throw try await MirroredIssueView.absence(of: number, from: place)
      }
    }
    let found = try await place.mirror.similarIssues(to: query, in: repository, limit: limit)
    var writer = try ListWriter<SimilarIssue>(session, fields: fields)
    let noun = found.count == 1 ? "issue" : "\(found.count.grouped) issues"
    try await writer.write(
      found.map(SimilarIssue.init), heading: "The \(noun) most like \(TerminalText(name))")
    try await writer.finish()
    if found.isEmpty, writer.isTable {
      try await writer.tell("Nothing in \(repository.typedName) is like \(name).")
    }
    session.tellFreshness(of: [repository])
  }
}
