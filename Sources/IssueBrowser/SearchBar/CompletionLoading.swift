internal import IssueTracker

/// Loads completions of names. The history completes names at once. The server completes them after a pause, and only
/// names with an owner: for other text, the list shows the results of the same search, and GitHub allows few searches
/// per minute. Failures aren't reported.
struct CompletionLoading: Sendable {
  /// The same pause as in ``Reactive/Autocomplete``.
  private static let pause = Duration.milliseconds(300)

  let source: BrowserSource
  let clock: any Clock<Duration>
  let emit: BrowserWork.Emit

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

  private func mirrored(_ text: String) async -> [Prediction] {
    guard let server = try? await source.server(of: nil),
      let repositories = try? await MirrorLoading(source: source)
        .repositories(matching: "", on: server.host)
    else { return [] }
    return RepositoryRanking(for: text).predictions(
      of: repositories.map { RepositoryCandidate(name: $0.fullName, source: .recent) })
  }
}
