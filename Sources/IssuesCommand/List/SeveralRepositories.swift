internal import IssueMirror
internal import IssueTracker

/// Lists the issues of several repositories: those of the server, of the mirror, or of both.
///
/// An organisation is asked for its repositories, and then each that has issues for them: one request a repository.
/// `/orgs/NAME/issues` would take fewer, but has only what the token's user sees as a member, and nothing without a
/// token; the search ends at 1,000.
struct SeveralRepositories: Sendable {
  let sources: [ListScope.Source]
  let request: FilterRequest
  let form: IssueListForm
  let isOffline: Bool
  let maximumAge: Duration?
  let connection: ConnectionOptions
  let session: CommandSession

  private var apiURL: String? { connection.request.apiURL }

  func show() async throws {
    let withheld = WithheldResults()
    var connections: [GitHubServer: Connection] = [:]
    let named = try sources.map { source in (source, try server(of: source)) }
    if !isOffline {
      for (_, server) in named where connections[server] == nil {
        connections[server] = try await connection.connection(
          to: server, session, plugins: [withheld.plugin], for: form.follow)
      }
    }
    let places = try await places(of: named, connections)
    let (request, lists) = try await lists(of: places, connections)
    try await RepositoryLists(
      subject: subject(places.count), filter: request.filter(milestone: nil), form: form,
      session: session, lists: lists, withheld: withheld,
      followed: followed(places, connections, request)
    ).show()
  }

  private func followed(
    _ places: [Place], _ connections: [GitHubServer: Connection], _ request: FilterRequest
  ) -> [FollowedList] {
    guard let follow = form.follow else { return [] }
    return places.compactMap { place in
      connections[place.server].map {
        FollowedList(place, $0, follow.notice(of: place.server), request)
      }
    }
  }

  private func subject(_ count: Int) -> String {
    if sources.count == 1, case .organization(let name) = sources[0] { return "\(name)" }
    return count == 1 ? "1 repository" : "\(count) repositories"
  }

  private func server(of source: ListScope.Source) throws -> GitHubServer {
    switch source {
    case .repository(let reference):
      try Place(reference, apiURL: apiURL, environment: session.environment).server
    case .organization: try session.server(apiURL: apiURL)
    }
  }

  private func places(
    of named: [(source: ListScope.Source, server: GitHubServer)],
    _ connections: [GitHubServer: Connection]
  ) async throws -> [Place] {
    var places: [Place] = []
    for (source, server) in named {
      let found: [Place]
      switch source {
      case .repository(let reference): found = [Place(name: reference.name, server: server)]
      case .organization(let name):
        if let connection = connections[server] {
          found = try await repositories(of: name, connection)
        } else {
          found = try await session.mirroredPlaces(of: name, on: server)
        }
      }
      places += found.filter { !places.contains($0) }
    }
    return places
  }

  /// Leaves out repositories without any issue that could be listed.
  private func repositories(
    of organization: Username, _ connection: Connection
  ) async throws -> [Place] {
    session.progress.update("Looking up the repositories of \(organization)…")
    do throws(NetworkError) {
      return try await connection.repositoriesWithIssues(
        .organizationRepositories(organization: organization.login, pageSize: 100)
      )
      .filter { repository, _ in
        // The first issue of a list that goes on may still come.
        (request.state ?? .open) != .open || form.follow != nil
          || repository.openIssuesCount != 0
      }
      .map(\.place)
    } catch {
      let failure = connection.explanation(of: error, "\(organization)")
      guard error.response?.status == .notFound else { throw failure }
      throw CommandFailure(
        failure.status,
        """
        there is no organization “\(organization)”, or none that these credentials may see
        For the repositories of a person, use user:\(organization).
        """)
    }
  }

  /// Only a server knows who `@me` is.
  private func lists(
    of places: [Place], _ connections: [GitHubServer: Connection]
  ) async throws -> (FilterRequest, [(name: String, list: any MergedList<RepositoryRow>)]) {
    var request = request
    if request.namesOwner, let first = places.first.flatMap({ connections[$0.server] }) {
      request = try await first.explaining("@me") {
        [request] (provider) async throws(NetworkError) in
        try await request.named(by: provider).get()
      }
    }
    var lists: [(name: String, list: any MergedList<RepositoryRow>)] = []
    var mirrored: [MirroredRepository] = []
    for place in places {
      if let own = try await self.mirrored(place) {
        mirrored.append(own.repository)
        lists.append(
          ("\(place)", MirroredIssues(own, try await request.resolved(in: own), form)))
      } else if let connection = connections[place.server] {
        lists.append(
          ("\(place)", ServedIssues(place, connection, request, form, onFound: note(place.server))))
      } else {
        lists.append(
          ("\(place)", UnmirroredIssues(failure: session.absence(ofMirror: place))))
      }
    }
    session.tellTime(
      of: mirrored, withComments: false, verbosity: connection.request.verbose)
    if isOffline { session.tellFreshness(of: mirrored.filter(\.isComplete)) }
    return (request, lists)
  }

  private func mirrored(_ place: Place) async throws -> MirroredPlace? {
    if isOffline {
      guard let mirror = try await session.existingMirror(),
        let repository = try await mirror.repository(named: place.name, on: place.server)
      else { return nil }
      return MirroredPlace(mirror: mirror, repository: repository)
    }
    guard let maximumAge else { return nil }
    return try await FreshMirror(
      maximumAge: maximumAge, session, request: connection.request, wait: connection.wait.wait
    ).mirrored(place, withComments: false)
  }

  private func note(_ server: GitHubServer) -> @Sendable (RepositoryName) -> Void {
    guard !connection.request.stub else { return { _ in } }
    let history = RepositoryHistory(environment: session.environment)
    return { [session] name in
      session.end.add {
        await history?.record(RepositoryHistory.Entry(server: server, name: name))
      }
    }
  }
}

/// A repository that `--offline` can't list.
private struct UnmirroredIssues: MergedList {
  let failure: CommandFailure

  mutating func next() async throws -> [RepositoryRow]? { throw failure }
}

extension CommandSession {
  /// The mirrored repositories of an owner, or all of a server; throws where there are none.
  func mirroredPlaces(of owner: Username?, on server: GitHubServer) async throws -> [Place] {
    let all = try await existingMirror()?.repositories() ?? []
    let places = all.compactMap { repository -> Place? in
      guard repository.host == server.host, let name = RepositoryName(repository.fullName),
        owner.map({ $0.login.lowercased() == name.owner.lowercased() }) ?? true
      else { return nil }
      return Place(name: name, server: server)
    }
    guard !places.isEmpty else {
      let subject = owner.map { "no repository of \($0)" } ?? "nothing of \(server)"
      throw CommandFailure(
        .notFound,
        "\(subject) is mirrored \(mirrorPlace)\n"
          + "Mirror a repository with 'issues sync OWNER/REPO\(databaseOption)'."
      )
    }
    return places
  }
}
