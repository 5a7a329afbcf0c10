internal import ConcurrencyPrimitives
internal import IssueTracker
internal import PlatformModules

struct SyncRequests: Sendable {
  struct Page: Sendable {
    var contents: FeedPage
    var answer: SweepAnswer
    var repositoryID: Int64?
    var received: Int
  }

  struct RepositoryAnswer: Sendable {
    var repository: GitHub.Repository
    var json: Data
    /// The server's time, in seconds since 1970.
    var time: Int
    /// The time of the request, as a place in the order of the sync's events. Earlier pages without another
    /// repository's id belong to this repository.
    var asked: Int
  }

  enum Presence: Sendable {
    case known(present: [Int], absent: [Int])
    case needsToken
    case unknown
  }

  enum Finding: Sendable {
    case present(FeedPage)
    case transferred(to: String)
    /// The reason may be that the entire repository doesn't exist.
    case missing
  }

  let provider: Provider<GitHub>
  private let now: @Sendable () -> Date
  private let sent = Locked(0)
  private let events = Locked(0)
  private let reached = Locked(0)
  private static let maximumStalePages = 20

  init(provider: Provider<GitHub>, now: @escaping @Sendable () -> Date) {
    self.provider = provider
    self.now = now
  }

  var count: Int { sent.withLock { $0 } }

  /// The latest second that the server's clock is known to have reached.
  var serverTime: Int { reached.withLock { $0 } }

  func repository(named name: String) async throws(NetworkError) -> RepositoryAnswer {
    let asked = place()
    let response = try await request(.repo(fullName: name))
    let repository: GitHub.Repository = try response.decode(using: GitHubJSON.decoder())
    // The following requests use this name.
    guard RepositoryName(repository.fullName) != nil else {
      throw NetworkError(
        .decoding,
        "The server's name for \(name) is invalid: “\(repository.fullName.prefix(100))”")
    }
    let stamps = [repository.createdAt, repository.updatedAt, repository.pushedAt]
    return RepositoryAnswer(
      repository: repository, json: response.body,
      time: time(of: response, stamps: stamps.compactMap { $0?.seconds }), asked: asked)
  }

  /// The repository as it appears in a list, with the fields known to this package.
  func answer(listing repository: GitHub.Repository) throws -> RepositoryAnswer {
    let stamps = [repository.createdAt, repository.updatedAt, repository.pushedAt]
    let present = now().seconds
    let known = stamps.compactMap { $0?.seconds }.filter { $0 <= present }.max() ?? 0
    return RepositoryAnswer(
      repository: repository, json: try GitHubJSON.encoder().encode(repository), time: known,
      asked: place())
  }

  /// Nil if the page still has the entity tag.
  func page(
    of feed: ChangeFeed, at place: SweepAsk.Place, name: String, ifNot entityTag: String?,
    ticket: StoreTicket
  ) async throws(NetworkError) -> Page? {
    let target = feed.target(
      at: place, SweepAnswer.pageSize, name: name, isOrdered: isOrdered(feed))
    guard let entityTag else { return try await page(of: feed, target, ticket) }
    do throws(NetworkError) {
      return try await page(of: feed, target, ticket, ifNoneMatch: entityTag)
    } catch {
      switch error.response?.status {
      case .notModified: return nil
      // GitHub responds to some conditional requests with 404 even if the page exists.
      case .notFound: return try await page(of: feed, target, ticket)
      default: throw error
      }
    }
  }

  func page(
    of feed: ChangeFeed, _ ask: SweepAsk, name: String, ticket: StoreTicket
  ) async throws(NetworkError) -> Page {
    try await page(
      of: feed,
      feed.target(at: ask.place, ask.pageSize, name: name, isOrdered: isOrdered(feed)), ticket)
  }

  /// Whether the server sorts a list by the time of the last change. Forgejo and Gitea sort comments by their creation,
  /// and Gitea also issues.
  func isOrdered(_ feed: ChangeFeed) -> Bool {
    switch provider.forge {
    case .gitHub: true
    case .forgejo: feed == .items
    case .gitea: false
    }
  }

  /// Nil if the list is empty.
  func newestNumber(in name: String) async throws(NetworkError) -> Int? {
    for pageSize in [1, SweepAnswer.pageSize] {
      let response = try await request(
        .issues(repositoryFullName: name, filter: IssueFilter(state: .all), pageSize: pageSize))
      let page = try FeedPage(salvaging: response.body, of: .items)
      let numbers = page.entries.map(\.number) + page.unreadable.map(\.number)
      if numbers.isEmpty { return nil }
      // The newest entry may have an invalid number.
      if let newest = numbers.max(), newest > 0 { return newest }
    }
    throw NetworkError(.decoding, "the newest issues of \(name) have no numbers")
  }

  func presence(
    of numbers: [Int], in name: String, id: Int64
  ) async throws(NetworkError) -> Presence {
    guard provider.forge == .gitHub else { return .unknown }
    let response: TargetResponse
    do throws(NetworkError) {
      response = try await request(.presence(repositoryFullName: name, numbers: numbers))
    } catch {
      if error.response?.status == .unauthorized { return .needsToken }
      guard error.isRefusal else { throw error }
      return .unknown
    }
    guard let answer = try? GitHubJSON.decode(PresenceAnswer.self, from: response.body),
      let found = answer.id
    else { return .unknown }
    guard found == id else { throw .replaced(name) }
    let (present, absent) = (answer.present, answer.absent)
    // A number in neither set couldn't be looked up.
    guard Set(numbers).isSubset(of: present.union(absent)) else { return .unknown }
    return .known(
      present: numbers.filter(present.contains), absent: numbers.filter { !present.contains($0) })
  }

  /// Looks up a number. After a redirect, the repository is identified by its id.
  func finding(
    of number: Int, in known: MirroredRepository, ticket: StoreTicket
  ) async throws(NetworkError) -> Finding {
    let (name, id) = (known.fullName, known.serverID)
    do throws(NetworkError) {
      let response = try await request(.issue(repositoryFullName: name, number: number))
      let issue: GitHub.Issue? = try? response.decode(using: GitHubJSON.decoder())
      if let address = issue?.htmlURL, let reference = try? IssueReference(parsing: address),
        let repository = reference.repository?.name,
        repository.description.lowercased() != name.lowercased()
      {
        return .transferred(to: "\(repository)#\(reference.number)")
      }
      var page = try FeedPage(
        salvaging: Data("[".utf8) + response.body + Data("]".utf8), of: .items)
      page.note(asked(of: response, page, ticket))
      page.note(number: number)
      return .present(page)
    } catch {
      guard let response = error.response, [.notFound, .gone].contains(response.status) else {
        throw error
      }
      let address = response.request.url
      let isHere =
        response.redirects.isEmpty || address.hasSuffix("/repositories/\(id)/issues/\(number)")
      return isHere ? .missing : .transferred(to: address)
    }
  }

  /// Nil if the issue doesn't exist.
  func comments(
    on number: Int, in known: MirroredRepository, ticket: StoreTicket
  ) async throws(NetworkError) -> [FeedPage]? {
    let (name, id) = (known.fullName, known.serverID)
    var pages: [FeedPage] = []
    var target = GitHub.issueComments(
      repositoryFullName: name, number: number, pageSize: SweepAnswer.pageSize)
    var visited: Set<GitHub> = []
    var ids: Set<Int64> = []
    var stalePages = 0
    while visited.insert(target).inserted {
      do throws(NetworkError) {
        let response = try await request(target)
        let isHere =
          response.redirects.isEmpty
          || response.request.url.contains("/repositories/\(id)/issues/\(number)/")
        guard isHere else { return nil }
        var page = try FeedPage(salvaging: response.body, of: .comments)
        page.note(asked(of: response, page, ticket))
        page.note(number: number)
        let knownCount = ids.count
        ids.formUnion(page.entries.map(\.id))
        stalePages = ids.count == knownCount ? stalePages + 1 : 0
        pages.append(page)
        let count = page.entries.count + page.unreadable.count
        guard let next = try provider.nextPage(after: response, count: count) else {
          return pages
        }
        guard stalePages < Self.maximumStalePages else {
          throw NetworkError(
            .decoding,
            "the comments on #\(number) continue, but their last \(stalePages) pages had nothing new"
          )
        }
        target = .page(next)
      } catch {
        guard let status = error.response?.status, [.notFound, .gone].contains(status) else {
          throw error
        }
        return nil
      }
    }
    throw NetworkError(.decoding, "the pages of the comments on #\(number) go in a circle")
  }

  private func page(
    of feed: ChangeFeed, _ target: GitHub, _ ticket: StoreTicket,
    ifNoneMatch entityTag: String? = nil
  ) async throws(NetworkError) -> Page {
    let response = try await request(target, ifNoneMatch: entityTag)
    var contents = try FeedPage(salvaging: response.body, of: feed)
    contents.note(FeedPage.Asked(ticket: ticket))
    var entries = contents.entries.map { SweepAnswer.Entry(id: $0.id, updatedAt: $0.updatedAt) }
    if !contents.unreadable.isEmpty {
      entries += contents.unreadable.compactMap { entry in
        entry.updatedAt.map { SweepAnswer.Entry(id: entry.id, updatedAt: $0) }
      }
      entries.sort { $0.updatedAt < $1.updatedAt }
    }
    let answer = SweepAnswer(
      entries: entries,
      next: try provider.nextPage(
        after: response, count: contents.entries.count + contents.unreadable.count),
      total: provider.forge == .gitHub
        ? nil : response.headers[.totalCount].flatMap { Int($0) },
      askedAt: time(of: response, stamps: entries.map(\.updatedAt))
        - Int(response.timings.head.components.seconds) - 1,
      entityTag: response.headers[.eTag])
    return Page(
      contents: contents, answer: answer,
      repositoryID: Self.repositoryID(in: response.request.url)
        ?? answer.next.flatMap { Self.repositoryID(in: $0.url) },
      received: place())
  }

  /// The id in an address such as `https://api.github.com/repositories/44838949/issues`.
  private static func repositoryID(in address: String) -> Int64? {
    let parts = address.prefix { $0 != "?" }.split(separator: "/")
    guard let index = parts.firstIndex(of: "repositories"), index + 1 < parts.count else {
      return nil
    }
    return Int64(parts[index + 1])
  }

  func request(
    _ target: GitHub, ifNoneMatch entityTag: String? = nil
  ) async throws(NetworkError) -> TargetResponse {
    do throws(NetworkError) {
      var response = try await provider.request(target, ifNoneMatch: entityTag)
      sent.withLock { $0 += response.attempts }
      note(response.serverDate?.seconds)
      // Bodies are stored and exported, so a token that a server or a proxy repeats must be removed.
      response.body = Redaction.hiding(secretsOf: response.request, in: response.body)
      return response
    } catch {
      sent.withLock { $0 += error.attempts }
      note(error.response?.serverDate?.seconds)
      throw error
    }
  }

  private func asked(
    of response: TargetResponse, _ page: FeedPage, _ ticket: StoreTicket
  ) -> FeedPage.Asked {
    let time = time(of: response, stamps: page.entries.map(\.updatedAt))
    return FeedPage.Asked(ticket: ticket, isPresentBefore: time - Sweep.lateness)
  }

  /// The time of the server's response, in seconds since 1970. A server without a clock doesn't send it
  /// (<https://www.rfc-editor.org/rfc/rfc9110#section-6.6.1>); then the time is at least that of the newest entry in
  /// the response. A time too early costs requests, but a time too late would lose changes. So the local clock is used
  /// only to ignore times in its future.
  func time(of response: TargetResponse, stamps: [Int]) -> Int {
    if let date = response.serverDate { return date.seconds }
    let present = now().seconds
    note(stamps.filter { $0 <= present }.max())
    return serverTime
  }

  private func note(_ time: Int?) {
    guard let time else { return }
    reached.withLock { $0 = max($0, time) }
  }

  private func place() -> Int {
    events.withLock { events in
      events += 1
      return events
    }
  }
}

private struct PresenceAnswer: Decodable {
  let id: Int64?
  let present: Set<Int>
  let absent: Set<Int>

  private struct Problem: Decodable {
    let type: String?
    let path: [String]?
  }

  private struct Node: Decodable {
    let id: Int64?

    init(from decoder: any Decoder) throws {
      id = try? decoder.singleValueContainer().decode(Int64.self)
    }
  }

  private enum CodingKeys: CodingKey {
    case data, errors
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let data = try container.decodeIfPresent([String: [String: Node?]?].self, forKey: .data)
    let nodes = data?["repository"].flatMap(\.self) ?? [:]
    id = nodes["databaseId"].flatMap(\.self)?.id
    func number(_ key: String) -> Int? { key.first == "n" ? Int(key.dropFirst()) : nil }
    present = Set(nodes.filter { $0.value != nil }.keys.compactMap(number))
    let problems = try? container.decodeIfPresent([Problem].self, forKey: .errors)
    absent = Set(
      (problems ?? []).filter { $0.type == "NOT_FOUND" }
        .compactMap { $0.path?.last.flatMap(number) })
  }
}

extension NetworkError {
  static func replaced(_ name: String) -> NetworkError {
    NetworkError(.decoding, "another repository has taken the name \(name): sync it again")
  }
}

extension ChangeFeed {
  fileprivate func target(
    at place: SweepAsk.Place, _ pageSize: Int, name: String, isOrdered: Bool
  ) -> GitHub {
    switch place {
    case .page(let link): return .page(link)
    case .since(let second):
      let since = Date(timeIntervalSince1970: Double(second))
      switch self {
      case .items:
        return .issues(
          repositoryFullName: name,
          filter: isOrdered
            ? IssueFilter(state: .all, since: since, sort: .updated, direction: .ascending)
            : IssueFilter(state: .all, since: since),
          pageSize: pageSize)
      case .comments:
        return .repositoryComments(repositoryFullName: name, since: since, pageSize: pageSize)
      }
    }
  }
}
