internal import IssueMirror
internal import IssueTracker

// Messages about data that doesn't exist, or isn't visible with these credentials: on the server and in the mirror.

extension CommandFailure {
  /// Advice if the server doesn't have the repository or issue, or doesn't show it.
  static func adviceOnAbsence(
    of subject: String, on server: GitHubServer, _ source: TokenSource?
  ) -> String {
    source.map { "Check the name “\(subject)”, and that \($0.token) has access to it." }
      ?? "Check the name “\(subject)”; if it is private, set \(variable(server)) to an access token\(orLogin(server))."
  }

  static func noOrganization(_ name: Username) -> CommandFailure {
    CommandFailure(
      .notFound,
      """
      there is no organization “\(name)”, or none that these credentials may see
      For the repositories of a person, use user:\(name).
      """)
  }
}

extension NetworkError {
  /// The problem, with its subject, if a GitHub server responded with 404.
  func absence(of subject: String, on server: GitHubServer) -> String? {
    guard code == .statusCode, let response, response.status == .notFound,
      let body = GitHubErrorBody(response.body)
    else { return nil }
    let reason =
      body.message == "Not Found" ? "" : ": \(body.summary(hidingSecretsOf: response.request))"
    return "\(server) didn't find \(subject) (404 Not Found)\(reason)"
  }
}

extension CommandSession {
  /// The failure if a repository isn't mirrored, but maybe others of the same name, on other servers. A search could be
  /// sent to the server instead.
  func absence(
    ofMirror place: Place, butOf others: [String] = [], mayAskServer: Bool = false
  ) -> CommandFailure {
    guard others.isEmpty else {
      return CommandFailure(
        .notFound,
        "there is no mirror of \(place) \(mirrorPlace), but of \(others.joined(separator: ", "))\n"
          + "Name that server with GH_HOST or --api-url, or create one with "
          + "'\(place.syncCommand)\(databaseOption)'.")
    }
    return CommandFailure(
      .notFound,
      "there is no mirror of \(place) \(mirrorPlace)\n"
        + "Create one with '\(place.syncCommand)\(databaseOption)'"
        + (mayAskServer ? ", or ask the server with --remote." : "."))
  }

  /// The failure if no repository of an owner or a server is mirrored.
  func absence(ofAnyMirrorOf subject: String, mayAskServer: Bool = false) -> CommandFailure {
    CommandFailure(
      .notFound,
      "\(subject) is mirrored \(mirrorPlace)\n"
        + "Mirror a repository with 'issues sync OWNER/REPO\(databaseOption)'"
        + (mayAskServer ? ", or ask the server with --remote." : "."))
  }
}

extension MirroredPlace {
  /// The failure if the mirror doesn't have the issue, with the reason if it is known.
  func absence(of number: Int) async throws -> CommandFailure {
    let subject = "\(repository.fullName)#\(number)"
    if let fate = try await mirror.fate(of: number, in: repository) {
      return CommandFailure(.notFound, "\(subject) \(fate)")
    }
    guard repository.isComplete else { return repository.incompleteness }
    return CommandFailure(.notFound, "the mirror, \(repository.age()), has no \(subject)")
  }
}

extension IssueReader {
  /// The reason that an issue is no longer in the mirror, such as `was deleted`; nil if it isn't known.
  func fate(
    of number: Int, in repository: MirroredRepository
  ) async throws(MirrorFailure) -> String? {
    switch try await tombstones(of: repository).first(where: { $0.number == number })?.fate {
    case .deleted: "was deleted"
    case .transferred(let destination): "was transferred: it is now \(destination)"
    case nil: nil
    }
  }
}

extension MirroredRepository {
  var absenceOfComments: CommandFailure {
    CommandFailure(
      .notFound,
      "the mirror has no comments of \(fullName)\nGet them with '\(syncCommand) --comments'.")
  }

  var absenceOfTimelines: CommandFailure {
    CommandFailure(
      .notFound,
      lacksTimelinesSince == nil
        ? "the mirror has no timelines of \(fullName)\nGet them with '\(syncCommand) --timeline'."
        : "the server of \(typedName) has no timelines")
  }
}
