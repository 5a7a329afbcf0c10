internal import IssueOutbox
internal import IssueTracker

/// Keeps changes, sends them, and shows what became of them.
struct ActingLoading: Sendable {
  /// How long a change can be undone before it is sent.
  static let grace = Duration.seconds(5)

  let source: BrowserSource
  let clock: any Clock<Duration>
  /// nil once the screen is closed.
  let state: @Sendable () -> BrowserState?
  let emit: BrowserWork.Emit

  func carryOut(_ work: ActingWork) async {
    guard let outbox = source.outbox else {
      switch work {
      case .check(_, let revision): return await tell(.refused(Self.absence, revision: revision))
      case .submit(let id): return await tell(.notAdded(Self.absence, batch: id))
      case .undo: return
      }
    }
    switch work {
    case .check(let repository, let revision):
      do {
        try await outbox.check(repository)
      } catch {
        await tell(.refused("\(error)", revision: revision))
      }
    case .submit(let id):
      guard let batch = state()?.acting[batch: id] else { return }
      await submit(batch, outbox)
    case .undo(let batch):
      var failure: String?
      do {
        try await outbox.drop(batch.entries)
      } catch {
        failure = "\(error)"
      }
      await follow(nil)
      await tell(.undone(batch, failure: failure))
    }
  }

  private static let absence = "Issues can't be changed on this screen."

  private func tell(_ result: ActingResult) async { await emit(.acting(result)) }

  private func submit(_ batch: ActingState.Batch, _ outbox: any BrowserOutbox) async {
    let ids: [OutboxEntry.ID]
    do {
      ids = try await outbox.add(batch.changes, to: batch.repository).map(\.id)
    } catch {
      return await tell(.notAdded("\(error)", batch: batch.id))
    }
    await tell(.added(ids, batch: batch.id))
    await follow(nil)
    guard !source.isOffline else { return await tell(.phase(.kept, batch: batch.id)) }
    try? await clock.sleep(for: Self.grace)
    guard await begin(batch.id, after: .waiting) else { return }
    await send(ids, of: batch, outbox)
  }

  /// Whether the batch is still there to be sent: from then on it can't be undone.
  private func begin(_ id: Int, after phase: ActingState.Batch.Phase) async -> Bool {
    guard state()?.acting[batch: id]?.phase == phase else { return false }
    await tell(.phase(.sending, batch: id))
    return state()?.acting[batch: id]?.phase == .sending
  }

  private func send(
    _ ids: [OutboxEntry.ID], of batch: ActingState.Batch, _ outbox: any BrowserOutbox
  ) async {
    while true {
      var waiting = Set(ids)
      var latest: [OutboxEntry.ID: OutboxEntry] = [:]
      var obstacle: (any Error)?
      do {
        for try await event in outbox.send(ids) {
          guard case .changed(let entry) = event, waiting.contains(entry.id) else { continue }
          latest[entry.id] = entry
          guard [.sent, .refused, .conflict].contains(entry.state) else { continue }
          waiting.remove(entry.id)
          await tell(.settled(entry, batch: batch.id))
          await follow(SentChange(entry))
        }
      } catch {
        obstacle = error
      }
      for entry in latest.values where entry.state == .unknown {
        waiting.remove(entry.id)
        await tell(.settled(entry, batch: batch.id))
      }
      await follow(nil)
      if waiting.isEmpty, obstacle == nil { return await tell(.ended(batch: batch.id)) }
      let reason = obstacle.map { "\($0)" } ?? waiting.lazy.compactMap { latest[$0]?.reason }.first
      await tell(.kept(reason ?? "it waits for another change", batch: batch.id))
      guard (obstacle as? BrowserOutboxFailure)?.isNetworkAway == true,
        let connection = try? await source.connection(to: batch.repository.host)
      else { return }
      connection.reachability.reportFailure()
      await connection.reachability.waitUntilReachable()
      guard await begin(batch.id, after: .kept) else { return }
    }
  }

  /// Shows what waits now in the list on the screen.
  private func follow(_ sent: SentChange?) async {
    guard let sheet = state()?.sheet,
      let host = try? await source.server(of: sheet.reference.host).host
    else { return }
    let pending = await source.pending(of: sheet.reference, sheet.repository, on: host)
    await tell(.pending(pending, of: sheet.reference, sent))
  }
}

extension BrowserSource {
  /// What isn't sent yet under the present name of a repository, or else under the one that was typed.
  func pending(
    of reference: RepositoryReference, _ repository: Repository?, on host: String
  ) async -> PendingChanges? {
    if let name = repository.flatMap({ RepositoryName($0.fullName) }), name != reference.name,
      let pending = await pending(name, host)
    {
      return pending
    }
    return await pending(reference.name, host)
  }
}
