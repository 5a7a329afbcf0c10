/// How the server writes a page of a list.
public enum PageFormat: Sendable, Hashable {
  /// An array of items.
  case array
  /// An object around the array, which also says how many there are: ``SearchResults``.
  case searchResults
}
