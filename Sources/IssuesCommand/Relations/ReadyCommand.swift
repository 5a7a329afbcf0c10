internal import ArgumentParser
internal import IssueBrowser
internal import IssueMirror
internal import IssueTracker
internal import StyledText

struct ReadyCommand: JSONCommand, DatabaseCommand, LimitedCommand, ConnectingOptions {
  static let configuration = CommandConfiguration(
    commandName: "ready",
    abstract: "List the issues that are ready to start.",
    discussion: """
      An issue is ready if it is open, unassigned or assigned to you, and no open issue blocks it. \
      Without a token, or from the mirror, the command doesn't know who you are: then only unassigned \
      issues are ready, or those of the person in --assignee.

      The filter, the columns and the lines in a pipe are those of 'issues list'. By default, the \
      oldest come first. Pull requests aren't listed.

      GitHub's list says how many open issues block each one. If a server doesn't say so, the command \
      sends a request for each issue, at most 200. Servers of GitHub Enterprise may lack \
      dependencies: then nothing blocks an issue, and standard error says so. The command remembers \
      that for a month.

      EXAMPLES:
        issues ready                         (in a clone)
        issues ready swiftlang/swift --label bug --milestone 6.3
        issues ready swiftlang/swift --type Bug --sort updated
        issues ready swiftlang/swift --offline --all
        issues ready swiftlang/swift --max-age 10m
        issues ready swiftlang/swift --json number,title --limit 1
      """)

  @Argument(help: .repositoryOrClone, completion: .custom(MirrorCompletion.repositoryOrName))
  var repository: String?

  @OptionGroup var option: RepositoryOptions
  @OptionGroup(title: "Filter") var filter: FilterOptions
  @OptionGroup(title: "Amount") var limit: LimitOptions

  @Flag(help: "Show the mirror, not the server; see 'issues sync'.")
  var offline = false

  @OptionGroup(title: "Mirror") var age: AgeOptions
  @OptionGroup(title: "Mirror") var database: DatabaseOptions

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  static var jsonFields: JSONFields.Known { .sent(GitHub.Issue.fieldNames) }

  mutating func takeArgument(_ word: String) -> Bool {
    guard repository == nil, word.contains("/") else { return false }
    repository = word
    return true
  }

  func validateOptions() throws {
    guard filter.state ?? .open == .open else {
      throw ValidationError("Only open issues are ready: leave out --state.")
    }
    guard !filter.includePullRequests else {
      throw ValidationError("'issues ready' doesn't list pull requests.")
    }
    guard !offline || !connection.request.stub else {
      throw ValidationError("--offline shows the mirror: leave out --stub.")
    }
    try age.refuse(
      beside: connection.request.stub, "--stub", "which shows sample data")
  }

  private var request: FilterRequest {
    var request = filter.request
    request.state = .open
    request.order = request.order ?? .ascending
    return request
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    let place = try await session.place(
      of: RepositoryChoice(parsing: repository, option: option.repo),
      apiURL: connection.request.apiURL)
    let form = IssueListForm(
      limit: limit.maximum, includesPullRequests: false, columns: session.columns(fields),
      fields: fields)
    let freshness = Freshness(isOffline: offline, maximumAge: age.maximumAge)
    if let mirrored = try await freshness.mirror(of: place, connection, session) {
      return try await list(mirrored, form).show(in: form, session)
    }
    let github = try await connection.connection(to: place.server, session)
    let blocking = BlockingLookup(
      place: place, provider: github.provider, gaps: ServerGaps(environment: session.environment))
    let login = await ownLogin(github)
    var request = request
    // It lists only the newest first.
    if github.provider.forge == .gitea, filter.request.order == nil { request.order = nil }
    var list = ServedIssues(place, github, session, request, form)
    list.sieve = ServedIssues.Sieve(
      status: "Looking for ready issues of \(place)",
      heading: "Showing ready issues of \(place)", nothing: "No issue of \(place) is ready."
    ) { [isChosen = filter.assignee != nil] issues async throws(NetworkError) in
      try await blocking.unblocked(
        issues.filter { sent in
          let assignees = sent.entity.assignees
          return isChosen || assignees.isEmpty
            || assignees.contains { $0.login.lowercased() == login?.lowercased() }
        })
    } note: {
      await blocking.isUnknown
        ? "\(place.server) doesn't have issue dependencies: some of these may be blocked." : nil
    }
    try await list.show(in: form, session)
  }

  private func list(_ place: MirroredPlace, _ form: IssueListForm) -> WholeList<IssueRow> {
    let repository = place.repository
    let name = repository.fullName
    return WholeList(
      name, status: "Reading the mirror of \(name)", nothing: "No issue of \(name) is ready.",
      limit: form.limit, failure: repository.isComplete ? nil : repository.incompleteness,
      title: { shown, all in
        let count = shown < all ? "\(shown) of \(all)" : "\(shown)"
        return "Showing \(count) ready \(all == 1 ? "issue" : "issues") of \(name)"
      },
      load: { [request] in
        var filter = try await request.resolved(in: place)
        filter.assignee = filter.assignee ?? .nobody
        return try await place.mirror.sentIssues(
          of: repository, filter: filter, limit: nil, includesPullRequests: false
        )
        .filter { $0.entity.dependencies?.blockedBy ?? 0 == 0 }.map { form.row($0, in: name) }
      })
  }

  /// The login of the token's user; nil if it isn't known. The list doesn't need it.
  private func ownLogin(_ connection: Connection) async -> String? {
    guard connection.token != nil, filter.assignee == nil else { return nil }
    return try? await connection.provider.ownProfile().login
  }
}

/// Finds the issues that no open issue blocks: from the data in the list, or else by a request for each.
actor BlockingLookup {
  /// The maximum number of requests. It protects against a server that omits the information from a list of a hundred
  /// thousand issues.
  private static let mostRequests = 200

  private let place: Place
  private let provider: Provider<GitHub>
  private let gaps: ServerGaps?
  private var requests = 0
  /// Whether the result is unknown, because the server doesn't provide it or there were too many requests.
  private(set) var isUnknown: Bool

  init(place: Place, provider: Provider<GitHub>, gaps: ServerGaps?) {
    self.place = place
    self.provider = provider
    self.gaps = gaps
    isUnknown = false
  }

  func unblocked(
    _ issues: [Sent<GitHub.Issue>]
  ) async throws(NetworkError) -> [Sent<GitHub.Issue>] {
    let silent = issues.filter { $0.entity.dependencies == nil }.map(\.entity.number)
    let blocked = try await blocked(silent)
    return issues.filter { sent in
      sent.entity.dependencies.map { $0.blockedBy == 0 } ?? !blocked.contains(sent.entity.number)
    }
  }

  private func blocked(_ numbers: [Int]) async throws(NetworkError) -> Set<Int> {
    guard !numbers.isEmpty else { return [] }
    if isUnknown || gaps?.lacks(.dependencies, place.server) == true {
      isUnknown = true
      return []
    }
    // The first response shows whether the server provides the information.
    var blocked: Set<Int> = []
    var rest = numbers[...]
    while !rest.isEmpty {
      guard requests < Self.mostRequests else {
        isUnknown = true
        break
      }
      let batch = Array(rest.prefix(min(requests == 0 ? 1 : 8, Self.mostRequests - requests)))
      rest = rest.dropFirst(batch.count)
      requests += batch.count
      let answers = await IssueRelations.blockers(
        of: batch.map { IssuePlace(repository: place.name, number: $0) }, provider: provider)
      for (number, answer) in zip(batch, answers) {
        do throws(NetworkError) {
          if try answer.get().contains(where: { $0.state == .open }) { blocked.insert(number) }
        } catch {
          guard error.mayBeGap else { throw error }
          gaps?.note(.dependencies, place.server)
          isUnknown = true
          return blocked
        }
      }
    }
    return blocked
  }
}
