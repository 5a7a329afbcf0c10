internal import ConcurrencyPrimitives

/// A PNG image that the terminal decodes itself. Two values are equal only if they are the same image.
package struct ScreenImage: Sendable, Hashable {
  /// The maximum number of pixels. A terminal decodes 16 million pixels to 64 MB.
  private static let maximumPixels = 16_000_000

  /// The width in pixels.
  package let width: Int
  package let height: Int
  let bytes: [UInt8]
  /// The image's number in the terminal. No other program should use it.
  let id: UInt32

  /// Reads the header; nil if it isn't a PNG header, or if the number of pixels is zero or too large.
  ///
  /// The size in the header may differ from the content, but the terminal scales by the same size.
  package init?(png bytes: [UInt8]) {
    // PNG (Third Edition), 5.2 and 11.2.1: the signature, and the chunk that always comes first.
    let beginning: [UInt8] = [
      0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
    ]
    guard bytes.count > 33, bytes.starts(with: beginning) else { return nil }
    let number = { (place: Int) in bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    (width, height) = (number(16), number(20))
    guard width > 0, height > 0, width <= Self.maximumPixels,
      height <= Self.maximumPixels / width
    else { return nil }
    self.bytes = bytes
    id = Self.lastID.withLock { id in
      id = id == .max ? 1 : id + 1
      return id
    }
  }

  private static let lastID = Locked(UInt32.random(in: 1...UInt32.max))

  package static func == (left: ScreenImage, right: ScreenImage) -> Bool { left.id == right.id }

  package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// Rows of an image on a canvas.
package struct ImagePlacement: Sendable, Hashable {
  package let image: ScreenImage
  /// The number that distinguishes placements of the same image, from 1.
  package let number: Int
  package let column: Int
  /// The canvas row of the first visible row.
  package let row: Int
  package let columns: Int
  /// The visible rows of the image, zero-based.
  package let rows: Range<Int>
  /// The number of rows of the whole image. The image fills these rows and the columns.
  package let height: Int

  package init(
    _ image: ScreenImage, number: Int, column: Int, row: Int, columns: Int, rows: Range<Int>,
    height: Int
  ) {
    self.image = image
    self.number = number
    self.column = column
    self.row = row
    self.columns = columns
    self.rows = rows
    self.height = height
  }

  func overlaps(columns other: Range<Int>, row otherRow: Int) -> Bool {
    (row..<row + rows.count).contains(otherRow) && (column..<column + columns).overlaps(other)
  }
}

/// The size of a character cell, in pixels.
package struct CellSize: Sendable, Hashable {
  /// The size for a terminal that doesn't report it. Images keep their proportions on cells that are twice as high as
  /// wide.
  package static let usual = CellSize(uncheckedWidth: 10, height: 20)

  package let width: Int
  package let height: Int

  /// Creates a size; nil if it is impossible.
  package init?(width: Int, height: Int) {
    guard (1...1_000).contains(width), (1...1_000).contains(height) else { return nil }
    self.init(uncheckedWidth: width, height: height)
  }

  private init(uncheckedWidth width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}
