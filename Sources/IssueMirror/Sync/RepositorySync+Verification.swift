internal import GitHubAPI
internal import HTTPTargets
internal import IssueTracker

extension RepositorySync {
  /// The count of numbers that are requested together, and buried after a single check of the repository.
  private static let portion = 100

  /// Requests the numbers that a verification hasn't seen, and buries the items that are gone. Returns false if another
  /// sync has ended or replaced the verification.
  mutating func checkUnseen(_ sweep: Sweep) async throws -> Bool {
    guard let numbers = try await store.unseenNumbers(.items, of: repository, by: sweep) else {
      return false
    }
    var rest = numbers[...]
    var gone: [Gone] = []
    while !rest.isEmpty {
      let portion = rest.prefix(Self.portion)
      rest = rest.dropFirst(Self.portion)
      gone += try await check(
        Array(portion), sweep, answered: numbers.count - rest.count - portion.count,
        of: numbers.count)
      guard !gone.isEmpty else { continue }
      try await requireRepository()
      if try await areBelieved(gone, sweep) {
        for item in gone {
          let isBuried = try await store.bury(
            item.number, item.fate, of: repository, at: now, asked: item.asked)
          if isBuried { report.items.removed += 1 }
        }
        gone = []
      }
    }
    guard gone.isEmpty else {
      try await store.drop(sweep)
      throw contradiction
    }
    return true
  }

  private struct Gone {
    let number: Int
    let fate: Tombstone.Fate
    let asked: StoreTicket
  }

  private mutating func check(
    _ numbers: [Int], _ sweep: Sweep, answered: Int, of total: Int
  ) async throws -> [Gone] {
    let (requests, store, repository) = (requests, store, repository)
    var answered = answered
    var gone: [Gone] = []
    try await inParallel(numbers, jobs: options.jobs) { number in
      let asked = try await store.ticket(of: repository)
      return (asked, try await requests.finding(of: number, in: repository, ticket: asked))
    } each: { number, answer in
      tell(SyncProgress(phase: .checking(number), stored: answered, total: total))
      answered += 1
      let (asked, finding) = answer
      switch finding {
      case .present(let page):
        report.items +=
          try await store.store(page, of: repository, sweep: sweep, at: now).counts
      case .transferred(let address):
        gone.append(Gone(number: number, fate: .transferred(to: address), asked: asked))
      case .missing: gone.append(Gone(number: number, fate: .deleted, asked: asked))
      }
    }
    return gone
  }

  /// Throws if the repository has lost its name or its issues, because then every item would look deleted.
  private mutating func requireRepository() async throws {
    let name = repository.fullName
    try await lookUpAgain()
    guard answer?.repository.hasIssues == true, repository.fullName == name else {
      throw NetworkError(
        .decoding, "\(name) changed while its issues were examined: sync it again")
    }
  }

  /// Accepts a few missing issues. Accepts many only if the sweep found as many open items as the server counts.
  private func areBelieved(_ gone: [Gone], _ sweep: Sweep) async throws -> Bool {
    let kept = try await store.count(.items, of: repository)
    guard gone.count > max(1, min(10, kept / 10)) else { return true }
    guard let counted = answer?.repository.openIssuesCount else { return true }
    let seen = try await store.count(.openItemsSeen(by: sweep), of: repository)
    let accepted = try await acceptedDifference()
    return seen >= counted - max(accepted, 0) - Self.slack(of: counted)
  }
}

func inParallel<Answer: Sendable>(
  _ numbers: [Int], jobs: Int, ask: @escaping @Sendable (Int) async throws -> Answer,
  each: (Int, Answer) async throws -> Void
) async throws {
  try await withThrowingTaskGroup(of: (Int, Answer).self) { group in
    var rest = numbers[...]
    for number in rest.prefix(jobs) { group.addTask { (number, try await ask(number)) } }
    rest = rest.dropFirst(jobs)
    while let (number, answer) = try await group.next() {
      if let next = rest.popFirst() { group.addTask { (next, try await ask(next)) } }
      try await each(number, answer)
    }
  }
}

extension RepositorySync {
  /// The limit of portions per sync, regardless of the newest number that the server reports. The next sync continues.
  private static let mostPortions = 500
  private static let mostSingle = 500
  /// The limit of requests without a token, for which GitHub allows sixty requests an hour.
  private static let mostAnonymous = 20

  /// Requests every number up to the newest that is neither stored nor known to be gone. This finds issues that aren't
  /// on any list.
  mutating func prove() async throws {
    var asksTogether = true
    var budget = Self.mostSingle
    var portions = 0
    var last = 0
    while let numbers = try await store.unexplainedNumbers(
      of: repository, after: last, limit: Self.portion)
    {
      guard let newest = numbers.last else { return try await endProof() }
      last = newest
      portions += 1
      guard portions <= Self.mostPortions else {
        report.hasUnexplainedNumbers = true
        return
      }
      var rest = numbers
      if asksTogether {
        switch try await requests.presence(
          of: numbers, in: repository.fullName, id: repository.serverID)
        {
        case .known(let present, let absent):
          try await store.noteAbsence(of: absent, in: repository)
          rest = present
        case .needsToken: (asksTogether, budget) = (false, min(budget, Self.mostAnonymous))
        case .unknown: asksTogether = false
        }
      }
      try await ask(for: Array(rest.prefix(budget)))
      budget -= rest.count
      guard budget >= 0 else {
        report.hasUnexplainedNumbers = true
        return
      }
    }
  }

  private mutating func ask(for numbers: [Int]) async throws {
    let (requests, store, repository) = (requests, store, repository)
    var answered = 0
    var absent: [Int] = []
    try await inParallel(numbers, jobs: options.jobs) { number in
      try await requests.finding(
        of: number, in: repository, ticket: try await store.ticket(of: repository))
    } each: { number, finding in
      tell(SyncProgress(phase: .checking(number), stored: answered, total: numbers.count))
      answered += 1
      guard case .present(let page) = finding else { return absent.append(number) }
      report.items +=
        try await store.store(page, of: repository, sweep: nil, at: now).counts
    }
    guard !absent.isEmpty else { return }
    try await lookUpAgain()
    try await store.noteAbsence(of: absent, in: repository)
  }

  private mutating func endProof() async throws {
    let absences = try await store.count(.absences, of: repository)
    if absences > 0, try await missesMany(absences) {
      try await lookUpAgain()
      if try await missesMany(absences) {
        try await store.forgetAbsences(of: repository)
        throw contradiction
      }
    }
    try await store.endProof(of: repository)
  }

  private func missesMany(_ absences: Int) async throws -> Bool {
    guard let difference = try await store.openDifference(of: repository) else { return false }
    let accepted = try await acceptedDifference()
    let missing = difference - max(accepted, 0)
    return missing > Self.slack(of: answer?.repository.openIssuesCount) && absences >= missing
  }

  /// The tolerance for the server's delayed count of open items.
  static func slack(of count: Int?) -> Int { min(10, (count ?? 0) / 10) }

  var contradiction: NetworkError {
    let count = answer?.repository.openIssuesCount ?? 0
    return NetworkError(
      .decoding,
      """
      the server counts \(count) open issues and pull requests of \(repository.fullName), but neither lists all \
      of them nor finds them by number: the mirror stays as it is, sync it again later
      """)
  }
}
