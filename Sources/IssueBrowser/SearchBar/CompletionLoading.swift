internal import IssueTracker

/// Finds the names that complete what is typed.
///
/// What the user looked at is known at once. The server is asked for names with an owner only, when nothing
/// was typed for a while: without one the list shows what the same search finds, and few searches are free
/// in a minute. Where nobody is asked, it is the mirrored repositories. Whatever fails is left out.
struct CompletionLoading: Sendable {
  /// As ``Reactive/Autocomplete`` has it.
  private static let pause = Duration.milliseconds(300)

  let source: BrowserSource
  let clock: any Clock<Duration>
  /// Tells the state a result.
  let emit: BrowserWork.Emit

  /// Finds the names for a text, the best first: those that are known, then those that the server knows too.
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

  /// What is mirrored.
  private func mirrored(_ text: String) async -> [Prediction] {
    guard let server = try? await source.server(of: nil),
      let repositories = try? await MirrorLoading(source: source)
        .repositories(matching: "", on: server.host)
    else { return [] }
    return RepositoryRanking(for: text).predictions(
      of: repositories.map { RepositoryCandidate(name: $0.fullName, source: .recent) })
  }
}
