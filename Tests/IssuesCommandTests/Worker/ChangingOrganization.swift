import PlatformModules
import TestSupport

/// An organization that changes while it is asked, with a limit of requests, which it counts itself.
final class ChangingOrganization: Sendable {
  private struct State: Sendable {
    var requests = 0
    var pages = 0
    var changes = 0
    var isChanging = true
    /// Requests that the server didn't want any more.
    var refused = 0
    /// The most that were counted against the limit, by the end of their window.
    var used: [Int: Int] = [:]
  }

  static let owner = "acme"
  let repositories: [LoopbackRepository]
  let github: LoopbackGitHub
  let limit: Int
  private let state = Watched(State())
  /// How far the server's clock is ahead, in seconds.
  private let ahead: Watched<Int>

  init(repositories count: Int) {
    repositories = (1...count).map { number in
      // One of ten has several pages.
      let items = number.isMultiple(of: 10) ? 240 + number : 5 + number * 7 % 40
      return LoopbackRepository(
        id: number, owner: Self.owner, name: "tool\(number)",
        issues: SyntheticIssues(count: items, newest: 1_700_000_000))
    }
    // A first sync takes five requests, so it takes several windows.
    limit = max(2 * count, 80)
    var configuration = LoopbackGitHub.Configuration()
    configuration.repositories = repositories
    (configuration.rateLimit, configuration.rateLimitWindow) = (limit, 5)
    let ahead = Watched(0)
    self.ahead = ahead
    configuration.now = { Date().addingTimeInterval(TimeInterval(ahead.read { $0 })) }
    github = LoopbackGitHub(configuration)
  }

  var handler: LoopbackServer.Handler {
    { request in self.answer(request) }
  }

  private func answer(_ request: LoopbackRequest) -> LoopbackResponse {
    let change = state.update { state -> Int? in
      guard request.isPageOfIssues, state.isChanging else { return nil }
      state.pages += 1
      guard state.pages.isMultiple(of: 2) else { return nil }
      state.changes += 1
      return state.changes
    }
    if let change { self.change(change) }
    guard request.path.hasSuffix("/graphql") == false else { return answerGraphQL(request) }
    let response = github.respond(to: request)
    let used = response.headers["x-ratelimit-used"].flatMap { Int($0) }
    let end = response.headers["x-ratelimit-reset"].flatMap { Int($0) }
    state.update { state in
      state.requests += 1
      if response.status == 403 || response.status == 429 { state.refused += 1 }
      if let used, let end { state.used[end] = max(state.used[end] ?? 0, used) }
    }
    return response
  }

  /// As on GitHub, its limit is another one.
  private func answerGraphQL(_ request: LoopbackRequest) -> LoopbackResponse {
    var request = request
    request.headers["Authorization"] = "Bearer the limit of GraphQL"
    var response = github.respond(to: request)
    response.headers["x-ratelimit-resource"] = "graphql"
    state.update { $0.requests += 1 }
    return response
  }

  var refused: Int { state.read { $0.refused } }
  var changes: Int { state.read { $0.changes } }
  var mostUsed: Int { state.read { $0.used.values.max() ?? 0 } }
  /// Of all windows together.
  var used: Int { state.read { $0.used.values.reduce(0, +) } }

  /// Waits for so many more requests.
  func requests(_ count: Int) async throws {
    let start = state.read { $0.requests }
    try await state.value { $0.requests >= start + count ? () : nil }
  }

  /// Changes nothing more, but for an issue of each repository. Some hours later, the server's counts are right.
  func settle() {
    state.update { $0.isChanging = false }
    for repository in repositories { edit(repository, 0) }
    ahead.update { $0 += 7_200 }
  }

  private var now: Int { Int(Date().timeIntervalSince1970) + ahead.read { $0 } }

  private func change(_ number: Int) {
    let repository = repositories[number &* 7_919 % repositories.count]
    switch number % 6 {
    case 0: addIssue(to: repository, number)
    case 1:
      // That a closed one is gone shows only when everything is compared, once a week.
      if let issue = pick(number, of: repository, where: \.isOpen) {
        github.deleteIssue(issue.number, of: repository)
      }
    case 2:
      guard let issue = pick(number, of: repository, where: { !$0.isPullRequest }) else { return }
      let time = now
      github.changeIssue(issue.number, of: repository) { issue in
        issue.stateReason = issue.isOpen ? "completed" : "reopened"
        issue.closedAt = issue.isOpen ? time : nil
        issue.updatedAt = time
      }
    default: edit(repository, number)
    }
  }

  private func addIssue(to repository: LoopbackRepository, _ number: Int) {
    let time = now
    github.addIssue(to: repository) { issue in
      issue.title = "Opened by change \(number)"
      (issue.createdAt, issue.updatedAt) = (time, time)
    }
  }

  private func edit(_ repository: LoopbackRepository, _ number: Int) {
    guard let issue = pick(number, of: repository, where: { _ in true }) else { return }
    let time = now
    github.changeIssue(issue.number, of: repository) { issue in
      issue.body = (issue.body ?? "") + "\n\nEdited: \(number)."
      issue.updatedAt = time
    }
  }

  private func pick(
    _ number: Int, of repository: LoopbackRepository, where isWanted: (SyntheticIssue) -> Bool
  ) -> SyntheticIssue? {
    let issues = github.issues(of: repository).filter(isWanted)
    return issues.isEmpty ? nil : issues[number &* 104_729 % issues.count]
  }

  /// All issues and pull requests of a repository as the server lists them.
  func list(of repository: LoopbackRepository, host: String) throws -> String {
    try github.list("issues?state=all", of: repository, host: host)
  }
}

extension LoopbackGitHub {
  struct Refused: Error {
    let status: Int
  }

  /// A list of a repository as the server has it, from the oldest, without the brackets of its pages.
  func list(_ list: String, of repository: LoopbackRepository, host: String) throws -> String {
    var pages: [String] = []
    let order = "\(list.contains("?") ? "&" : "?")sort=created&direction=asc&per_page=100"
    var target: String? = "/repos/\(repository.fullName)/\(list)\(order)"
    while let asked = target {
      let response = respond(
        to: LoopbackRequest(
          method: "GET", target: asked,
          headers: [
            // A limit of its own.
            "Host": host, "User-Agent": "the test", "Authorization": "Bearer \(repository.name)",
          ]))
      guard response.status == 200 else { throw Refused(status: response.status) }
      let page = String(decoding: response.body, as: UTF8.self).dropFirst().dropLast()
      if !page.isEmpty { pages.append(String(page)) }
      target = response.headers["Link"]?.firstMatch(of: /<([^>]*)>; rel="next"/)
        .map { String($0.output.1) }
    }
    return pages.joined(separator: ",")
  }
}
