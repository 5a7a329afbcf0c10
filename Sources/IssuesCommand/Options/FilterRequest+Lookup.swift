internal import IssueMirror
internal import StyledText

extension FilterRequest {
  /// Asks the server for what a list can't be asked for without: the login behind `@me`, the milestone behind a
  /// title.
  ///
  /// - Parameters:
  ///   - provider: Who is asked.
  ///   - repository: Whose milestone.
  /// - Returns: The filter; else why there is none.
  /// - Throws: `NetworkError`.
  func resolved(
    by provider: Provider<GitHub>, in repository: RepositoryName
  ) async throws(NetworkError) -> Result<IssueFilter, CommandFailure> {
    async let naming = named(by: provider)
    let milestone = try await milestone(by: provider, in: repository)
    let named = try await naming.get()
    return milestone.map { named.filter(milestone: $0?.number) }
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
    return filter(milestone: try await milestone(in: place)?.number)
  }

  /// Finds the milestone on the server; nil where none is to be looked up.
  ///
  /// - Returns: The milestone; else why there is none.
  /// - Throws: `NetworkError`.
  func milestone(
    by provider: Provider<GitHub>, in repository: RepositoryName
  ) async throws(NetworkError) -> Result<Milestone?, CommandFailure> {
    guard let milestone = milestoneToLookUp else { return .success(nil) }
    return found(milestone, try await provider.milestones(of: repository), "\(repository)")
  }

  /// Finds the milestone in the mirror; nil where none is to be looked up.
  ///
  /// - Throws: ``CommandFailure`` where there is none, and `MirrorFailure`.
  func milestone(in place: MirroredPlace) async throws -> Milestone? {
    guard let milestone = milestoneToLookUp else { return nil }
    let known = try await place.mirror.milestones(of: place.repository)
    return try found(milestone, known, "the mirror of \(place.repository.fullName)").get()
  }

  /// The milestone, where only a server or a mirror can say which one it is.
  private var milestoneToLookUp: MilestoneChoice? {
    switch milestone {
    case .title, .number: milestone
    case .any, .absent, nil: nil
    }
  }

  private func found(
    _ milestone: MilestoneChoice, _ known: [Milestone], _ place: String
  ) -> Result<Milestone?, CommandFailure> {
    if let found = milestone.match(in: known) { return .success(found) }
    let name =
      switch milestone {
      case .title(let text): "“\(TerminalText(String(text.prefix(100))))”"
      case .number(let number): "with the number \(number)"
      case .any, .absent: ""
      }
    // The newest are those that somebody may have meant.
    let titles = known.suffix(10).reversed().map { "\(TerminalText(String($0.title.prefix(50))))" }
    let advice = titles.isEmpty ? "It has none." : "There are: \(titles.joined(separator: ", "))."
    return .failure(
      CommandFailure(.notFound, "\(place) has no milestone \(name)\n\(advice)"))
  }

  /// The same with the login of the token's user in the place of `@me`. Where that is nowhere, nobody is asked.
  func named(by provider: Provider<GitHub>) async -> Result<FilterRequest, NetworkError> {
    guard namesOwner else { return .success(self) }
    do throws(NetworkError) {
      let user = try await provider.ownProfile()
      guard let login = Username(user.login) else {
        throw NetworkError(
          .decoding,
          "the server gives you a login that is none: “\(TerminalText(user.login.prefix(100)))”")
      }
      return .success(naming(login))
    } catch {
      return .failure(error)
    }
  }
}
