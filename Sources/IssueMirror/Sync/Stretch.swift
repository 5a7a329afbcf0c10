/// A stretch of a time line that one stream of pages works through, in seconds since 1970 by the server's clock.
package struct Stretch: Codable, Hashable, Sendable {
  /// Where to go on: everything of this stretch that changed before this second is stored. What changed within
  /// it may be stored in part, so a stream that begins here asks for it again.
  package var position: Int
  /// Where the stretch ends, exclusive; nil: with the list.
  package var end: Int?

  /// Makes a stretch.
  package init(position: Int, end: Int?) {
    self.position = position
    self.end = end
  }
}
