internal import GitHubAPI
internal import HTTPTargets
internal import PlatformModules

extension OutboxSender {
  /// The reason that an entry isn't sent with the current token, as a message.
  func objection(
    to row: OutboxRow, _ connection: OutboxConnection, _ key: PaceKey
  ) async throws(NetworkError) -> String? {
    guard let account = row.account, !options.asPresentAccount,
      account.fingerprint != connection.account?.fingerprint
    else { return nil }
    let wanted = await remembered(account, row.server)
    guard connection.account != nil else {
      return "queued \(Self.name(wanted)), and there is no token now: sign in, or send it anyway"
    }
    let present = try await login(connection, key)
    guard wanted?.lowercased() != present.lowercased() else { return nil }
    return """
      queued \(Self.name(wanted)), and the token now belongs to \(present): use the other token, or send it as \
      \(present)
      """
  }

  private static func name(_ login: String?) -> String {
    login.map { "as \($0)" } ?? "with another token"
  }

  private func remembered(_ account: OutboxAccount, _ server: GitHubServer) async -> String? {
    if let login = account.login { return login }
    return try? await journal.read { db in try OutboxJournal.login(db, PaceKey(server, account)) }
  }

  private func login(
    _ connection: OutboxConnection, _ key: PaceKey
  ) async throws(NetworkError) -> String {
    if let account = connection.account, let login = await remembered(account, key.server) {
      return login
    }
    let login = try await connection.provider.ownProfile().login
    _ = try? await journal.write { db in try OutboxJournal.noteLogin(db, key, login) }
    return login
  }

  enum Look {
    case found
    case absent
    /// The request to the server failed.
    case failed
  }

  @discardableResult
  mutating func look(
    _ row: OutboxRow, _ connection: OutboxConnection, times: Int, isAfterLoss: Bool = false
  ) async throws -> Look {
    skipped.insert(row.id)
    let key = PaceKey(row.server, connection.account)
    var isKnown = false
    for time in 0..<times {
      if time > 0 {
        let date = journal.now().addingTimeInterval(options.secondLook / .seconds(1))
        report(.waiting(until: date, .secondLook))
        try await sleep(until: date)
      }
      let claimed = try await journal.read { db in try OutboxJournal.claims(db, besides: row) }
      let found: CarriedOut?
      do throws(NetworkError) {
        guard let login = try await author(of: row, connection, key) else { break }
        isKnown = true
        found = try await recognition(of: row, connection, login, claimed).find(row.change)
        failedLooksInARow[row.server] = nil
      } catch {
        // An entry that can no longer be looked up doesn't block the others.
        switch SendVerdict(error, countsEachTime: true) {
        case .refused, .moved: break
        case .uncertain, .later:
          noteFailedLook(row.server, error, isAfterLoss: isAfterLoss)
          return .failed
        case .stop, .limited:
          fail(row.server, error)
          return .failed
        }
        if let renamed = try await renamed(row, connection) {
          return try await look(renamed, connection, times: times, isAfterLoss: isAfterLoss)
        }
        try await add("it can't be looked for (\(error.problem))", to: row.id)
        return .absent
      }
      if let found {
        noteSuccess(row.server)
        // The author is the account that sent the entry, which may not be the account of the current token.
        try await finish(row, found, PaceKey(row.server, row.account ?? connection.account))
        return .found
      }
      if let renamed = try await renamed(row, connection) {
        return try await look(renamed, connection, times: times, isAfterLoss: isAfterLoss)
      }
    }
    let place = await newPlace(of: row, connection.provider)
    try await add(
      place
        ?? (isKnown
          ? "it isn't on the server so far"
          : "it can't be looked for, since its sender is unknown"),
      to: row.id, hasLookedTwice: isKnown)
    return .absent
  }

  func contradiction(
    to row: OutboxRow, _ number: Int?, _ connection: OutboxConnection, _ claimed: Set<Int64>
  ) async throws(NetworkError) -> String? {
    let key = PaceKey(row.server, connection.account)
    guard let login = try await author(of: row, connection, key) else { return nil }
    let recognition = recognition(of: row, connection, login, claimed)
    if case .createIssue(let wanted, _) = row.change {
      guard let number else { return nil }
      return try await recognition.contradiction(to: wanted, number)
    }
    guard row.change.countsEachTime, try await recognition.find(row.change) == nil else {
      return nil
    }
    return "the server doesn't show it"
  }

  /// The entry under the current name of its repository; nil if the name hasn't changed. URLs under an old name differ.
  private mutating func renamed(
    _ row: OutboxRow, _ connection: OutboxConnection
  ) async throws -> OutboxRow? {
    guard looked.insert(row.id).inserted, let name = await newName(of: row, connection.provider)
    else { return nil }
    let (id, old) = (row.id, row.repository)
    try await change(id) { db, row in
      try OutboxJournal.rename(db, old, to: name, on: row.server)
      row.repository = name
    }
    return try await journal.read { db in try OutboxJournal.row(db, id) }
  }

  private func add(
    _ words: String, to id: OutboxEntry.ID, hasLookedTwice: Bool = false
  ) async throws {
    try await change(id) { _, row in
      guard row.state == .unknown else { return }
      let reason = row.reason ?? ""
      row.hasLookedTwice = hasLookedTwice
      row.reason = reason.contains(words) ? reason : "\(reason); \(words)"
    }
  }

  /// The account that sent an entry; nil if unknown.
  private func author(
    of row: OutboxRow, _ connection: OutboxConnection, _ key: PaceKey
  ) async throws(NetworkError) -> Username? {
    if let account = row.account, account.fingerprint != connection.account?.fingerprint {
      return await remembered(account, row.server).flatMap(Username.init)
    }
    return Username(try await login(connection, key))
  }

  private func recognition(
    of row: OutboxRow, _ connection: OutboxConnection, _ login: Username, _ claimed: Set<Int64>
  ) -> Recognition {
    Recognition(
      sender: ChangeSender(
        provider: connection.provider, server: row.server, repository: row.repository),
      login: login, began: row.began ?? row.created,
      claimed: claimed, now: journal.now)
  }
}
