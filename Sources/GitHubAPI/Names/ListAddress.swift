internal import HTTPTargets

/// A page with a list of issues or pull requests, from its URL in a browser.
///
/// | page | query |
/// |---|---|
/// | `/issues?q=is%3Aclosed+label%3Abug` | the value of `q`; for pull requests with `is:pr` |
/// | `/issues`, `/pulls` | `is:open` |
/// | `/labels/NAME` | `is:open label:"NAME"` |
/// | `/milestone/NUMBER` | `is:open`, and the number |
/// | `/issues/assigned/LOGIN`, `/issues/created_by/LOGIN`, `/issues/mentioned/LOGIN`, and with `/pulls` | `is:open assignee:LOGIN`, and its like |
/// | `/pulls/LOGIN`, `/pulls/review-requested/LOGIN` | `is:pr is:open author:LOGIN`, and its like |
package struct ListAddress: Hashable, Sendable {
  package let repository: RepositoryReference
  /// The query in the syntax of GitHub's search. Without a term for the state, it includes all states.
  package let query: String
  package let milestone: Int?
  /// The unknown parameters, unchanged.
  package let leftOut: [String]

  /// Parses a URL; nil for any other page, including the list of all open issues.
  package static func read(_ text: String) throws(InvalidInput) -> ListAddress? {
    let lowercased = text.prefix(8).lowercased()
    guard lowercased.hasPrefix("https://") || lowercased.hasPrefix("http://") else { return nil }
    let address = text.prefix { $0 != "#" }
    let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var segments = parts[0].split(separator: "/", omittingEmptySubsequences: false)
    if segments.last == "" { segments.removeLast() }
    // The segments are `https:`, an empty one, the host, the owner, the name, and the page.
    guard segments.count > 5 else { return nil }
    // On Forgejo and Gitea, this is a pull request.
    let isPullRequest =
      segments.count == 7 && segments[5] == "pulls" && IssueReference.number(segments[6]) != nil
    guard !isPullRequest || segments[2].lowercased() == "github.com" else { return nil }
    let parameters = parameters(parts.count > 1 ? parts[1] : "")
    let search = parameters.last { $0.name == "q" }?.value
    guard
      let page = ListPage(segments[5...].map { PercentEncoding.decode($0) }, search: search),
      !page.isStandard || !parameters.isEmpty
    else { return nil }
    return ListAddress(
      repository: try RepositoryReference(parsing: segments[..<5].joined(separator: "/")),
      query: page.words.joined(separator: " "), milestone: page.milestone,
      // GitHub's forms send the parameter `utf8` with a check mark, to determine the encoding.
      leftOut: parameters.filter { !["q", "utf8"].contains($0.name) }.map(\.text))
  }

  private static func parameters(
    _ query: Substring
  ) -> [(name: String, value: String, text: String)] {
    query.split(separator: "&").map { parameter in
      let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        // A form encodes a space as a plus sign.
        .map { PercentEncoding.decode(String($0.map { $0 == "+" ? " " : $0 })) }
      return (parts[0], parts.count > 1 ? parts[1] : "", String(parameter))
    }
  }
}

private struct ListPage {
  var words: [String]
  var milestone: Int?
  /// Whether this is the default list.
  var isStandard = false

  init?(_ segments: [String], search: String?) {
    let rest = segments.dropFirst()
    let (first, last) = (rest.first ?? "", rest.last ?? "")
    switch (segments[0], rest.count) {
    case ("issues", 0):
      words = [search ?? "is:open"]
      isStandard = search == nil
    case ("pulls", 0):
      words = [search.map(Self.withPullRequests) ?? "is:pr is:open"]
    case ("labels", 1):
      words = ["is:open", QueryWord(name: "label", value: last).description]
    case ("milestone", 1):
      guard let number = IssueReference.number(Substring(last)) else { return nil }
      words = ["is:open"]
      milestone = number
    case ("issues", 2), ("pulls", 2):
      let roles = [
        "assigned": "assignee", "created_by": "author", "mentioned": "mentions",
        "review-requested": "review-requested",
      ]
      guard let role = first == "app" ? "author" : roles[first] else { return nil }
      let login = first == "app" ? "app/\(last)" : last
      words = segments[0] == "pulls" ? ["is:pr", "is:open"] : ["is:open"]
      words.append("\(role):\(login)")
    case ("pulls", 1):
      words = ["is:pr", "is:open", "author:\(last)"]
    default: return nil
    }
    // A path contains names, not searches.
    let isName = rest.allSatisfy { !$0.isEmpty && !$0.unicodeScalars.contains(where: Self.isBreak) }
    guard segments[0] == "labels" || isName else { return nil }
  }

  private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar == "\"" || scalar == "(" || scalar == ")"
  }

  /// Limits a search to pull requests, as the page does.
  private static func withPullRequests(_ search: String) -> String {
    QueryWord.tellsKind(search) ? search : "is:pr \(search)"
  }
}
