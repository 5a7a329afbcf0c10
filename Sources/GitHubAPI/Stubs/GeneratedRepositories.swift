/// Repositories that nobody has, so that a broad search of the samples has several pages.
enum GeneratedRepositories {
  private static let nouns = [
    "calendar", "colors", "matrix", "parser", "scheduler", "keychain", "markdown", "charts",
    "bloom-filter", "units", "locks", "tables", "fonts", "routes", "queue", "diff", "graph", "toml",
    "spelling", "metrics",
  ]

  /// All of them, the one with the most stars first.
  static func all() -> [Repository] {
    nouns.flatMap { noun in
      [
        repository("swift-\(noun)", "Everything about \(noun) for Swift"),
        repository("\(noun)-kit", "A small \(noun) library, written in Swift"),
        repository("tiny-\(noun)", "Less than you need of \(noun), in one file of Swift"),
      ]
    }
    .sorted { ($0.stargazersCount ?? 0, $0.id) > ($1.stargazersCount ?? 0, $1.id) }
  }

  private static func repository(_ name: String, _ description: String) -> Repository {
    var dice = SampleDice(name)
    let owner = dice.pick(SampleUsers.people.filter { $0.login.hasSuffix("-example") })
    return Repository(
      id: 6_000_000_000 + Int64(dice.below(1_000_000_000)), fullName: "\(owner.login)/\(name)",
      owner: owner, description: description,
      htmlURL: "https://github.com/\(owner.login)/\(name)", language: "Swift",
      stargazersCount: 1 + dice.below(600))
  }
}
