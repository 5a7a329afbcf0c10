package import IssueTracker

/// The start screen, the lists of several repositories, and the tabs.
package struct ViewsState: Sendable, Hashable {
  /// What stands where a list would, while no repository and no search is asked for.
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
  /// Whether there is a start screen at all.
  package var hasStart: Bool
  package var page: Page?
  /// The view of the list that is asked for, which has a tab.
  var shown: Shown?
  /// Whether a list leads back to the start screen.
  var isUnderStart = false
  /// The name of the view to begin with.
  var first: String?
  /// That of ``page`` when the user entered a row of it.
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

/// The issues of several repositories, as far as one answer has them.
package struct FoundIssues: Sendable, Hashable {
  let view: SavedView
  package var issues: [GitHub.Issue] = []
  /// nil until there is an answer.
  var total: Int?
  /// In up to two lines.
  var problem: String?

  /// The repository of an issue, by its address, and its number.
  func reference(of issue: GitHub.Issue) -> RepositoryReference? {
    let page = issue.htmlURL.flatMap { try? IssueReference(parsing: $0) }
    return page?.repository.map {
      RepositoryReference(host: view.host, name: $0.name, issueNumber: issue.number)
    }
  }
}
