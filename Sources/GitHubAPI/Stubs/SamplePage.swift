internal import HTTPTargets

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A page of a sample list: which list, and where in it.
///
/// As GitHub's, the link to a page has a cursor. Unlike GitHub's it is a query alone, so that it leads to
/// wherever the list was asked for, and has the filter in words.
struct SamplePage {
  /// The first page of the list.
  var list: GitHub
  /// How many items stand before this page.
  var start: Int

  init(of list: GitHub, from start: Int = 0) {
    self.list = list
    self.start = start
  }

  /// Reads a link that was followed; nil for one that is no sample's.
  init?(_ link: PageLink) {
    guard let components = URLComponents(string: link.url) else { return nil }
    func value(_ name: String) -> String? {
      components.queryItems?.last { $0.name == name }?.value
    }
    guard let size = value("per_page").flatMap(Int.init),
      let start = value("after").flatMap(Int.init), start >= 0
    else { return nil }
    self.start = start
    // What stands before is an Enterprise server's.
    let path = components.path.split(separator: "/").suffix(6).map(String.init)
    if path.suffix(2) == ["search", "repositories"] {
      list = .searchRepositories(query: value("q") ?? "", pageSize: size)
    } else if path.suffix(2) == ["search", "issues"] {
      list = .searchIssues(query: value("q") ?? "", pageSize: size)
    } else if path.count >= 5, path.suffix(2) == ["issues", "comments"] {
      list = .repositoryComments(
        repositoryFullName: path.dropLast(2).suffix(2).joined(separator: "/"),
        since: value("since").flatMap(Timestamp.date(from:)), pageSize: size)
    } else if path.count >= 4, path.last == "issues",
      let filter = try? IssueFilter(query: value("q") ?? "")
    {
      list = .issues(
        repositoryFullName: path.suffix(3).prefix(2).joined(separator: "/"), filter: filter,
        pageSize: size)
    } else if path.count == 6, path[3] == "issues", path[5] == "comments",
      let number = Int(path[4])
    {
      list = .issueComments(
        repositoryFullName: "\(path[1])/\(path[2])", number: number, pageSize: size)
    } else {
      return nil
    }
  }

  /// Cuts the page out of the whole list.
  ///
  /// - Returns: What is on the page, and the value of a `Link` field where another one follows.
  func cut<Item>(_ items: [Item]) -> (items: ArraySlice<Item>, link: String?) {
    let (query, size): (URLPath, Int) =
      switch list {
      case .issues(_, let filter, let size): ("q=\(filter.query)&", size)
      case .searchRepositories(let text, let size), .searchIssues(let text, let size):
        ("q=\(text)&", size)
      case .repositoryComments(_, let since?, let size):
        ("since=\(Timestamp.string(from: since))&", size)
      case .repositoryComments(_, nil, let size): ("", size)
      case .issueComments(_, _, let size): ("", size)
      default: ("", items.count)
      }
    let rest = items.dropFirst(start)
    let page = rest.prefix(min(max(size, 1), 100))
    guard page.count < rest.count else { return (page, nil) }
    let link = "?\(query.encoded)per_page=\(size)&after=\(start + page.count)"
    return (page, "<\(link)>; rel=\"next\"")
  }
}
