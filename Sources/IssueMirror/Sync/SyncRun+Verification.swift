internal import IssueTracker

/// Finding out what became of items that no list shows any more.
extension SyncRun {
  /// After how many numbers tombstones are put: the repository is looked up before that.
  private static let portion = 100

  /// Asks for the numbers that a verification has not seen, and puts tombstones in the place of those that are
  /// gone.
  ///
  /// - Parameter sweep: The verification, at its end.
  /// - Returns: Whether the verification was still this sync's: another may have ended or replaced it.
  /// - Throws: ``HTTPTargets/NetworkError``, also where the repository is another one by now; ``MirrorFailure``.
  mutating func checkUnseen(_ sweep: Sweep) async throws -> Bool {
    guard let numbers = try await mirror.unseenNumbers(of: repository, by: sweep) else {
      return false
    }
    var rest = numbers[...]
    while !rest.isEmpty {
      let portion = rest.prefix(Self.portion)
      rest = rest.dropFirst(Self.portion)
      try await check(
        Array(portion), sweep, answered: numbers.count - rest.count - portion.count,
        of: numbers.count)
    }
    return true
  }

  /// Finds out about some of the numbers: what was found stays where the rest breaks off.
  private mutating func check(
    _ numbers: [Int], _ sweep: Sweep, answered: Int, of total: Int
  ) async throws {
    let (requests, name, id) = (requests, repository.fullName, repository.serverID)
    var answered = answered
    var gone: [(number: Int, fate: Tombstone.Fate)] = []
    try await inParallel(numbers, jobs: options.jobs) { number in
      try await requests.finding(of: number, in: name, id: id)
    } each: { number, finding in
      tell(SyncProgress(phase: .checking(number), stored: answered, total: total))
      answered += 1
      switch finding {
      case .present(let page):
        report.count(
          try await mirror.store(page, of: repository, sweep: sweep, at: now), of: .items)
      case .transferred(let address): gone.append((number, .transferred(to: address)))
      case .missing: gone.append((number, .deleted))
      }
    }
    guard !gone.isEmpty else { return }
    // Where the repository went, or its issues were turned off, everything is missing.
    try await lookUpAgain()
    guard description?.repository.hasIssues == true, repository.fullName == name else {
      throw NetworkError(
        .decoding, "\(name) changed while its issues were gone through: sync it once more")
    }
    for (number, fate) in gone {
      if try await mirror.bury(number, fate, of: repository, at: now) { report.items.removed += 1 }
    }
  }
}

/// Asks for each of several numbers, some at once, and hands on what came, one after the other.
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
