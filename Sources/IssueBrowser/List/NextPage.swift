package import IssueMirror

/// The page after the loaded rows.
package enum NextPage: Sendable, Hashable {
  case server(GitHub)
  case mirror(MirrorRows)

  package struct MirrorRows: Sendable, Hashable {
    /// The size of a page from the mirror: two pages from the server.
    package static let size = 200

    package let listing: MirrorListing
    package let start: Int

    package var rows: Range<Int> { start..<min(start + Self.size, listing.numbers.count) }

    package var next: MirrorRows? {
      rows.upperBound < listing.numbers.count
        ? MirrorRows(listing: listing, start: rows.upperBound) : nil
    }
  }
}
