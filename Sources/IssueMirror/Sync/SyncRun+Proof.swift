internal import GitHubAPI
internal import HTTPTargets

/// Accounting for every number.
extension SyncRun {
  /// How many numbers are asked for together.
  private static let portion = 100
  /// How many portions are asked for in a sync; the next one goes on. A server may name whatever newest number.
  private static let mostPortions = 500
  /// How many are asked for one by one in a sync, in the same way.
  private static let mostSingle = 500
  /// How many without a token, which has sixty requests in an hour.
  private static let mostAnonymous = 20

  /// Asks for each number, up to the newest, that is neither kept nor known to be gone, after a first sync and a
  /// verification: what no list shows shows so.
  ///
  /// - Throws: ``HTTPTargets/NetworkError``, also where the server counts open items that it neither lists nor gives;
  ///   ``MirrorFailure``.
  mutating func prove() async throws {
    var asksTogether = true
    var budget = Self.mostSingle
    var portions = 0
    var last = 0
    while let numbers = try await mirror.unexplainedNumbers(
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
          try await mirror.noteAbsence(of: absent, in: repository)
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
    let (requests, name, id) = (requests, repository.fullName, repository.serverID)
    var answered = 0
    var absent: [Int] = []
    try await inParallel(numbers, jobs: options.jobs) { number in
      try await requests.finding(of: number, in: name, id: id)
    } each: { number, finding in
      tell(SyncProgress(phase: .checking(number), stored: answered, total: numbers.count))
      answered += 1
      guard case .present(let page) = finding else { return absent.append(number) }
      report.count(
        try await mirror.store(page, of: repository, sweep: nil, at: now), of: .items)
    }
    guard !absent.isEmpty else { return }
    // Where the repository went, everything is missing.
    try await lookUpAgain()
    try await mirror.noteAbsence(of: absent, in: repository)
  }

  /// Ends it, unless there have to be more open items than are kept: some that the server says it hasn't got.
  private mutating func endProof() async throws {
    let absences = try await mirror.absenceCount(of: repository)
    if absences > 0, try await missesMany(absences) {
      try await lookUpAgain()
      if try await missesMany(absences) {
        try await mirror.forgetAbsences(of: repository)
        throw contradiction
      }
    }
    try await mirror.endProof(of: repository)
  }

  /// Whether the server counts many more open items than are kept, and so many are missing.
  private func missesMany(_ absences: Int) async throws -> Bool {
    guard let difference = try await mirror.openDifference(of: repository) else { return false }
    let accepted = try await mirror.acceptedDifference(of: repository)
    let missing = difference - max(accepted, 0)
    return missing > Self.slack(of: description?.repository.openIssuesCount) && absences >= missing
  }

  /// How many open items the server's count may be wrong by, as it lags behind: a tenth, and ten at most.
  static func slack(of count: Int?) -> Int { min(10, (count ?? 0) / 10) }

  /// Why nothing is believed that the server says is gone.
  var contradiction: NetworkError {
    let count = description?.repository.openIssuesCount ?? 0
    return NetworkError(
      .decoding,
      """
      the server counts \(count) open issues and pull requests of \(repository.fullName), but neither lists all \
      of them nor gives them by their numbers: what is kept stays, sync it again later
      """)
  }
}
