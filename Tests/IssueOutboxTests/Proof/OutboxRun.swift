import Foundation
import GitHubAPI
import IssueOutbox
import TestSupport
import outbox_probe

/// One run of the property test: a script against a server on which things go wrong, in processes that are killed.
struct OutboxRun {
  /// Everything is decided by it, as far as two processes that run at once allow.
  let seed: UInt64
  /// The kind of server.
  var forge = LoopbackForge.gitHub

  /// Runs.
  ///
  /// - Throws: ``Mismatch`` with a report, if something isn't as it should be.
  func perform() async throws {
    let script = try OutboxScript(seed: seed, forge: forge)
    let folder = try ScratchFolder()
    let path = folder["outbox.db"]
    let world = OutboxWorld(seed: seed, script: script, clock: OutboxPerson.clock(of: path))
    try await withLoopbackServer(answering: world.handler) { server in
      let confirmed = try await disturb(world, script, server, path)
      world.calmDown()
      let person = try OutboxPerson(url: server.url, path: path, script: script)
      var known: [Int: OutboxEntry.ID] = [:]
      var problems = try await settle(world, person, confirmed, &known)
      let entries = try await person.outbox.entries()
      problems += world.problems
      problems +=
        OutboxOracle(entries: entries, known: known, world: world, script: script).problems()
      problems += undelivered(entries, path)
      if !problems.isEmpty {
        throw Mismatch(report(problems, script, world, entries))
      }
    }
  }

  // MARK: With accidents

  /// Lets processes add and send until each has ended or was killed.
  ///
  /// - Returns: The entries that a process said to have added.
  private func disturb(
    _ world: OutboxWorld, _ script: OutboxScript, _ server: LoopbackServer, _ path: String
  ) async throws -> Set<OutboxEntry.ID> {
    var dice = FuzzSource(seed: seed &* 0x6C07_8965 &+ 3)
    let tokens = script.steps.map(\.token)
    var confirmed: Set<OutboxEntry.ID> = []
    var next = 0
    for _ in 0..<(4 + dice.below(3)) {
      let last = min(next + 1 + dice.below(7), script.steps.count)
      // The second process adds some of them, while the first one adds and sends.
      let middle = dice.once(in: 3) ? next + dice.below(last - next + 1) : nil
      var ranges = [(next, middle ?? last)]
      if let middle { ranges.append((middle, last)) }
      let runs = try ranges.map { first, last in
        try CommandRun(
          "outbox-probe",
          [forge.rawValue, server.url, path, "\(seed)", "\(first)", "\(last)"]
            + (dice.once(in: 6) ? [] : [dice.pick(tokens).rawValue]))
      }
      for (run, range) in zip(runs, ranges) {
        world.note("started \(run.processIdentifier) for steps \(range.0)..<\(range.1)")
      }
      var lines: [Task<Void, any Error>] = []
      var kills: [OutboxWorld.Kill] = []
      for run in runs {
        switch dice.below(4) {
        case 0: break
        case 1:
          let count = 1 + dice.below(8)
          lines.append(Task { try await kill(run, after: count, world) })
        default:
          kills.append(
            OutboxWorld.Kill(
              process: run, requestsLeft: 1 + dice.below(12), isBefore: dice.once(in: 2)))
        }
      }
      world.plan(kills)
      for run in runs {
        let result = try await run.result()
        for line in result.outputText.split(separator: "\n") {
          let words = line.split(separator: " ")
          if words.first == "added", let id = words.last.flatMap({ OutboxEntry.ID($0) }) {
            confirmed.insert(id)
          }
          world.note("\(run.processIdentifier) said: \(line)")
        }
        world.note("\(run.processIdentifier) ended: \(result.status) \(result.errorText)")
      }
      world.plan([])
      for line in lines { line.cancel() }
      next = last
    }
    return confirmed
  }

  /// Kills a process when it has printed some lines.
  private func kill(_ run: CommandRun, after count: Int, _ world: OutboxWorld) async throws {
    _ = try await run.waitFor(after: 0) { output in
      output.count { $0 == UInt8(ascii: "\n") } >= count ? true : nil
    }
    world.note("killed \(run.processIdentifier) after \(count) lines")
    run.send(signal: 9)
  }

  // MARK: Without accidents

  /// Adds what isn't in the journal, sends, and answers what only a person can answer, until all is done.
  private func settle(
    _ world: OutboxWorld, _ person: OutboxPerson, _ confirmed: Set<OutboxEntry.ID>,
    _ known: inout [Int: OutboxEntry.ID]
  ) async throws -> [String] {
    let kept = Set(try await person.outbox.entries().map(\.id))
    var problems = confirmed.subtracting(kept).sorted().map { "entry \($0) was added and is lost" }
    var dice = FuzzSource(seed: seed &* 0x5851_F42D &+ 11)
    for _ in 0..<20 {
      let hasAdded = try await addRest(person, world, &known)
      for token in OutboxPerson.Token.allCases
      where person.script.steps.contains(where: { $0.token == token }) {
        try await send(as: token, world, person)
      }
      world.settle()
      let entries = try await person.outbox.entries()
      if !hasAdded, entries.allSatisfy({ [.sent, .refused].contains($0.state) }) {
        return problems
      }
      for entry in entries {
        try await answer(entry, among: entries, known, world, person, &dice)
      }
    }
    problems.append("the person has answered 20 times")
    return problems
  }

  private func send(
    as token: OutboxPerson.Token, _ world: OutboxWorld, _ person: OutboxPerson
  ) async throws {
    world.settle()
    // The limits of the server are over.
    person.clock.advance(by: .seconds(7_200))
    do {
      for try await event in person.send(as: token, isFlawed: false) {
        switch event {
        case .changed(let entry): world.note("changed \(entry.id) \(entry.state)")
        case .waiting(let end, let reason): world.note("waiting until \(end): \(reason)")
        case .uploading: break
        }
      }
    } catch {
      world.note("sending as \(token) failed: \(error)")
    }
  }

  /// Adds the steps of which no entry says that it is theirs, in the order of the script.
  ///
  /// - Returns: Whether there were any.
  private func addRest(
    _ person: OutboxPerson, _ world: OutboxWorld, _ known: inout [Int: OutboxEntry.ID]
  ) async throws -> Bool {
    var hasAdded = false
    for index in person.script.steps.indices where known[index] == nil {
      if let entry = try await person.entry(of: index) {
        known[index] = entry.id
        continue
      }
      known[index] = try await person.add(index)
      world.note("added step \(index): \(known[index].map { "\($0)" } ?? "not yet")")
      hasAdded = hasAdded || known[index] != nil
    }
    return hasAdded
  }

  private func answer(
    _ entry: OutboxEntry, among entries: [OutboxEntry], _ known: [Int: OutboxEntry.ID],
    _ world: OutboxWorld, _ person: OutboxPerson, _ dice: inout FuzzSource
  ) async throws {
    let outbox = person.outbox
    switch entry.state {
    case .unknown:
      // Earlier responses count.
      let oracle = OutboxOracle(
        entries: try await outbox.entries(), known: known, world: world, script: person.script)
      switch oracle.word(on: entry) {
      case .wasCarriedOut(let number):
        world.note("the person says that \(entry.id) is there: \(number.map { "#\($0)" } ?? "")")
        _ = try await outbox.markSent(entry.id, number: number)
      case .wasNot:
        world.note("the person says that \(entry.id) isn't there")
        _ = try await outbox.retry(entry.id, mayRepeat: true)
      }
    case .conflict:
      guard let conflict = entry.conflict,
        let step = known.first(where: { $0.value == entry.id })?.key
      else { return }
      let text = dice.pick([conflict.mine, conflict.merged ?? conflict.mine, nil])
      if let text {
        let login = person.script.steps[step].token.login
        world.settle(text, over: conflict.theirs, as: login)
      }
      world.note("the person resolves \(entry.id) with \(text.debugDescription)")
      _ = try await outbox.resolve(entry.id, with: text)
    case .queued:
      let blockers = entries.filter { entry.dependencies.contains($0.id) && $0.state == .refused }
      guard !blockers.isEmpty else { return }
      world.note("the person drops \(entry.id), which waits for \(blockers.map(\.id))")
      _ = try await outbox.drop(entry.id)
    case .proposed, .sending, .sent, .refused: break
    }
  }

  /// Names what was sent and not delivered.
  private func undelivered(_ entries: [OutboxEntry], _ path: String) -> [String] {
    let text = (try? String(contentsOfFile: "\(path).delivered", encoding: .utf8)) ?? ""
    let delivered = Set(text.split(separator: "\n").compactMap { OutboxEntry.ID($0) })
    return entries.filter { $0.state == .sent && $0.answer?.json != nil }
      .filter { !delivered.contains($0.id) }.map { "entry \($0.id) was never delivered" }
  }

  // MARK: The report

  private func report(
    _ problems: [String], _ script: OutboxScript, _ world: OutboxWorld, _ entries: [OutboxEntry]
  ) -> String {
    """
    Seed \(seed) on \(forge): ISSUES_SEED=\(seed) swift test --filter OutboxStressTests
    \(problems.joined(separator: "\n"))

    The script:
    \(script.steps.enumerated().map { "\($0): \($1.token) \($1.repository) \(String(describing: $1.place)) \($1.sample)" }.joined(separator: "\n"))

    The journal:
    \(entries.map { "\($0.id) \($0.state) as \($0.account?.login ?? "") \($0.attempts) times, after \($0.dependencies), \($0.change), \($0.reason ?? ""), #\($0.answer?.number ?? 0)" }.joined(separator: "\n"))

    What happened:
    \(world.notes.joined(separator: "\n"))

    The receipts:
    \(world.github.receipts.map { "\($0.number) \($0.login ?? "") \($0.method) \($0.target) \($0.body.prefix(300)) \($0.fault?.rawValue ?? "") \($0.status ?? 0) \($0.isCommitted ? "committed" : "")" }.joined(separator: "\n"))
    """
  }
}
