internal import IssueMirror
internal import IssueTracker

/// The lists of several repositories, from the server, from the mirror, or from both.
///
/// For an organization, its repositories are requested, and then the issues of each repository that has any: one
/// request per repository. `/orgs/NAME/issues` would take fewer requests, but returns only the issues that the token's
/// user sees as a member, and none without a token. The search ends at 1,000 results.
extension ListAnswer {
  func show(_ sources: [ListScope.Source]) async throws {
    var answer = self
    answer.form.naming = .always
    let withheld = WithheldResults()
    var connections: [GitHubServer: Connection] = [:]
    let named = try sources.map { source in (source, try server(of: source)) }
    if !question.freshness.isOffline {
      for (_, server) in named where connections[server] == nil {
        connections[server] = try await connection.connection(
          to: server, session, plugins: [withheld.plugin], for: form.follow)
      }
    }
    let places = try await places(of: named, connections)
    var subject = places.count == 1 ? "1 repository" : "\(places.count) repositories"
    if sources.count == 1, case .organization(let name) = sources[0] { subject = "\(name)" }
    try await MergedIssues(
      subject, question.filter.filter(milestone: nil), answer.form,
      lists: try await answer.lists(of: places, connections), withheld: withheld
    ).show(in: answer.form, session)
  }

  private func server(of source: ListScope.Source) throws -> GitHubServer {
    let apiURL = connection.request.apiURL
    return switch source {
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

  /// The organization's repositories, except for those without issues to list.
  private func repositories(
    of organization: Username, _ connection: Connection
  ) async throws -> [Place] {
    session.progress.update("Looking up the repositories of \(organization)…")
    do throws(NetworkError) {
      return try await connection.repositoriesWithIssues(
        .organizationRepositories(organization: organization.login, pageSize: 100)
      )
      .filter { repository, _ in
        // A followed list may still receive its first issue.
        (question.filter.state ?? .open) != .open || form.follow != nil
          || repository.openIssuesCount != 0
      }
      .map(\.place)
    } catch {
      let failure = connection.explanation(of: error, "\(organization)")
      guard error.response?.status == .notFound else { throw failure }
      throw CommandFailure.noOrganization(organization)
    }
  }

  private func lists(
    of places: [Place], _ connections: [GitHubServer: Connection]
  ) async throws -> [MergedIssues.Part] {
    let freshness = question.freshness
    var request = question.filter
    // Only a server can resolve `@me`.
    if request.namesOwner, let first = places.first.flatMap({ connections[$0.server] }) {
      request = try await first.naming(request)
    }
    let history =
      connection.request.stub ? nil : RepositoryHistory(environment: session.environment)
    var lists: [MergedIssues.Part] = []
    var mirrored: [MirroredRepository] = []
    for place in places {
      if let own = try await freshness.knownMirror(of: place, connection, session) {
        mirrored.append(own.repository)
        let filter = try await request.resolved(in: own)
        lists.append(("\(place)", MirroredIssues(own, filter, form, isPart: true)))
      } else if let connection = connections[place.server] {
        var list = ServedIssues(place, connection, session, request, form)
        list.isPart = true
        list.history = history
        lists.append(("\(place)", list))
      } else {
        let absence = session.absence(ofMirror: place)
        lists.append(
          (
            "\(place)",
            WholeList(
              "\(place)", status: "", nothing: "", limit: nil, title: { _, _ in "" },
              load: { throw absence })
          ))
      }
    }
    session.tellTime(of: mirrored, withComments: false, verbosity: connection.request.verbose)
    if freshness.isOffline { session.tellFreshness(of: mirrored.filter(\.isComplete)) }
    return lists
  }
}

extension CommandSession {
  /// The mirrored repositories of an owner, or all of a server. Throws if there are none.
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
      throw absence(ofAnyMirrorOf: subject)
    }
    return places
  }
}
