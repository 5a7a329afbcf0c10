/// A request for the search of repositories: the words, and the page.
///
/// It is pure: it takes a query and makes repositories and neighbouring pages. The rules are those of "Search
/// repositories": https://docs.github.com/en/rest/search/search#search-repositories
struct RepositorySearchQuery: Sendable, Equatable {
  /// The lowercase words that a repository's full name must contain.
  private let words: [String]
  /// The owner; nil for any.
  private let owner: String?
  /// The page.
  let pages: NumberedPages

  /// Reads a query.
  ///
  /// - Throws: ``SearchRefusal``.
  init(_ query: [LoopbackRequest.QueryItem]) throws(SearchRefusal) {
    let text = try SearchText(query).words
    let plain = text.filter { !$0.contains(":") }
    words = plain.map { $0.lowercased() }
    owner =
      text.lazy.compactMap { word in
        ["user:", "org:"].first { word.hasPrefix($0) }.map { String(word.dropFirst($0.count)) }
      }.first
    pages = NumberedPages(query)
  }

  /// Whether it finds a repository.
  func finds(_ repository: LoopbackRepository) -> Bool {
    let name = repository.fullName.lowercased()
    let isOwn = owner.map { $0.lowercased() == repository.owner.lowercased() } ?? true
    return isOwn && words.allSatisfy { name.contains($0) }
  }

  /// A repository invented for the search, by its place from 0.
  func inventedRepository(_ place: Int) -> LoopbackRepository {
    let logins = SyntheticIssues.logins.filter { !$0.hasSuffix("[bot]") }
    let owner = owner ?? logins[place % logins.count]
    let words = words.map { word in
      String(word.unicodeScalars.filter { $0.isASCII && $0.properties.isAlphabetic })
    }
    let name = (words.filter { !$0.isEmpty } + ["\(place + 1)"]).joined(separator: "-")
    return LoopbackRepository(
      id: LoopbackGitHub.identifier(of: "\(owner)/\(name)".lowercased()), owner: owner,
      name: name, issues: SyntheticIssues(count: place))
  }
}
