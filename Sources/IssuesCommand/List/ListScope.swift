internal import IssueTracker

/// The scope of a list of issues: one repository, several, those of an organization, or those of a user.
enum ListScope: Sendable, Hashable {
  enum Source: Sendable, Hashable {
    case repository(RepositoryReference)
    case organization(Username)
  }

  /// One repository, or the URL of an issue, which may refer to its repository's list.
  case one(PlaceArgument)
  /// Several repositories in the order of the command line, without duplicates.
  case several([Source])
  /// The repositories of a user. Only a search finds all of them, including the visible private ones.
  case user(Username)

  /// Reads the arguments and the values of `--repo`. Throws if they contradict each other.
  init(_ arguments: [String], repo: [String]) throws {
    guard arguments.count > 1 || repo.count > 1 || arguments.contains(where: Self.isOwner) else {
      self = .one(try PlaceArgument(arguments.first, repo: repo.first))
      return
    }
    guard arguments.isEmpty || repo.isEmpty else {
      throw CommandFailure(
        .usage, "name the repositories as arguments or with --repo, not with both")
    }
    if arguments.count == 1, let user = try Self.owner(arguments[0], of: "user") {
      self = .user(user)
      return
    }
    var sources: [Source] = []
    for word in arguments + repo {
      let source = try Self.source(word)
      if !sources.contains(where: { $0.key == source.key }) { sources.append(source) }
    }
    if sources.count == 1, case .repository(let reference) = sources[0] {
      self = .one(try PlaceArgument("\(reference)"))
    } else {
      self = .several(sources)
    }
  }

  private static func source(_ word: String) throws -> Source {
    if try owner(word, of: "user") != nil {
      throw CommandFailure(
        .usage, "\(word) is a search of its own: list it alone, or name the repositories")
    }
    if let organization = try owner(word, of: "org") { return .organization(organization) }
    guard word.first != "@" else {
      throw CommandFailure(.usage, "\(word) is a view: list it alone")
    }
    if try ListAddress.read(word) != nil {
      throw CommandFailure(
        .usage, "the address of a list has its own search: list it alone, or name the repository")
    }
    let reference = try RepositoryReference(parsing: word)
    guard reference.issueNumber == nil else {
      throw CommandFailure(.usage, "\(word) is an issue, not a repository: 'issues view' shows it")
    }
    return .repository(reference)
  }

  /// Whether a word is `org:NAME` or `user:NAME`.
  static func isOwner(_ word: String) -> Bool {
    word.hasPrefix("org:") || word.hasPrefix("user:")
  }

  /// The qualifiers for sources in the syntax of GitHub's search.
  static func query(of sources: [Source]) -> String {
    let words = sources.map(\.word)
    return words.count > 1 ? "(\(words.joined(separator: " OR ")))" : words[0]
  }

  private static func owner(_ word: String, of kind: String) throws -> Username? {
    guard word.hasPrefix("\(kind):") else { return nil }
    return try Username(parsing: String(word.dropFirst(kind.count + 1)))
  }
}

extension ListScope.Source {
  fileprivate var key: String {
    switch self {
    case .repository(let reference): "\(reference)".lowercased()
    case .organization(let name): "org:\(name)".lowercased()
    }
  }

  /// The qualifier in the syntax of GitHub's search.
  fileprivate var word: String {
    switch self {
    case .repository(let reference): "repo:\(reference.name)"
    case .organization(let name): "org:\(name)"
    }
  }
}
