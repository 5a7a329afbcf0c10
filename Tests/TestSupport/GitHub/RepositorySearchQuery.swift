/// A question to the repository search: what is searched for, and which page of it.
///
/// Pure: takes a query, gives repositories and neighbouring pages. The rules are those of "Search
/// repositories": https://docs.github.com/en/rest/search/search#search-repositories
struct RepositorySearchQuery: Sendable, Equatable {
  /// A request that GitHub answers with 422.
  enum Invalid: Error {
    case missing
    case tooLong
    case tooFar

    var response: LoopbackResponse {
      let problem =
        switch self {
        case .missing: #"[{"resource":"Search","field":"q","code":"missing"}]"#
        case .tooLong:
          #"[{"message":"The search is longer than 256 characters.","resource":"Search","#
            + #""field":"q","code":"invalid"}]"#
        case .tooFar: "[]"
        }
      let message =
        self == .tooFar ? "Only the first 1000 search results are available" : "Validation Failed"
      return .json(
        """
        {"message":"\(message)","errors":\(problem),\
        "documentation_url":"https://docs.github.com/v3/search/","status":"422"}
        """, status: 422)
    }
  }

  /// How many results GitHub gives at most.
  static let maximumCount = 1000

  private let items: [LoopbackRequest.QueryItem]
  /// The words, in lower case; each has to occur in a repository's full name.
  private let words: [String]
  /// Whose repositories; nil for everybody's.
  private let owner: String?
  private let perPage: Int
  /// From 1.
  private let page: Int

  /// Reads a query.
  ///
  /// - Throws: ``Invalid``.
  init(_ query: [LoopbackRequest.QueryItem]) throws(Invalid) {
    func value(_ name: String) -> String? { query.first { $0.name == name }?.value }
    items = query
    let text = (value("q") ?? "").split { $0.isWhitespace }
    guard !text.isEmpty else { throw .missing }
    let plain = text.filter { !$0.contains(":") }
    // Qualifiers don't count.
    guard plain.joined(separator: " ").count <= 256 else { throw .tooLong }
    words = plain.map { $0.lowercased() }
    owner =
      text.lazy.compactMap { word in
        ["user:", "org:"].first { word.hasPrefix($0) }.map { String(word.dropFirst($0.count)) }
      }.first
    perPage = min(max(value("per_page").flatMap(Int.init) ?? 30, 1), 100)
    page = max(value("page").flatMap(Int.init) ?? 1, 1)
    guard (page - 1) * perPage < Self.maximumCount else { throw .tooFar }
  }

  /// Whether a repository is found.
  func finds(_ repository: LoopbackRepository) -> Bool {
    let name = repository.fullName.lowercased()
    let isOwn = owner.map { $0.lowercased() == repository.owner.lowercased() } ?? true
    return isOwn && words.allSatisfy { name.contains($0) }
  }

  /// A repository that is found because it was searched for, by its place from 0.
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

  /// The places that are on the page, of so many results.
  func window(of total: Int) -> Range<Int> {
    let end = min(total, Self.maximumCount)
    let begin = min((page - 1) * perPage, end)
    return begin..<min(begin + perPage, end)
  }

  /// The neighbouring pages and the ends, as GitHub names them.
  func links(of total: Int) -> [(relation: String, page: Int)] {
    let last = (min(total, Self.maximumCount) + perPage - 1) / perPage
    var links: [(relation: String, page: Int)] = []
    if page > 1 { links.append(("prev", min(page - 1, last))) }
    if page < last { links += [("next", page + 1), ("last", last)] }
    if page > 1 { links.append(("first", 1)) }
    return links
  }

  /// The query of another page, with the other parameters as they were sent.
  func rawQuery(page: Int) -> String {
    (items.filter { $0.name != "page" } + [.init("page", "\(page)")]).map { item in
      "\(PercentCoding.encode(item.name))=\(PercentCoding.encode(item.value))"
    }.joined(separator: "&")
  }
}
