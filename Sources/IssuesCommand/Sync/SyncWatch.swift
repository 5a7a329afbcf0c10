internal import IssueMirror
internal import StyledText

/// Syncs repositories repeatedly until it is stopped.
struct SyncWatch: Sendable {
  /// The interval at which lists of repositories, such as an organization's, are requested again.
  private static let listInterval = Duration.seconds(3600)

  let sync: SyncSession
  let selection: SyncSelection
  let shortest: Duration
  /// The fields of JSON lines; nil without JSON.
  let fields: JSONFields?

  /// Syncs the targets. It ends only with a failure that every later round would repeat. The mirror is consistent at
  /// any time that a signal ends it.
  func run(_ targets: SyncTargets) async throws {
    let mirror = try await sync.mirror(for: targets.places)
    let clock = ContinuousClock()
    let elapsed = clock.stopwatch()
    var writer = try SyncWriter(sync.session, fields: fields)
    var schedule = AskingSchedule<Place>(shortest: shortest)
    schedule.replace(with: targets.places, at: elapsed())
    var listedAt = elapsed()
    var isFirstRound = true
    var refused: Set<Place> = []
    while let next = schedule.next {
      let pause = next - elapsed()
      if pause > .zero {
        let count = schedule.count == 1 ? "1 repository" : "\(schedule.count) repositories"
        sync.session.progress.update(
          "Watching \(count), the next sync in \(LocalTime.countdown(pause))")
        try await Task.sleep(for: pause, clock: clock)
      }
      if targets.mayChange, elapsed() - listedAt >= Self.listInterval {
        listedAt = elapsed()
        try await list(&schedule, at: listedAt)
      }
      try await sync.sendAndTell(to: schedule.due(at: elapsed()))
      let due = schedule.due(at: elapsed())
      try await sync.sync(due, to: mirror, throwsOnlyOne: false) { place, result in
        if case .failure(let failure) = result, failure.status == .badCredentials {
          refused.insert(place)
          // Further refused requests could lock the account.
          if refused.count >= schedule.count { throw failure }
        } else {
          refused.remove(place)
        }
        let report = try? result.get()
        schedule.note(place, foundNews: report?.hasNews ?? false, at: elapsed())
        if let report, isFirstRound || report.hasNews { try await writer.write(report) }
      }
      isFirstRound = false
    }
  }

  /// Updates the schedule from the lists. If a list isn't available, the schedule stays the same.
  private func list(_ schedule: inout AskingSchedule<Place>, at now: Duration) async throws {
    do {
      let targets = try await sync.targets(of: selection)
      guard targets.failures.isEmpty else { throw targets.failures[0] }
      schedule.replace(with: targets.places, at: now)
      try await sync.enqueue(targets)
    } catch let failure as CommandFailure where failure.status != .cancelled {
      sync.session.errors.report(failure)
    }
  }
}

extension SyncReport {
  /// Whether anything in the mirror has changed.
  fileprivate var hasNews: Bool {
    inserted + updated + removed + comments.inserted + comments.updated + comments.removed
      + timelines > 0
  }
}
