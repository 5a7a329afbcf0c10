package import IssueTracker

/// The start screen, the lists of several repositories, and the tabs.
package struct ViewsState: Sendable, Hashable {
  /// The page in place of a list, while no repository and no search is requested.
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

  /// In the order of their tabs.
  package var all: [SavedView]
  /// Whether there is a start screen.
  package var hasStart: Bool
  package var page: Page?
  /// The view of the requested list, which has a tab.
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
    /// nil for a list of several repositories.
    let query: ListQuery?
  }
}

/// The issues of several repositories, as far as they were returned in one response.
package struct FoundIssues: Sendable, Hashable {
  let view: SavedView
  package var issues: [GitHub.Issue] = []
  /// Nil until there is a response.
  var total: Int?
  /// In up to two lines.
  var problem: String?

  /// The repository of an issue, according to its URL, and its number.
  func reference(of issue: GitHub.Issue) -> RepositoryReference? {
    let page = issue.htmlURL.flatMap { try? IssueReference(parsing: $0) }
    return page?.repository.map {
      RepositoryReference(host: view.host, name: $0.name, issueNumber: issue.number)
    }
  }
}
