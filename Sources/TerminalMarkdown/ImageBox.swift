/// The size of an image on a grid of characters.
package struct ImageBox: Sendable, Hashable {
  /// The limit leaves space for text beside a tall image.
  private static let maximumRows = 20

  package let columns: Int
  package let rows: Int

  /// Computes the natural size of an image in cells. All sizes are in pixels and above 0.
  package init(width: Int, height: Int, cellWidth: Int, cellHeight: Int) {
    columns = (width - 1) / cellWidth + 1
    rows = (height - 1) / cellHeight + 1
  }

  private init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// The box, scaled down proportionally until it fits.
  func fitted(into room: Int) -> ImageBox {
    let room = max(1, room)
    // A box is at most as large as its image in pixels, so the multiplication can't overflow.
    let scaled = { (side: Int, by: Int, of: Int) in max(1, (side * by + of / 2) / of) }
    let (width, height) = columns > room ? (room, scaled(rows, room, columns)) : (columns, rows)
    guard height > Self.maximumRows else { return ImageBox(columns: width, rows: height) }
    return ImageBox(
      columns: min(room, scaled(width, Self.maximumRows, height)), rows: Self.maximumRows)
  }
}
