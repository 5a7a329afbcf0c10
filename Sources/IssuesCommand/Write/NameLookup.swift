internal import IssueMirror
internal import IssueOutbox
internal import IssueTracker

/// Looks up the names on a command line, in the mirror if it has them.
struct NameLookup: Sendable {
  let writing: WriteSession
  let place: Place

  private var session: CommandSession { writing.session }

  /// Replaces `@me` with the login of the token's owner, `@copilot` with that of the repository's bot, and `app/NAME`
  /// with `NAME[bot]`. A bot that isn't assignable keeps its usual login: the server omits it, which is reported.
  func logins(_ names: [String]) async throws(CommandFailure) -> [String] {
    var names = names.map { $0.hasPrefix("app/") ? Username($0)?.login ?? $0 : $0 }
    if names.contains(Copilot.word) {
      let bot = try await copilot()?.login ?? "Copilot"
      names = names.map { $0 == Copilot.word ? bot : $0 }
    }
    guard names.contains("@me") else { return names }
    let connection = try await writing.connection(to: place.server)
    let own: GitHub.User
    do throws(CommandFailure) {
      own = try await connection.explaining("your profile") {
        (provider) async throws(NetworkError) in try await provider.ownProfile()
      }
    } catch {
      throw error.advisingWithoutNetwork("Give your login instead of @me.")
    }
    return names.map { $0 == "@me" ? own.login : $0 }
  }

  /// The repository's assignable bot.
  func copilot() async throws(CommandFailure) -> Username? {
    do throws(CommandFailure) {
      return try await writing.connection(to: place.server).explaining("\(place.name)") {
        (provider) async throws(NetworkError) in
        try await Copilot.assignable(in: place.name, by: provider)
      }
    } catch {
      throw error.advisingWithoutNetwork("Give the bot's login instead of \(Copilot.word).")
    }
  }

  /// Splits the values of an option into label names. A comma that may belong to a name is checked against the
  /// repository's labels.
  func labels(_ lists: [String]) async throws(CommandFailure) -> [String] {
    let known = lists.contains(where: NameList.isAmbiguous) ? try await labels() : []
    return lists.names(known: known)
  }

  private func labels() async throws(CommandFailure) -> [String] {
    if let mirrored = await mirrored(),
      let names = try? await mirrored.mirror.names(of: mirrored.repository)
    {
      return names.labels
    }
    do throws(CommandFailure) {
      return try await writing.connection(to: place.server).explaining("\(place.name)") {
        (provider) async throws(NetworkError) in
        try await provider.labels(of: place.name).map(\.name)
      }
    } catch {
      guard error.isNetworkAway else { throw error }
      if !session.isPiped {
        session.errors.write(
          "Without a network, each comma separates two labels. Quote a name with a comma: '\"a,b\"'."
        )
      }
      return []
    }
  }

  /// Finds the number of a milestone. Without a mirror and a network, a number is used unchanged.
  func milestone(_ choice: MilestoneChoice) async throws -> Int? {
    let request = FilterRequest(milestone: choice)
    if let mirrored = await mirrored(),
      let number = try? await request.milestone(in: mirrored)?.number
    {
      return number
    }
    let connection = try await writing.connection(to: place.server)
    let found: Result<GitHub.Milestone?, CommandFailure>
    do throws(CommandFailure) {
      found = try await connection.explaining("\(place.name)") {
        (provider) async throws(NetworkError) in
        try await request.milestone(by: provider, in: place.name)
      }
    } catch {
      guard error.isNetworkAway, case .title(let title) = choice,
        let number = MilestoneChoice.number(of: title)
      else {
        throw error.advisingWithoutNetwork("Give the milestone's number, \(mirrorAdvice).")
      }
      session.errors.write(
        "\(place.server) can't be reached: \(number) is treated as the milestone's number.")
      return number
    }
    return try found.get()?.number
  }

  func parentID(_ number: Int) async throws(CommandFailure) -> Int64 {
    do throws(CommandFailure) {
      return try await issue(number).id
    } catch {
      throw error.advisingWithoutNetwork(
        "Leave --parent out and set the parent later, \(mirrorAdvice).")
    }
  }

  private var mirrorAdvice: String {
    "or mirror the repository while there is a network: '\(place.syncCommand)'"
  }

  /// Finds an issue in the mirror, or else on the server.
  func issue(_ number: Int) async throws(CommandFailure) -> GitHub.Issue {
    if let issue = await mirroredIssue(number) { return issue }
    return try await serversIssue(number)
  }

  /// Finds an issue on the server, or in the mirror without a network.
  func presentIssue(_ number: Int) async throws(CommandFailure) -> GitHub.Issue {
    do throws(CommandFailure) {
      return try await serversIssue(number)
    } catch {
      guard error.isNetworkAway, let issue = await mirroredIssue(number) else { throw error }
      session.errors.write(
        "\(place.server) can't be reached: using the mirror's copy.")
      return issue
    }
  }

  private func serversIssue(_ number: Int) async throws(CommandFailure) -> GitHub.Issue {
    session.progress.update("Looking up \(place.name)#\(number)…")
    defer { session.progress.update("") }
    return try await writing.connection(to: place.server).explaining("\(place.name)#\(number)") {
      (provider) async throws(NetworkError) in
      try await provider.issue(number, of: place.name)
    }
  }

  func mirroredIssue(_ number: Int) async -> GitHub.Issue? {
    guard let mirrored = await mirrored() else { return nil }
    return try? await mirrored.mirror.sentIssue(number, of: mirrored.repository)?.entity
  }

  private func mirrored() async -> MirroredPlace? {
    try? await session.mirrored(place)
  }

  func comment(_ id: Int64) async throws(CommandFailure) -> String {
    let connection = try await writing.connection(to: place.server)
    return try await connection.explaining("comment \(id) in \(place.name)") {
      (provider) async throws(NetworkError) in
      try await IssueWriter(provider: provider, repository: place.name).comment(id).entity.body
        ?? ""
    }
  }

  func lastOwnComment(on number: Int) async throws(CommandFailure) -> IssueComment {
    let connection = try await writing.connection(to: place.server)
    let last = try await connection.explaining("\(place.name)#\(number)") {
      (provider) async throws(NetworkError) -> IssueComment? in
      let own = try await provider.ownProfile().login.lowercased()
      var last: IssueComment?
      var pages = IssueComments(provider: provider, repository: place.name, number: number)
        .makeAsyncIterator()
      while let page = try await pages.next() {
        last = page.last { $0.user?.login.lowercased() == own } ?? last
      }
      return last
    }
    guard let last else {
      throw CommandFailure(.notFound, "you have no comment on \(place.name)#\(number)")
    }
    return last
  }
}

extension CommandFailure {
  /// The failure with different advice if the network is unreachable.
  fileprivate func advisingWithoutNetwork(_ advice: String) -> CommandFailure {
    guard isNetworkAway else { return self }
    return CommandFailure(
      status, "\(message.prefix { !$0.isNewline })\n\(advice)", isNetworkAway: true)
  }
}
