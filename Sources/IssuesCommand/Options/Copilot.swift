internal import IssueMirror
internal import IssueTracker

/// GitHub's coding agent, which `@copilot` stands for. Its login isn't fixed, so a repository's own data decides.
enum Copilot {
  static let word = "@copilot"
  private static let name = "copilot"

  /// The bot among the users to whom a repository's issues can be assigned; nil if it isn't one of them.
  static func assignable(
    in repository: RepositoryName, by provider: Provider<GitHub>
  ) async throws(NetworkError) -> Username? {
    let users = PagedListing<GitHub.User>(
      provider: provider, first: .assignees(repositoryFullName: "\(repository)", pageSize: 100))
    for try await page in users {
      let bot = page.items.first { $0.type == "Bot" && $0.login.lowercased().hasPrefix(name) }
      if let bot { return Username(bot.login) }
    }
    return nil
  }

  /// The bot among the authors and assignees in the mirror, which doesn't have the types of users.
  static func mirrored(in place: MirroredPlace) async throws -> Username? {
    let names = try await place.mirror.names(of: place.repository)
    return (names.assignees + names.authors).first {
      [name, "copilot-swe-agent", "copilot-swe-agent[bot]"].contains($0.lowercased())
    }
    .flatMap { Username($0) }
  }

  static func absence(
    from place: String, status: ExitStatus = .notFound
  ) -> CommandFailure {
    CommandFailure(
      status,
      "\(place) doesn't have Copilot among its assignees\n"
        + (status == .leftOut ? "The issue isn't assigned to it." : "Leave out \(word)."))
  }
}
