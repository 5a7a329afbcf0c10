internal import IssueTracker

/// Finds names that complete the text of the search bar.
///
/// The history comes at once. The server is asked after a pause, and only for names with an owner: without an
/// owner the list shows what the same search finds, and GitHub allows few searches a minute. Offline the names are
/// those of the mirrored repositories. Failures are silent.
struct CompletionLoading: Sendable {
  /// As ``Reactive/Autocomplete`` has it.
  private static let pause = Duration.milliseconds(300)

  let source: BrowserSource
  let clock: any Clock<Duration>
  let emit: BrowserWork.Emit

  /// Finds names, the best first: those of the history, then those of the server too.
  func load(_ text: String) async {
    if source.isOffline { return await emit(.completions(await mirrored(text))) }
    guard let connection = try? await source.connection(to: nil) else { return }
    let completion = RepositoryCompletion(
      provider: connection.provider, server: connection.server, history: source.history,
      asksForOwn: connection.hasToken)
    let known = await completion.recent(for: text)
    let recent = RepositoryRanking(for: text).predictions(of: known)
    if !recent.isEmpty { await emit(.completions(recent)) }
    guard text.contains("/"), (try? await clock.sleep(for: Self.pause)) != nil,
      let found = try? await completion.predictions(for: text)
    else { return }
    await emit(.completions(found))
  }

  /// The names of the mirrored repositories.
  private func mirrored(_ text: String) async -> [Prediction] {
    guard let server = try? await source.server(of: nil),
      let repositories = try? await MirrorLoading(source: source)
        .repositories(matching: "", on: server.host)
    else { return [] }
    return RepositoryRanking(for: text).predictions(
      of: repositories.map { RepositoryCandidate(name: $0.fullName, source: .recent) })
  }
}
