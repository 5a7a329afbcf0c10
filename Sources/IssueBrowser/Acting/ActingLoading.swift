internal import IssueOutbox
internal import IssueTracker
internal import PlatformModules

/// Saves changes, sends them, and shows the results.
struct ActingLoading: Sendable {
  /// The time in which a change can be undone before it is sent.
  static let grace = Duration.seconds(5)

  let source: BrowserSource
  let clock: any Clock<Duration>
  let now: @Sendable () -> Date
  /// The current state; nil once the screen is closed.
  let state: @Sendable () -> BrowserState?
  let emit: BrowserWork.Emit

  func carryOut(_ work: ActingWork) async {
    guard let outbox = source.outbox else {
      switch work {
      case .check(_, let revision): await tell(.refused(Self.absence, revision: revision))
      case .submit(let id): await tell(.notAdded(Self.absence, batch: id))
      case .compose, .run: await tell(.notComposed(Self.absence))
      case .readOutbox: await tell(.failed(Self.absence))
      case .deliver, .undo, .follow, .names, .decide: break
      }
      return
    }
    switch work {
    case .check(let repositories, let revision):
      do {
        for repository in repositories
        where try await outbox.check(repository) != .gitHub {
          await tell(.lacksReasons(revision: revision))
        }
      } catch {
        await tell(.refused("\(error)", revision: revision))
      }
    case .submit(let id):
      guard let batch = state()?.acting[batch: id] else { return }
      do {
        let ids = try await outbox.add(batch.changes).map(\.id)
        await tell(.added(ids, batch: id))
      } catch {
        await tell(.notAdded("\(error)", batch: id))
      }
    case .deliver(let id, let atOnce):
      await follow(nil)
      guard !source.isOffline else { return await tell(.phase(.kept, batch: id)) }
      if !atOnce { try? await clock.sleep(for: Self.grace) }
      guard let batch = await begin(id, after: .waiting) else { return }
      await send(batch, outbox)
    case .undo(let batch):
      let failure = await self.failure(of: { try await drop(batch.entries, from: outbox.opened()) })
      await follow(nil)
      await tell(.undone(batch, failure: failure))
    case .follow: await follow(nil)
    case .compose(let composition):
      do {
        await tell(.composed(try await outbox.compose(composition)))
      } catch {
        await tell(.notComposed("\(error)"))
      }
    case .run(let command, let page):
      do {
        await tell(.ran(try await outbox.run(command, on: page)))
      } catch {
        await tell(.notComposed("\(error)"))
      }
    case .readOutbox: await readOutbox(outbox)
    case .decide(let decision, let entry):
      do {
        let (released, dropped) = try await decision.carryOut(on: entry, in: outbox.opened())
        await tell(.decided(released: released, dropped: dropped, failure: nil))
      } catch {
        await tell(.decided(released: nil, dropped: [], failure: "\(error)"))
      }
      await follow(nil)
    case .names(let purpose, let repositories, let revision):
      do {
        var names: [RepositoryReference: NamesOfRepository] = [:]
        for repository in repositories {
          names[repository] = try await self.names(for: purpose, of: repository, outbox)
        }
        await tell(.names(names, revision: revision))
      } catch {
        await tell(.namesMissing(ListLoading.oneLine(error), revision: revision))
      }
    }
  }

  /// The error message; nil for success.
  private func failure(of work: () async throws -> Void) async -> String? {
    do {
      try await work()
      return nil
    } catch {
      return "\(error)"
    }
  }

  private func readOutbox(_ outbox: any BrowserOutbox) async {
    do {
      let open = Set(OutboxState.allCases).subtracting([.sent])
      await tell(.outbox(try await outbox.opened().entries(in: open)))
    } catch {
      await tell(.failed("\(error)"))
    }
  }

  private func names(
    for purpose: Picker.Purpose, of repository: RepositoryReference, _ outbox: any BrowserOutbox
  ) async throws -> NamesOfRepository {
    var names = NamesOfRepository()
    switch purpose {
    case .labels: names.labels = try await outbox.labels(of: repository)
    case .assignees: names.people = try await outbox.people(of: repository)
    case .milestone: names.milestones = try await outbox.milestones(of: repository)
    case .closing, .duplicate, .reaction, .repository, .command: break
    }
    return names
  }

  /// Drops unsent entries. Another process may have sent some of them.
  private func drop(_ ids: [OutboxEntry.ID], from outbox: Outbox) async throws {
    var left: [OutboxEntry.ID] = []
    var count = 0
    for id in ids {
      guard let entry = try await outbox.entry(id), entry.dropped == nil else { continue }
      if [.sent, .sending].contains(entry.state) { count += 1 } else { left.append(id) }
    }
    if !left.isEmpty { try await outbox.drop(left) }
    guard count > 0 else { return }
    throw BrowserOutboxFailure(
      "The server already has \(count == ids.count ? "it" : "a part of it").\n"
        + "Change it back there: sent changes can't be undone here.")
  }

  private static let absence = "Issues can't be changed on this screen."

  private func tell(_ result: ActingResult) async { await emit(.acting(result)) }

  /// Begins to send a batch, unless it was removed. From then on, it can't be undone.
  private func begin(
    _ id: Int, after phase: ActingState.Batch.Phase
  ) async -> ActingState.Batch? {
    guard state()?.acting[batch: id]?.phase == phase else { return nil }
    await tell(.phase(.sending, batch: id))
    return state()?.acting[batch: id].flatMap { $0.phase == .sending ? $0 : nil }
  }

  private func send(_ batch: ActingState.Batch, _ outbox: any BrowserOutbox) async {
    var batch = batch
    while true {
      let ids = batch.entries
      var waiting = Set(ids)
      var latest: [OutboxEntry.ID: OutboxEntry] = [:]
      var obstacle: (any Error)?
      var upload: ActingState.Upload?
      do {
        try await withThrowingDiscardingTaskGroup { group in
          for try await event in outbox.send(ids) {
            switch event {
            case .waiting(let end, .rateLimit):
              await tell(.limited(until: end, batch: batch.id))
              group.addTask { await BrowserWork.countDown(to: end, by: clock, now, emit) }
            case .uploading(_, let attachment, let count):
              let progress = ActingState.Upload(attachment, completedBytes: count)
              guard progress != upload else { continue }
              upload = progress
              await tell(.uploading(progress, batch: batch.id))
            case .changed(let entry) where waiting.contains(entry.id):
              latest[entry.id] = entry
              guard [.sent, .refused, .conflict].contains(entry.state) else { continue }
              waiting.remove(entry.id)
              await tell(.settled(entry, batch: batch.id))
              await follow(SentChange(entry))
            case .waiting, .changed: continue
            }
          }
          group.cancelAll()
        }
      } catch {
        obstacle = error
      }
      // Another process may have sent a change.
      for id in waiting {
        guard let entry = try? await outbox.opened().entry(id), let sent = SentChange(entry)
        else { continue }
        waiting.remove(id)
        await tell(.settled(entry, batch: batch.id))
        await follow(sent)
      }
      for entry in latest.values where entry.state == .unknown {
        waiting.remove(entry.id)
        await tell(.settled(entry, batch: batch.id))
      }
      await follow(nil)
      if waiting.isEmpty, obstacle == nil { return await tell(.ended(batch: batch.id)) }
      let reason = obstacle.map { "\($0)" } ?? waiting.lazy.compactMap { latest[$0]?.reason }.first
      let failure = obstacle as? BrowserOutboxFailure
      let connection =
        failure?.isNetworkAway == true
        ? try? await source.connection(to: batch.changes.first?.repository.host) : nil
      connection?.reachability.reportFailure()
      let end = failure?.retryDate
      await tell(
        .kept(reason ?? "it waits for another change", until: end, batch: batch.id))
      if let end {
        await BrowserWork.countDown(to: end, by: clock, now, emit)
      } else if let connection {
        await connection.reachability.waitUntilReachable()
      } else {
        return
      }
      guard let next = await begin(batch.id, after: .kept) else { return }
      batch = next
    }
  }

  /// Shows the pending changes in the list and on the outbox page.
  private func follow(_ sent: SentChange?) async {
    if case .outbox? = state()?.acting.dialog, let outbox = source.outbox {
      await readOutbox(outbox)
    }
    await tell(.unsent(await source.unsent()))
    guard let sheet = state()?.sheet,
      let host = try? await source.server(of: sheet.scope.host).host
    else { return }
    let pending = await source.pending(of: sheet, on: host)
    let own = sent.flatMap { $0.entry.server.host == host ? $0 : nil }
    await tell(.pending(pending, of: sheet.scope, own))
  }
}

extension BrowserSource {
  /// The unsent changes of each repository in a list, by ``IssueKey/repository``.
  func pending(of sheet: IssueSheet, on host: String) async -> [String?: PendingChanges] {
    if let reference = sheet.reference {
      return await pending(of: reference, sheet.repository, on: host).map { [nil: $0] } ?? [:]
    }
    var found: [String?: PendingChanges] = [:]
    for name in Set(sheet.issues.compactMap(\.repositoryName)) {
      found["\(name)".lowercased()] = await pending(name, host)
    }
    return found
  }

  /// The unsent changes of a repository under its current name, or else under the name as typed.
  func pending(
    of reference: RepositoryReference, _ repository: GitHub.Repository?, on host: String
  ) async -> PendingChanges? {
    if let name = repository.flatMap({ RepositoryName($0.fullName) }), name != reference.name,
      let pending = await pending(name, host)
    {
      return pending
    }
    return await pending(reference.name, host)
  }
}
