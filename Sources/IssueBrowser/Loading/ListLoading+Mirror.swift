internal import IssueMirror
internal import IssueTracker

/// What of the list is the mirror's.
extension ListLoading {
  /// Reads the mirror.
  var mirror: MirrorLoading { MirrorLoading(source: source) }

  /// Shows what the mirror has, or why there is nothing to show.
  func showMirrored(
    _ query: ListQuery, _ emit: @escaping Emit,
    _ load: () async throws -> BrowserReactor.Mutation
  ) async {
    let mutation: BrowserReactor.Mutation = await spinning(emit) {
      do {
        return try await load()
      } catch {
        return .fail(query, .failed(Self.oneLine(error)))
      }
    }
    await emit(mutation)
  }

  /// Shows the mirror's issues of a repository where they are young enough, or could be renewed.
  ///
  /// - Parameters:
  ///   - reference: The repository.
  ///   - filter: Which issues.
  ///   - isAnew: Whether they are wanted anew where they are shown already.
  ///   - emit: Hands on what comes of it.
  /// - Returns: Whether they are shown. Where not, whatever is wrong, the server is to be asked: it tells.
  func showFresh(
    _ reference: RepositoryReference, _ filter: IssueFilter, isAnew: Bool, _ emit: @escaping Emit
  ) async -> Bool {
    guard let freshen = source.freshen else { return false }
    let shown = state()?.sheet.map { sheet in
      sheet.mirror != nil && sheet.reference == reference && sheet.filter == filter
        && sheet.search == nil
    }
    await emit(.setLoading)
    let sheet = await spinning(emit) { () -> IssueSheet? in
      guard (try? await freshen(reference, isAnew && shown == true)) == true else { return nil }
      return try? await mirror.sheet(of: reference, filter, nil)
    }
    guard let sheet, !Task.isCancelled else { return false }
    await emit(.showIssues(sheet))
    return true
  }

  /// The mirrored repositories that words find.
  func mirrored(matching text: String) async throws -> RepositorySearchState {
    let repositories = try await mirror.repositories(
      matching: text, on: try await source.server(of: nil).host)
    var found = RepositorySearchState(query: text)
    found.apply(
      .page(RepositorySearchPage(repositories: repositories, totalCount: repositories.count)))
    return found
  }

  /// Shows the mirror's issues of a repository whose server can't be reached, where it has them all; what is
  /// shown of them already stays as it is.
  ///
  /// - Parameters:
  ///   - reference: The repository.
  ///   - filter: Which issues.
  ///   - isAnew: Whether the mirror is read again where its issues are shown already.
  ///   - turn: Whose turn it is to load pages.
  ///   - emit: Hands on what comes of it.
  ///   - read: Opens the issue that the entered address names.
  /// - Returns: Whether they are shown.
  func standIn(
    for reference: RepositoryReference, _ filter: IssueFilter, isAnew: Bool, turn: Int,
    _ emit: @escaping Emit, _ read: @Sendable (Issue) -> Void
  ) async -> Bool {
    if !isAnew, state()?.showsStandIn(of: reference, filter) == true {
      await emit(.settle)
    } else {
      // Whatever is wrong with the mirror: what there is to say is that the server is away.
      guard var sheet = try? await mirror.sheet(of: reference, filter, nil),
        sheet.mirror?.repository.isComplete == true
      else { return false }
      sheet.standing = .offline
      await emit(.showIssues(sheet))
    }
    await loadAddressed(of: reference, emit, read)
    await loadNextPages(turn: turn, emit)
    return true
  }

  /// Loads the issue that an address names from the mirror.
  func loadMirroredAddressed(
    _ number: Int, of reference: RepositoryReference, _ emit: @escaping Emit,
    _ read: @Sendable (Issue) -> Void
  ) async {
    do {
      guard let issue = try await mirror.issue(number, of: reference) else {
        return await emit(.say("#\(number) isn't in the mirror"))
      }
      read(issue)
    } catch {
      await emit(.say(Self.oneLine(error)))
    }
  }
}
