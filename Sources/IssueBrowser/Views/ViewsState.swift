package import IssueTracker

/// The start screen, the lists of several repositories, and the tabs.
package struct ViewsState: Sendable, Hashable {
  /// The page shown in place of a list, while neither a repository nor a search is requested.
  package enum Page: Sendable, Hashable {
    case start(StartPage)
    case found(FoundIssues)

    var rowCount: Int {
      switch self {
      case .start(let page): page.rows.count
      case .found(let found): found.issues.count
      }
    }
  }

  /// The views in the order of their tabs.
  package var all: [SavedView]
  /// Whether the start screen exists.
  package var hasStart: Bool
  package var page: Page?
  /// The requested view.
  var shown: Shown?
  /// Whether leaving a list leads back to the start screen.
  var isUnderStart = false
  /// The name of the view to open first.
  var first: String?
  /// The cursor of ``page`` when the user entered one of its rows.
  var cursor = RowCursor()

  package init(_ all: [SavedView] = [], hasStart: Bool = false, first: String? = nil) {
    self.all = all
    self.hasStart = hasStart
    self.first = first
  }

  struct Shown: Sendable, Hashable {
    let index: Int
    /// The query of the view's list; nil for a list of several repositories.
    let query: ListQuery?
  }
}

/// The issues of several repositories that one response contained.
package struct FoundIssues: Sendable, Hashable {
  let view: SavedView
  package var issues: [GitHub.Issue] = []
  /// The total number of matches; nil until there is a response.
  var total: Int?
  /// The problem, in up to two lines.
  var problem: String?

  /// The issue's reference: its repository, according to its URL, and its number.
  func reference(of issue: GitHub.Issue) -> RepositoryReference? {
    let page = issue.htmlURL.flatMap { try? IssueReference(parsing: $0) }
    return page?.repository.map {
      RepositoryReference(host: view.host, name: $0.name, issueNumber: issue.number)
    }
  }
}
