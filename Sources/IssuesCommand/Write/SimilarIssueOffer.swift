internal import IssueMirror
internal import StyledText

/// Shows similar open issues to a user who is about to create an issue.
struct SimilarIssueOffer: Sendable {
  private static let most = 3
  /// The minimum score. Unrelated issues reach 0.75, so only an issue with nearly all of the words is worth a question.
  private static let leastScore = 0.8

  let place: Place
  let session: CommandSession

  /// Whether to continue. It asks the user only if there are similar issues. Without a mirror, none are found.
  func isAccepted(title: String, body: String) async throws(CommandFailure) -> Bool {
    guard session.canAsk, let mirrored = try? await session.mirrored(place) else { return true }
    let query = SimilarIssuesQuery(.text(title: title, body: body), state: .open)
    let found = try? await mirrored.mirror.similarIssues(
      to: query, in: mirrored.repository, limit: Self.most)
    let alike = (found ?? []).filter { $0.score >= Self.leastScore }
    guard !alike.isEmpty else { return true }
    session.errors.write(
      alike.count == 1
        ? "An open issue is similar to this one:" : "Open issues are similar to this one:")
    for result in alike {
      session.errors.write("  #\(result.issue.number)  \(result.issue.title)")
    }
    session.errors.write("(From the mirror, \(mirrored.repository.age()).)", style: .faint)
    return try await Question.ask("Create it anyway?", assumesYes: true)
  }
}
