internal import IssueMirror
internal import IssueTracker

/// What of the list is the mirror's.
extension ListLoading {
  /// Reads the mirror.
  var mirror: MirrorLoading { MirrorLoading(source: source) }

  /// Shows what the mirror has, or why there is nothing to show.
  func showMirrored(
    _ query: ListQuery, _ load: () async throws -> BrowserWork.Result
  ) async {
    let result: BrowserWork.Result = await spinning {
      do {
        return try await load()
      } catch {
        return .failure(query, .failed(Self.oneLine(error)))
      }
    }
    await emit(result)
  }

  /// Shows the mirror's issues of a repository where they are young enough, or could be renewed.
  ///
  /// - Parameters:
  ///   - reference: The repository.
  ///   - filter: Which issues.
  ///   - isAnew: Whether they are wanted anew where they are shown already.
  /// - Returns: Whether they are shown. Where not, whatever is wrong, the server is to be asked: it tells.
  func showFresh(
    _ reference: RepositoryReference, _ filter: IssueFilter, isAnew: Bool
  ) async -> Bool {
    guard let freshen = source.freshen else { return false }
    let shown = state()?.sheet.map { sheet in
      sheet.mirror != nil && sheet.reference == reference && sheet.filter == filter
        && sheet.search == nil
    }
    await emit(.loading)
    let sheet = await spinning { () -> IssueSheet? in
      guard (try? await freshen(reference, isAnew && shown == true)) == true else { return nil }
      return try? await mirror.sheet(of: reference, filter, nil)
    }
    guard let sheet, !Task.isCancelled else { return false }
    await emit(.issues(sheet))
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
  /// - Returns: Whether they are shown.
  func standIn(
    for reference: RepositoryReference, _ filter: IssueFilter, isAnew: Bool, turn: Int
  ) async -> Bool {
    if !isAnew, state()?.showsStandIn(of: reference, filter) == true {
      await emit(.settled)
    } else {
      // Whatever is wrong with the mirror: what there is to say is that the server is away.
      guard var sheet = try? await mirror.sheet(of: reference, filter, nil),
        sheet.mirror?.repository.isComplete == true
      else { return false }
      sheet.standing = .offline
      await emit(.issues(sheet))
    }
    await loadAddressed(of: reference)
    await loadNextPages(turn: turn)
    return true
  }

  /// Loads the issue that an address names from the mirror.
  func loadMirroredAddressed(_ number: Int, of reference: RepositoryReference) async {
    do {
      guard let issue = try await mirror.issue(number, of: reference) else {
        return await emit(.message("#\(number) isn't in the mirror"))
      }
      await emit(.addressed(issue))
    } catch {
      await emit(.message(Self.oneLine(error)))
    }
  }
}
