internal import IssueTracker

/// The start screen and the tabs.
package struct ViewsState: Sendable, Hashable {
  /// The views in the order of their tabs.
  package var all: [SavedView]
  /// Whether the start screen exists.
  package var hasStart: Bool
  /// The start screen, which is shown while neither a repository nor a search is requested.
  package var start: StartPage?
  /// The requested view.
  var shown: Shown?
  /// Whether leaving a list leads back to the start screen.
  var isUnderStart = false
  /// The name of the view to open first.
  var first: String?
  /// The cursor of ``start`` when the user entered one of its rows.
  var cursor = RowCursor()

  package init(_ all: [SavedView] = [], hasStart: Bool = false, first: String? = nil) {
    self.all = all
    self.hasStart = hasStart
    self.first = first
  }

  struct Shown: Sendable, Hashable {
    let name: String
    /// The index of the tab; nil for a view without one.
    let index: Int?
    let query: ListQuery
  }
}
