#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The issues of one repository, and the pages that were made of them.
///
/// Issues are made when first asked for, lists when first filtered, pages when first sent. Each is
/// then kept, so that a benchmark measures its client and not this server.
final class IssueStore: Sendable {
  /// A page as it goes out.
  struct RenderedPage: Sendable {
    var body: Data
    var next: IssueQuery.Cursor?
    var previous: IssueQuery.Cursor?
    /// How many items the whole list has.
    var total: Int
  }

  /// What became of an issue that isn't there any more.
  enum Fate: Sendable {
    case deleted
    case transferred(to: LoopbackRepository, number: Int)
  }

  private struct State: Sendable {
    var issues: [SyntheticIssue]?
    /// By their numbers, those that aren't there any more.
    var fates: [Int: Fate] = [:]
    /// Counted up with every change, for ETags.
    var version = 0
    var lists: [String: [SyntheticIssue]] = [:]
    var pages: [String: RenderedPage] = [:]
  }

  /// How many lists and pages are kept at most: some hundred megabytes of pages.
  private static let mostLists = 64
  private static let mostPages = 1024

  private let recipe: SyntheticIssues
  private let state = Watched(State())

  init(_ recipe: SyntheticIssues) {
    self.recipe = recipe
  }

  /// Counted up with every change of an issue.
  var version: Int { state.read { $0.version } }

  /// All issues by ascending number.
  var issues: [SyntheticIssue] { state.update { made(&$0) } }

  /// How many issues and pull requests are open.
  var openCount: Int {
    var query = IssueQuery()
    query.perPage = 1
    return page(query).total
  }

  /// The issue with a number; nil where there is none, or none any more.
  func issue(_ number: Int) -> SyntheticIssue? {
    let issues = issues
    return issues.indices.contains(number - 1) && fate(of: number) == nil
      ? issues[number - 1] : nil
  }

  /// What became of an issue that isn't there any more.
  func fate(of number: Int) -> Fate? { state.read { $0.fates[number] } }

  /// Takes an issue away.
  func remove(_ number: Int, _ fate: Fate) {
    state.update { state in
      state.fates[number] = fate
      forget(&state)
    }
  }

  /// Changes an issue.
  func change(_ number: Int, _ body: (inout SyntheticIssue) -> Void) {
    state.update { state in
      var issues = made(&state)
      guard issues.indices.contains(number - 1) else { return }
      body(&issues[number - 1])
      state.issues = issues
      forget(&state)
    }
  }

  /// Adds an issue with the next number.
  ///
  /// - Returns: Its number.
  func add(_ body: (inout SyntheticIssue) -> Void) -> Int {
    state.update { state in
      var issues = made(&state)
      var issue = SyntheticIssue(
        number: issues.count + 1, title: "A later issue", body: nil, isPullRequest: false,
        author: SyntheticIssues.logins[0], labels: [], assignees: [], mentions: [], comments: 0,
        createdAt: recipe.newest + issues.count, updatedAt: recipe.newest + issues.count)
      body(&issue)
      issue.number = issues.count + 1
      issues.append(issue)
      state.issues = issues
      forget(&state)
      return issue.number
    }
  }

  /// A page of issues.
  func page(_ query: IssueQuery) -> IssueQuery.Page {
    state.update { query.page(of: list(query, &$0)) }
  }

  /// A page as it goes out, made by `render` when it isn't there yet.
  func rendered(
    _ query: IssueQuery, key: String, render: (SyntheticIssue) -> String
  ) -> RenderedPage {
    let (known, version) = state.read { ($0.pages[key], $0.version) }
    if let known { return known }
    let page = page(query)
    let rendered = RenderedPage(
      body: Data(JSONText.array(page.issues.map(render)).utf8), next: page.next,
      previous: page.previous, total: page.total)
    state.update { state in
      guard state.version == version else { return }
      if state.pages.count >= Self.mostPages { state.pages = [:] }
      state.pages[key] = rendered
    }
    return rendered
  }

  private func list(_ query: IssueQuery, _ state: inout State) -> [SyntheticIssue] {
    let key = query.listKey
    if let list = state.lists[key] { return list }
    let list = query.list(of: made(&state).filter { state.fates[$0.number] == nil })
    if state.lists.count >= Self.mostLists { state.lists = [:] }
    state.lists[key] = list
    return list
  }

  private func made(_ state: inout State) -> [SyntheticIssue] {
    if let issues = state.issues { return issues }
    let issues = recipe.make()
    state.issues = issues
    return issues
  }

  private func forget(_ state: inout State) {
    state.version += 1
    state.lists = [:]
    state.pages = [:]
  }
}
