internal import IssueMirror
internal import StyledText

/// Shows a person who is about to create an issue the open ones that are like it.
struct SimilarIssueOffer: Sendable {
  private static let most = 3
  /// Unrelated issues reach 0.75: only what has nearly all of the words is worth a question.
  private static let leastScore = 0.8

  let place: Place
  let session: CommandSession

  /// Whether to go on: asks only if there is something to show. Without a mirror there is nothing.
  func isAccepted(title: String, body: String) async throws(CommandFailure) -> Bool {
    guard session.canAsk, let mirrored = try? await session.mirrored(place) else { return true }
    let query = SimilarIssuesQuery(.text(title: title, body: body), state: .open)
    let found = try? await mirrored.mirror.similarIssues(
      to: query, in: mirrored.repository, limit: Self.most)
    let alike = (found ?? []).filter { $0.score >= Self.leastScore }
    guard !alike.isEmpty else { return true }
    session.errors.write(
      alike.count == 1 ? "An open issue is like this one:" : "Open issues are like this one:")
    for result in alike {
      session.errors.write("  #\(result.issue.number)  \(result.issue.title)")
    }
    session.errors.write("(From the mirror, \(mirrored.repository.age()).)", style: .faint)
    return try await Question.ask("Create it all the same?", assumesYes: true)
  }
}
