internal import ArgumentParser
internal import ConcurrencyPrimitives
internal import IssueTracker
internal import PlatformModules
internal import StyledText

struct FollowOptions: ParsableArguments {
  static let usual = Duration.seconds(30)

  @Flag(help: "Continue after the list: write new and changed rows. It ends when you stop it.")
  var follow = false

  @Option(
    name: .customLong("every"),
    help: ArgumentHelp(
      """
      With --follow: ask again after this time. The time is from 1s to a day; it becomes longer while nothing changes. (default: 30s)
      """, valueName: "interval"),
    transform: ValueReader.watchInterval)
  var interval: DurationArgument?

  func validate() throws {
    guard interval == nil || follow else {
      throw ValidationError("--every only makes sense with --follow.")
    }
  }

  /// Throws if an option requests a list other than the server's.
  func refuse(beside isOther: Bool, _ option: String, _ reason: String) throws {
    guard follow, isOther else { return }
    throw ValidationError("--follow asks the server for changes: leave out \(option), \(reason).")
  }

  /// The way to follow the list; nil for a list that ends.
  func list(_ connection: ConnectionOptions, _ session: CommandSession) -> ListFollow? {
    guard follow else { return nil }
    return ListFollow(
      shortest: interval?.duration ?? Self.usual, waitsForLimits: connection.wait == .standard,
      session: session)
  }
}

/// Continues after a list: writes a row for each change, until it is stopped.
struct ListFollow: Sendable {
  /// The maximum pause, unless the minimum is longer.
  static let longest = Duration.seconds(300)

  let shortest: Duration
  /// Whether it also waits for a limit that lasts longer than `--wait`.
  let waitsForLimits: Bool
  let session: CommandSession
  var clock: any Clock<Duration> { session.world.clock }
  private let shown = Locked<[GitHub.Issue]>([])
  private let notices = Locked<[GitHubServer: ServerNotice]>([:])

  init(shortest: Duration, waitsForLimits: Bool, session: CommandSession) {
    self.shortest = shortest
    self.waitsForLimits = waitsForLimits
    self.session = session
  }

  /// The notices in the server's responses, beginning with the first.
  func notice(of server: GitHubServer) -> ServerNotice {
    notices.withLock { notices in
      if let known = notices[server] { return known }
      let notice = ServerNotice()
      notices[server] = notice
      return notice
    }
  }

  /// Records an issue of the list, so that it isn't reported as news.
  func note(_ issue: GitHub.Issue) {
    shown.withLock { $0.append(issue) }
  }

  /// The result of a request for a list.
  ///
  /// It isn't a tuple: with a tuple, the optimized code of Swift 6.3 traps when the index is used.
  private struct Answer: Sendable {
    let index: Int
    let result: Result<[FollowedList.Item], CommandFailure>
  }

  /// Follows the lists. It ends only with a failure that every later request would repeat, or when the reader has
  /// closed the output.
  func run(
    _ lists: [FollowedList], _ subject: String, _ writer: inout ListWriter<IssueRow>,
    row: (FollowedList.Item, GitHubServer, ListChange) -> IssueRow
  ) async throws {
    let elapsed = clock.stopwatch()
    let shown = shown.withLock { shown in
      defer { shown = [] }
      return shown
    }
    var machines = lists.map { list in
      FollowStateMachine(
        states: list.states, beginning: list.notice.beginning ?? Date(), shown: shown)
    }
    var schedule = AskingSchedule<Int>(shortest: shortest, longest: Self.longest)
    schedule.replace(with: Array(lists.indices), at: elapsed())
    var told: [Int: String] = [:]
    while let next = schedule.next {
      try await pause(until: next, subject, elapsed)
      let due = schedule.due(at: elapsed())
      session.progress.update("Asking for changes of \(subject)…")
      let questions = due.map { index in (index, lists[index], machines[index]) }
      var ending: CommandFailure?
      try await withThrowingTaskGroup(of: Answer.self) { group in
        for (index, list, machine) in questions {
          group.addTask {
            do throws(CommandFailure) {
              let items = try await list.issues(since: machine.since, until: machine.isEnough)
              return Answer(index: index, result: .success(items))
            } catch {
              return Answer(index: index, result: .failure(error))
            }
          }
        }
        while let answer = try await group.next() {
          let index = answer.index
          let least = lists[index].notice.pause ?? .zero
          switch answer.result {
          case .success(let items):
            told[index] = nil
            let found = Dictionary(items.map { ($0.entity.issue, $0) }) { first, _ in first }
            let rows = machines[index].news(in: items.map(\.entity.issue))
              .compactMap { change, issue in
                found[issue].map { row($0, lists[index].connection.server, change) }
              }
            schedule.note(index, foundNews: !rows.isEmpty, at: elapsed(), least: least)
            writer.now = Date()
            try await writer.write(rows, heading: "Changes of \(subject)")
          case .failure(let failure):
            guard let wait = wait(after: failure) else {
              schedule.remove(index)
              if failure.status == .cancelled || schedule.count == 0 {
                ending = failure
                continue
              }
              tell(failure, of: lists[index].name, isLast: true)
              continue
            }
            if told.updateValue(failure.message, forKey: index) != failure.message {
              tell(failure, of: lists[index].name, isLast: false)
            }
            schedule.note(index, foundNews: false, at: elapsed(), least: max(wait, least))
          }
        }
      }
      if let ending { throw ending }
    }
  }

  /// The minimum wait after a temporary failure; nil for a permanent failure.
  func wait(after failure: CommandFailure) -> Duration? {
    switch failure.status {
    case .network, .badAnswer: return .zero
    case .rateLimited where waitsForLimits:
      let seconds = failure.retryDate?.timeIntervalSinceNow ?? 60
      return .seconds(min(max(seconds, 1), 86_400))
    default: return nil
    }
  }

  func tell(_ failure: CommandFailure, of name: String, isLast: Bool) {
    let end = isLast ? "It is no longer asked for changes." : "Trying again."
    session.errors.report(failure.saying("\(name): \(failure.sentences) \(end)"))
  }

  /// Waits in steps, to detect that the reader has closed the output.
  func pause(
    until next: Duration, _ subject: String, _ elapsed: @Sendable () -> Duration
  ) async throws {
    while true {
      try await session.output.checkReader()
      let left = next - elapsed()
      guard left > .zero else { return }
      session.progress.update("Following \(subject), asking in \(LocalTime.countdown(left))")
      try await clock.sleep(for: min(left, .seconds(1)))
    }
  }
}
