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
          let isBuried = try await mirror.bury(
            item.number, item.fate, of: repository, at: now, asked: item.asked)
          if isBuried { report.items.removed += 1 }
        }
        gone = []
      }
    }
    guard gone.isEmpty else {
      try await mirror.drop(sweep)
      throw contradiction
    }
    try await mirror.forgetSetAside(of: repository, notSeenBy: sweep)
    return true
  }

  /// An item that isn't there any more.
  private struct Gone {
    let number: Int
    let fate: Tombstone.Fate
    /// When it was asked for, in microseconds since 1970 by this machine's clock.
    let asked: Int64
  }

  /// Finds out about some of the numbers: what was found stays where the rest breaks off.
  private mutating func check(
    _ numbers: [Int], _ sweep: Sweep, answered: Int, of total: Int
  ) async throws -> [Gone] {
    let (requests, name, id) = (requests, repository.fullName, repository.serverID)
    var answered = answered
    var gone: [Gone] = []
    try await inParallel(numbers, jobs: options.jobs) { number in
      let asked = requests.now().microseconds
      return (asked, try await requests.finding(of: number, in: name, id: id))
    } each: { number, answer in
      tell(SyncProgress(phase: .checking(number), stored: answered, total: total))
      answered += 1
      let (asked, finding) = answer
      switch finding {
      case .present(let page):
        report.count(
          try await mirror.store(page, of: repository, sweep: sweep, at: now), of: .items)
      case .transferred(let address):
        gone.append(Gone(number: number, fate: .transferred(to: address), asked: asked))
      case .missing: gone.append(Gone(number: number, fate: .deleted, asked: asked))
      }
    }
    return gone
  }

  /// Makes sure that the repository is where it was: where it went, or its issues were turned off, everything is
  /// missing.
  private mutating func requireRepository() async throws {
    let name = repository.fullName
    try await lookUpAgain()
    guard description?.repository.hasIssues == true, repository.fullName == name else {
      throw NetworkError(
        .decoding, "\(name) changed while its issues were gone through: sync it once more")
    }
  }

  /// Whether items may be taken for gone: some always, many only where as many open ones were seen as the server
  /// counts.
  private func areBelieved(_ gone: [Gone], _ sweep: Sweep) async throws -> Bool {
    let presence = try await mirror.presence(of: repository, in: sweep)
    guard gone.count > max(1, min(10, presence.kept / 10)) else { return true }
    guard let counted = description?.repository.openIssuesCount else { return true }
    let accepted = try await mirror.acceptedDifference(of: repository)
    return presence.seenOpen >= counted - max(accepted, 0) - Self.slack(of: counted)
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
