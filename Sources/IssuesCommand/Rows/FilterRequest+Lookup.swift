internal import IssueMirror
internal import StyledText

extension FilterRequest {
  /// Asks the server for what a list can't be asked for without: the login behind `@me`, the milestone behind a
  /// title.
  ///
  /// - Parameters:
  ///   - connection: Who is asked.
  ///   - repository: Whose milestone.
  /// - Returns: The filter.
  /// - Throws: ``CommandFailure``.
  func resolved(
    by connection: Connection, in repository: RepositoryName
  ) async throws -> IssueFilter {
    async let own = namesOwner ? connection.ownLogin() : nil
    async let milestone = milestone(by: connection, in: repository)
    return try await filter(own: own, milestone: milestone?.number)
  }

  /// Looks up in the mirror what a list can't be read without.
  ///
  /// - Returns: The filter.
  /// - Throws: ``CommandFailure``, for `@me` too: who that is, only the server knows.
  func resolved(in place: MirroredPlace) async throws -> IssueFilter {
    guard !namesOwner else {
      throw CommandFailure(
        .usage, "the mirror doesn't know who @me is, and nobody is asked\nName your login.")
    }
    return filter(own: nil, milestone: try await milestone(in: place)?.number)
  }

  /// Finds the milestone on the server; nil where none is to be looked up.
  ///
  /// - Throws: ``CommandFailure`` where there is none.
  func milestone(
    by connection: Connection, in repository: RepositoryName
  ) async throws -> Milestone? {
    guard let milestone, milestone.hasToBeLookedUp else { return nil }
    var known: [Milestone] = []
    let pages = PagedListing<Milestone>(
      provider: connection.provider,
      first: .milestones(repositoryFullName: "\(repository)", pageSize: 100))
    do throws(NetworkError) {
      for try await page in pages { known += page.items }
    } catch {
      throw connection.explanation(of: error, "\(repository)")
    }
    return try found(milestone, known, "\(repository)")
  }

  /// Finds the milestone in the mirror; nil where none is to be looked up.
  ///
  /// - Throws: ``CommandFailure`` where there is none, and `MirrorFailure`.
  func milestone(in place: MirroredPlace) async throws -> Milestone? {
    guard let milestone, milestone.hasToBeLookedUp else { return nil }
    let known = try await place.mirror.milestones(of: place.repository)
    return try found(milestone, known, "the mirror of \(place.repository.fullName)")
  }

  private func found(
    _ milestone: MilestoneArgument, _ known: [Milestone], _ place: String
  ) throws(CommandFailure) -> Milestone {
    if let found = milestone.match(in: known) { return found }
    let name =
      switch milestone {
      case .named(let text): "“\(TerminalText(String(text.prefix(100))))”"
      case .number(let number): "with the number \(number)"
      case .any, .absent: ""
      }
    // The newest are those that somebody may have meant.
    let titles = known.suffix(10).reversed().map { "\(TerminalText(String($0.title.prefix(50))))" }
    let advice = titles.isEmpty ? "It has none." : "There are: \(titles.joined(separator: ", "))."
    throw CommandFailure(.notFound, "\(place) has no milestone \(name)\n\(advice)")
  }
}

extension Connection {
  /// Asks for the login of the token's user.
  fileprivate func ownLogin() async throws -> Username? {
    let user = try await explaining("@me") { (provider) async throws(NetworkError) in
      try await provider.ownProfile()
    }
    guard let login = Username(user.login) else {
      throw CommandFailure(
        .badAnswer,
        "the server gives you a login that is none: “\(TerminalText(user.login.prefix(100)))”")
    }
    return login
  }
}
