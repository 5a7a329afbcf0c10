package import IssueMirror

/// The page that follows the rows that are loaded.
package enum NextPage: Sendable, Hashable {
  case server(GitHub)
  case mirror(MirrorRows)

  /// Some rows of a list of the mirror.
  package struct MirrorRows: Sendable, Hashable {
    /// The most rows: two pages of the server.
    package static let size = 200

    package let listing: MirrorListing
    package let start: Int

    package var rows: Range<Int> { start..<min(start + Self.size, listing.numbers.count) }

    /// The rows after them; nil after the last.
    package var next: MirrorRows? {
      rows.upperBound < listing.numbers.count
        ? MirrorRows(listing: listing, start: rows.upperBound) : nil
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
}
