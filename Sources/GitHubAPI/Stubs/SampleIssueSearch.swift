/// A search for issues, as far as the samples know how: in one repository, by words and by what a filter
/// can tell.
///
/// Qualifiers that it doesn't know change nothing.
struct SampleIssueSearch {
  /// The repository of `repo:`; the sample file's without.
  let repository: String
  private let filter: IssueFilter
  /// In lower case.
  private let words: [String]
  /// Whether pull requests are wanted, or issues proper; nil for both.
  private let wantsPullRequests: Bool?

  /// Reads a query.
  init(_ query: String) {
    let all = (try? QueryWord.words(of: query)) ?? []
    words = all.filter { $0.name.isEmpty }.map { $0.value.lowercased() }
    repository = all.first { $0.name == "repo" }?.value ?? "swiftlang/swift"
    let kinds = ["issue": false, "pr": true, "pull-request": true]
    wantsPullRequests =
      all.lazy.filter { ["is", "type"].contains($0.name) }
      .compactMap { kinds[$0.value.lowercased()] }.first
    let known = all.map(\.description).filter { (try? IssueFilter(query: $0)) != nil }
    let tellsState = all.contains { word in
      ["is", "state"].contains(word.name)
        && IssueFilter.State(rawValue: word.value.lowercased()) != nil
    }
    // A search without a state finds both.
    let query = ((tellsState ? [] : ["is:all"]) + known).joined(separator: " ")
    filter = (try? IssueFilter(query: query)) ?? IssueFilter(state: .all)
  }

  /// Searches.
  ///
  /// - Parameter issues: All issues of the repository.
  /// - Returns: What is found, in the order of the filter.
  func results(in issues: [Issue]) -> [Issue] {
    filter.sorted(issues.filter(finds))
  }

  private func finds(_ issue: Issue) -> Bool {
    guard filter.matches(issue), wantsPullRequests ?? issue.isPullRequest == issue.isPullRequest
    else { return false }
    let text = "\(issue.title)\n\(issue.body ?? "")".lowercased()
    return words.allSatisfy(text.contains)
  }
}
