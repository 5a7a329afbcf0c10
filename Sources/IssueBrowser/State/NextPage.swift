package import IssueMirror

/// What follows the rows that are loaded.
package enum NextPage: Sendable, Hashable {
  /// A page of the server.
  case server(GitHub)
  /// Rows of the mirror.
  case mirror(MirrorPage)
}

/// Some rows of a list of the mirror.
package struct MirrorPage: Sendable, Hashable {
  /// How many rows it has at most: two pages of the server.
  package static let size = 200

  /// The list.
  package let listing: MirrorListing
  /// The first of the rows, from 0.
  package let start: Int

  /// Which rows.
  package var rows: Range<Int> { start..<min(start + Self.size, listing.numbers.count) }

  /// What follows; nil after the last.
  package var next: MirrorPage? {
    rows.upperBound < listing.numbers.count
      ? MirrorPage(listing: listing, start: rows.upperBound) : nil
  }

  /// Describes rows.
  ///
  /// - Parameters:
  ///   - listing: The list.
  ///   - start: The first of the rows, at most the number of all.
  package init(listing: MirrorListing, start: Int) {
    self.listing = listing
    self.start = start
  }
}
