/// What became of the entries of a page.
package struct StoredPage: Sendable, Hashable {
  /// How many weren't there.
  package var inserted = 0
  /// How many took the place of an older version.
  package var updated = 0
  /// How many were there as they are, or in a later version.
  package var unchanged = 0
  /// Whether the sweep that the page is part of is kept no more: another sync has ended or replaced it.
  package var isSweepGone = false

  /// Makes a count of nothing.
  package init() {}

  /// Adds what became of another page.
  package static func += (sum: inout StoredPage, page: StoredPage) {
    sum.inserted += page.inserted
    sum.updated += page.updated
    sum.unchanged += page.unchanged
  }
}
