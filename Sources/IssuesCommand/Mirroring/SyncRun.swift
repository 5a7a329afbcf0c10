internal import HTTPTargets
internal import IssueMirror
internal import Locking

/// Syncs repositories one after the other, tells how it goes, and what came of each.
struct SyncRun: Sendable {
  let mirror: any IssueStore
  let session: CommandSession
  let options: RepositorySync.Options
  let fields: JSONFields?

  /// Syncs them all.
  ///
  /// - Throws: ``CommandFailure`` with the status of the first that failed, when the others are done; at once
  ///   what concerns them all, such as a full disk.
  func sync(_ places: [SyncPlan.Place]) async throws {
    Interrupt.sayThatSyncGoesOn()
    var writer = try SyncWriter(session, fields: fields)
    var failures: [CommandFailure] = []
    for place in places {
      let report: SyncReport
      do throws(CommandFailure) {
        report = try await sync(place)
      } catch {
        guard places.count > 1, error.status != .cancelled, error.status != .output else {
          throw error
        }
        session.errors.write("issues: \(error.message)")
        failures.append(error)
        continue
      }
      try await writer.write(report)
    }
    try await writer.finish()
    if let first = failures.first {
      throw CommandFailure(
        first.status, "\(failures.count) of \(places.count) repositories could not be synced")
    }
  }

  /// Syncs one, and shows on the status line how it goes.
  func sync(_ place: SyncPlan.Place) async throws(CommandFailure) -> SyncReport {
    let meter = Locked(SyncMeter(name: "\(place.name)"))
    let elapsed = ContinuousClock().stopwatch()
    let sync = RepositorySync(
      store: mirror, provider: place.connection.provider, server: place.connection.server,
      name: place.name, options: options)
    session.progress.update("Looking up \(place.name)…")
    // What came of it stands alone, until something else is said.
    defer { session.progress.update("") }
    do {
      return try await sync.run { [progress = session.progress] state in
        let text = meter.withLock { $0.text(of: state, at: elapsed()) }
        if let text { progress.update(text) }
      }
    } catch let failure as MirrorFailure {
      throw CommandFailure(failure)
    } catch let error as NetworkError {
      let failure = place.connection.explanation(of: error, "\(place.name)")
      guard let news = meter.withLock({ $0.news }), failure.status != .cancelled else {
        throw failure
      }
      throw CommandFailure(
        failure.status,
        "the sync of \(place.name) broke off after \(news), and will go on there: "
          + failure.message)
    } catch {
      throw CommandFailure(error is CancellationError ? .cancelled : .failed, "\(error)")
    }
  }
}
