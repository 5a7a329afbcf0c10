internal import IssueBrowser
internal import IssueTracker
internal import StyledText

/// A request for a list of issues: the repositories, the filter, the order, the limit, and the required freshness.
///
/// Options, the URL of a page and a view of the configuration are converted to a question, and a question can be saved
/// as a view.
struct ListQuestion: Sendable, Hashable {
  var scope: ListScope
  var filter: FilterRequest
  /// The search in GitHub's syntax; nil if the filter expresses the whole query.
  var search: String?
  var includesPullRequests = false
  /// The number of the issue whose sub-issues are listed.
  var parent: Int?
  var limit: Int?
  var freshness = Freshness()

  /// Adds the query of a page or a view. If possible, it is added to the filter, because a search finds only the first
  /// 1,000 issues.
  func adding(_ query: String) -> ListQuestion {
    var question = self
    if search == nil, let page = IssueFilter(ofPage: query) {
      question.filter = filter.over(page)
      return question
    }
    let search = [query, search ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    // Without a state, the page shows issues in all states, newest first.
    question.filter.state = filter.state ?? .all
    if !filter.hasOrder, !QueryWord.tellsOrder(search) { question.filter.sort = .created }
    question.search = search
    return question
  }

  /// Adds the pasted URL of a list.
  func adding(_ address: ListAddress) -> ListQuestion {
    var question = self
    if let number = address.milestone, filter.milestone == nil {
      question.filter.milestone = .number(number)
    }
    return question.adding(address.query)
  }

  /// Adds a view, except for the parts that an option replaces; nil if only a search finds its issues. A list of one
  /// repository has no limit. A search in several repositories ends at a thousand results.
  func adding(
    _ view: SavedView, repo: [String], mayList: Bool
  ) throws -> ListQuestion? {
    let query = query(of: view)
    var question = adding(query)
    switch view.place {
    case _ where repo.count > 1: question.scope = try ListScope([], repo: repo)
    case .repositories(let places) where repo.isEmpty && places.count == 1:
      question.scope = .one(try PlaceArgument("\(places[0])"))
    case .here,
      _ where !repo.isEmpty:
      question.scope = .one(try PlaceArgument(nil, repo: repo.first))
    // If a filter can express the query, the issues are listed; otherwise they are searched for.
    case .repositories(let places) where question.search == nil && mayList:
      question.scope = .several(places.map { .repository($0) })
    case .everywhere where mayList:
      guard let words = try? QueryWord.words(of: query),
        let word = words.first(where: { $0.name == "org" }), let name = Username(word.value)
      else { return nil }
      question = adding(words.filter { $0 != word }.map(\.description).joined(separator: " "))
      guard question.search == nil else { return nil }
      question.scope = .several([.organization(name)])
    case .repositories, .everywhere: return nil
    }
    return question
  }

  /// The view's query, except for the parts that an option replaces.
  func query(of view: SavedView) -> String {
    var words = view.query
    if filter.state != nil { words = QueryWord.withoutState(words) }
    guard !filter.hasOrder, let sort = view.sort else { return words }
    return "\(words) sort:\(sort)"
  }

  /// The query of GitHub's page (<https://docs.github.com/en/search-github/searching-on-github/searching-issues-and-pull-requests>).
  func page(of place: Place) throws(CommandFailure) -> String {
    let root = place.server.webURL(of: place.name)
    guard filter != FilterRequest() || search != nil else { return "\(root)/issues" }
    if case .number(let number) = filter.milestone {
      guard search == nil, filter == FilterRequest(state: .open, milestone: filter.milestone) else {
        throw CommandFailure(
          .usage, "GitHub's pages identify milestones by title: with --web, give the title")
      }
      return "\(root)/milestone/\(number)"
    }
    let query =
      search.map { filter.search(for: $0, includesPullRequests: includesPullRequests) }
      ?? filter.pageQuery
    let path: URLPath = "\(raw: root)/issues?q=\(query)"
    return path.encoded
  }
}

extension SavedView {
  /// A list with a name. `limit` is nil if none was given.
  init(_ name: String, _ question: ListQuestion, limit: Int?) throws(CommandFailure) {
    let (filter, search) = (question.filter, question.search)
    if case .number = filter.milestone {
      throw CommandFailure(.usage, "a view identifies milestones by title")
    }
    guard !filter.hasOrder || !QueryWord.tellsOrder(search ?? "") else {
      throw CommandFailure(.usage, "the search has its own order: leave out --sort and --order")
    }
    var words: [String] = []
    var place = SavedView.Place.here
    switch question.scope {
    case .one(let argument):
      guard argument.issueNumber == nil else {
        throw CommandFailure(.usage, "an issue can't be saved as a view: name its repository")
      }
      if let named = argument.repository.named { place = .repositories([named]) }
    case .user(let user): words.append("user:\(user)")
    case .several(let sources):
      let references = sources.compactMap { source in
        if case .repository(let reference) = source { reference } else { nil }
      }
      if references.count == sources.count {
        place = .repositories(references)
      } else {
        words.append(ListScope.query(of: sources))
      }
    }
    if let search {
      words.append(QueryWord.hasAlternatives(search) ? "(\(search))" : search)
    }
    switch filter.state {
    case .closed: words.append("is:closed")
    case .open, nil: if !QueryWord.tellsState(search ?? "") { words.append("is:open") }
    // A view without a state includes issues in all states.
    case .all: break
    }
    words += filter.qualifiers()
    let query = words.joined(separator: " ")
    self.init(
      name: name, query: query,
      sort: filter.hasOrder
        ? "\((filter.sort ?? .created).rawValue)-\((filter.order ?? .descending).rawValue)" : nil,
      place: QueryWord.namesPlace(query) ? .everywhere : place, limit: limit)
  }
}

extension FilterRequest {
  var hasOrder: Bool { sort != nil || order != nil }

  fileprivate var pageQuery: String {
    // GitHub's search has no qualifier for both states. Without a state, it finds both.
    let state = state == .all ? [] : ["state:\((state ?? .open).rawValue)"]
    return (["is:issue"] + state + qualifiers() + [orderWord]).joined(separator: " ")
  }
}

extension IssueFilter {
  /// Returns nil if no filter is equivalent to the query.
  fileprivate init?(ofPage query: String) {
    let words = QueryWord.tellsState(query) ? query : "is:all \(query)"
    guard let filter = try? IssueFilter(query: words) else { return nil }
    switch filter.milestone {
    // On a page, a number is also matched against titles.
    case .number, .title: return nil
    case .any, .absent, nil: self = filter
    }
  }
}
