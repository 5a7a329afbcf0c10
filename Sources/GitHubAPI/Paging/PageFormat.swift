internal import HTTPTargets

/// How the server writes a page of a list.
public enum PageFormat: Sendable, Hashable {
  /// An array of items.
  case array
  /// An object around the array, which also says how many there are: ``SearchResults``.
  case searchResults
}

/// What is on a page, however it is written.
struct PageContents<Item: Decodable & Sendable>: Sendable {
  let items: [Item]
  /// How many items a search found in all; nil where the list is no search's.
  var totalCount: Int?
  /// Whether a search ran out of time.
  var isIncomplete = false

  /// Reads a page.
  ///
  /// - Throws: ``HTTPTargets/NetworkError/Code/decoding`` when it isn't written in the format.
  init(of response: Response, _ format: PageFormat) throws(NetworkError) {
    switch format {
    case .array:
      items = try response.decode(using: GitHubJSON.decoder())
    case .searchResults:
      let results: SearchResults<Item> = try response.decode(using: GitHubJSON.decoder())
      items = results.items
      totalCount = results.totalCount
      isIncomplete = results.isIncomplete
    }
  }
}
