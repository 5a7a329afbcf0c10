internal import PlatformModules
internal import SampleData

/// The sample repositories, which can be looked up and searched as on a server.
package enum SampleRepositories {
  /// Returns all sample repositories that a search can find, starting with those of the sample file.
  ///
  /// - Returns: The repositories.
  /// - Throws: `DecodingError` if the sample is broken.
  package static func all() throws -> [GitHub.Repository] { try found.get() }

  /// Returns the repository of the sample issues.
  static func swift() throws -> GitHub.Repository { try decodedSwift.get() }

  // Decoded once, because each page of a list needs its repository.

  private static let decodedSwift = Result {
    try GitHubJSON.decode(GitHub.Repository.self, from: Data(SampleData.repository))
  }

  private static let found = Result {
    try GitHubJSON.decode(
      SearchResults<GitHub.Repository>.self, from: Data(SampleData.searchRepositories)
    )
    .items + GeneratedRepositories.all()
  }

  /// The repositories by name. The first repository with a name is used.
  private static let known = Result {
    let listed = try GitHubJSON.decode(
      [GitHub.Repository].self, from: Data(SampleData.repositories))
    return try [swift()] + listed + all()
  }

  /// Returns a repository by its name. If the owner is unknown, any name refers to `swiftlang/swift`, so that any
  /// request works without a network.
  static func named(_ fullName: String) throws -> GitHub.Repository? {
    let known = try known.get()
    let name = (RepositoryName(fullName)?.description ?? fullName).lowercased()
    if let found = known.first(where: { $0.fullName.lowercased() == name }) { return found }
    let owner = String(name.prefix { $0 != "/" })
    let isOwnerKnown = known.contains { $0.owner?.login.lowercased() == owner }
    // `apple/swift` is the old name.
    return name == "apple/swift" || !isOwnerKnown ? try swift() : nil
  }

  /// Returns the repositories whose full name or description contains each word. Qualifiers other than `language:`,
  /// `user:` and `org:` are ignored.
  static func matching(_ query: String) throws -> [GitHub.Repository] {
    let words = query.lowercased().split { $0.isWhitespace }
    return try all().filter { repository in words.allSatisfy { matches(repository, $0) } }
  }

  private static func matches(_ repository: GitHub.Repository, _ word: Substring) -> Bool {
    let parts = word.split(separator: ":", maxSplits: 1)
    guard parts.count == 2 else {
      let text = "\(repository.fullName) \(repository.description ?? "")".lowercased()
      return text.contains(word)
    }
    let value = String(parts[1])
    return switch parts[0] {
    case "language": repository.language?.lowercased() == value
    case "user", "org": repository.owner?.login.lowercased() == value
    default: true
    }
  }
}

/// Generated repositories, so that a broad search has several pages.
enum GeneratedRepositories {
  private static let nouns = [
    "calendar", "colors", "matrix", "parser", "scheduler", "keychain", "markdown", "charts",
    "bloom-filter", "units", "locks", "tables", "fonts", "routes", "queue", "diff", "graph", "toml",
    "spelling", "metrics",
  ]

  static func all() -> [GitHub.Repository] {
    nouns.flatMap { noun in
      [
        repository("swift-\(noun)", "Everything about \(noun) for Swift"),
        repository("\(noun)-kit", "A small \(noun) library, written in Swift"),
        repository("tiny-\(noun)", "Less than you need of \(noun), in one file of Swift"),
      ]
    }
    .sorted { ($0.stargazersCount ?? 0, $0.id) > ($1.stargazersCount ?? 0, $1.id) }
  }

  private static func repository(_ name: String, _ description: String) -> GitHub.Repository {
    var dice = SampleDice(name)
    let owner = dice.pick(SampleUsers.people.filter { $0.login.hasSuffix("-example") })
    return GitHub.Repository(
      id: 6_000_000_000 + Int64(dice.below(1_000_000_000)), fullName: "\(owner.login)/\(name)",
      owner: owner, description: description,
      htmlURL: "https://github.com/\(owner.login)/\(name)", language: "Swift",
      stargazersCount: 1 + dice.below(600))
  }
}
