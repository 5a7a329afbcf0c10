/// Lets a spinner turn as long as something is under way, and not a moment longer: an idle screen costs
/// nothing.
struct Spinner: Sendable {
  private static let interval = Duration.milliseconds(100)

  let clock: any Clock<Duration>

  /// Does some work, and meanwhile tells at regular times that the next picture is due.
  func turning<Result: Sendable>(
    _ tell: @escaping @Sendable () async -> Void, during work: () async -> Result
  ) async -> Result {
    await withDiscardingTaskGroup { group in
      group.addTask { [clock] in
        while (try? await clock.sleep(for: Self.interval)) != nil { await tell() }
      }
      let result = await work()
      group.cancelAll()
      return result
    }
  }
}
