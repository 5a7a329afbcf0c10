internal import IssueTracker

/// Requests the first page of the list at an interval. If nothing has changed, GitHub responds with 304, which doesn't
/// count against a token's limit. Without a token it counts, so the list isn't refreshed.
struct RefreshLoading: Sendable {
  let source: BrowserSource
  let clock: any Clock<Duration>
  /// The current state; nil once the work is superseded.
  let state: @Sendable () -> BrowserState?
  let emit: BrowserWork.Emit

  func load(every interval: Duration) async {
    while (try? await clock.sleep(for: interval)) != nil {
      guard let state = state() else { return }
      guard let list = state.refreshedList,
        let connection = try? await source.connection(to: list.reference.host),
        connection.hasToken,
        // A failure isn't reported, because the user didn't request anything.
        let asked = try? await connection.provider.numberingMilestone(
          of: list.filter, in: list.name),
        let (page, _) = try? await IssuesPage.load(
          IssuesPage.first(of: list.name.description, asked), in: .repository(list.reference),
          from: connection.provider)
      else { continue }
      await emit(.refreshed(page, of: list.filter))
    }
  }
}
