package import IssueMirror

/// The page after the loaded rows.
package enum NextPage: Sendable, Hashable {
  case server(GitHub)
  case mirror(MirrorRows)

  package struct MirrorRows: Sendable, Hashable {
    /// The size of a page from the mirror: two pages from the server.
    package static let size = 200

    package let listing: MirroredList
    package let start: Int

    package var rows: Range<Int> { start..<min(start + Self.size, listing.count) }

    package var next: MirrorRows? {
      rows.upperBound < listing.count
        ? MirrorRows(listing: listing, start: rows.upperBound) : nil
    }
  }
}
