internal import HTTPTargets
internal import PlatformModules

/// Compares lists of issues from Forgejo and Gitea with their parameters, which the server may have ignored.
///
/// The server drops unknown labels and milestones without an error, and if none is left, lists everything. Older Forgejo
/// servers ignore the order. Such a page is an error, so that a list is never wider than asked for.
struct GiteaAnswers: Sendable {
  let forge: Forge

  var plugin: Plugin {
    Plugin(process: { result, _ in self.process(result) })
  }

  private func process(
    _ result: Result<TargetResponse, NetworkError>
  ) -> Result<TargetResponse, NetworkError> {
    switch result {
    case .success(let response):
      // A redirect may have lost the parameters.
      let address = PageAddress(response.redirects.first ?? response.request.url)
      guard response.request.method == .get, Self.isList(address.path),
        let (code, problem) = problem(in: response, at: address)
      else { return result }
      return .failure(NetworkError(code, problem, response: response))
    case .failure(var error):
      // An unknown person in a filter is answered like an unknown repository.
      guard error.response?.status == .notFound, let url = error.response?.request.url,
        Self.isList(PageAddress(url).path)
      else { return result }
      let people = ["assigned_by", "created_by", "mentioned_by"].compactMap {
        PageAddress(url)[$0]
      }
      guard !people.isEmpty else { return result }
      error.code = .absent
      error.message =
        "\(forge.name) doesn't know the user \(people.joined(separator: " or ")), or there is no such repository"
      return .failure(error)
    }
  }

  private static func isList(_ path: Substring) -> Bool {
    path.hasSuffix("/issues") || path.hasSuffix("/issues/search")
  }

  private func problem(
    in response: TargetResponse, at address: PageAddress
  ) -> (code: NetworkError.Code, message: String)? {
    let labels = address["labels"]?.split(separator: ",").map(String.init) ?? []
    let (milestone, sort) = (address["milestones"], address["sort"])
    guard !labels.isEmpty || milestone != nil || sort != nil else { return nil }
    // The list reports the entries that can't be read.
    guard let issues = try? PageContents<GitHub.Issue>(of: response, .array, forge: forge).items
    else { return (.decoding, "\(forge.name) sent a list that can't be compared with its filter") }
    for label in labels
    where !issues.allSatisfy({ $0.labels.contains { Self.isSame($0.name, label) } }) {
      return (.absent, "\(forge.name) doesn't know the label \(Self.naming(label))")
    }
    if let milestone, !issues.allSatisfy({ Self.isSame($0.milestone?.title, milestone) }) {
      return (.absent, "\(forge.name) doesn't know the milestone \(Self.naming(milestone))")
    }
    let isSorted: Bool
    switch sort {
    case "oldest": isSorted = Self.isAscending(issues.map(Self.created))
    case "leastupdate": isSorted = Self.isAscending(issues.map(Self.updated))
    case "recentupdate": isSorted = Self.isAscending(issues.map(Self.updated).reversed())
    case "leastcomment": isSorted = Self.isAscending(issues.map(\.commentsCount))
    case "mostcomment": isSorted = Self.isAscending(issues.map(\.commentsCount).reversed())
    default: isSorted = true
    }
    // An issue that changes while the server makes the list is misplaced.
    let isDefault = Self.isAscending(issues.map(Self.created).reversed())
    return isSorted || !isDefault
      ? nil
      : (.refused, "this version of \(forge.name) has no other order than the newest first")
  }

  private static func isSame(_ one: String?, _ other: String) -> Bool {
    one?.lowercased() == other.lowercased()
  }

  private static func created(_ issue: GitHub.Issue) -> Date { issue.createdAt ?? .distantPast }

  private static func updated(_ issue: GitHub.Issue) -> Date { issue.updatedAt ?? .distantPast }

  private static func isAscending(_ values: [some Comparable]) -> Bool {
    zip(values, values.dropFirst()).allSatisfy(<=)
  }

  private static func naming(_ text: String) -> String {
    "“\(GitHubErrorBody.line(text))”"
  }
}
