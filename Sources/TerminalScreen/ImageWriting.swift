internal import PlatformModules

/// The state of a terminal's images, and the next commands to send, in kitty's graphics protocol
/// (<https://sw.kovidgoyal.net/kitty/graphics-protocol/>).
///
/// An image is sent when it is first placed, and deleted when the canvas no longer keeps it. While its bytes are being
/// sent, no other image command may be sent, so placements follow afterward. Commands don't request a response (`q=2`),
/// because it could be mistaken for keys.
struct ImageWriting: Sendable {
  enum Step: Sendable, Hashable {
    case bytes([UInt8])

    /// Bytes to write with the cursor at this position.
    case bytesAt(column: Int, row: Int, [UInt8])
  }

  private struct Place: Hashable {
    var image: UInt32
    var number: Int

    init(_ placement: ImagePlacement) {
      (image, number) = (placement.image.id, placement.number)
    }
  }

  /// The maximum number of bytes per command: 4,096 in base64, the limit of the protocol.
  private static let chunk = 3_072

  private var wanted: [ImagePlacement] = []
  private var kept: Set<UInt32> = []
  private var sent: Set<UInt32> = []
  private var sending: (image: ScreenImage, offset: Int)?
  private var placed: [Place: ImagePlacement] = [:]

  /// Applies the images of a canvas, in a window that may be smaller.
  mutating func show(_ canvas: Canvas, within size: ScreenSize) {
    kept = Set(canvas.images.map(\.id))
    wanted = canvas.placements.filter { placement in
      kept.contains(placement.image.id)
        && placement.column + placement.columns <= size.columns
        && placement.row + placement.rows.count <= size.rows
    }
  }

  /// Records that the window was cleared: kitty deletes the images with it.
  mutating func forget() {
    (placed, sent) = ([:], [])
  }

  /// The next bytes for the terminal; nil if nothing is left to send.
  mutating func next() -> Step? {
    if let sending { return chunk(of: sending.image, from: sending.offset) }
    if let (place, _) = placed.first(where: { old in !wanted.contains { Place($0) == old.key } }) {
      placed[place] = nil
      return .bytes(Self.sequence("a=d,d=i,i=\(place.image),p=\(place.number)"))
    }
    if let id = sent.first(where: { !kept.contains($0) }) {
      sent.remove(id)
      return .bytes(Self.sequence("a=d,d=I,i=\(id)"))
    }
    guard let placement = wanted.first(where: { placed[Place($0)] != $0 }) else { return nil }
    let image = placement.image
    guard sent.contains(image.id) else { return chunk(of: image, from: 0) }
    placed[Place(placement)] = placement
    let top = image.height * placement.rows.lowerBound / placement.height
    let bottom = image.height * placement.rows.upperBound / placement.height
    return .bytesAt(
      column: placement.column, row: placement.row,
      Self.sequence(
        "a=p,i=\(image.id),p=\(placement.number),x=0,y=\(top),w=\(image.width),"
          + "h=\(max(1, bottom - top)),c=\(placement.columns),r=\(placement.rows.count),C=1"))
  }

  private mutating func chunk(of image: ScreenImage, from offset: Int) -> Step {
    let end = min(offset + Self.chunk, image.bytes.count)
    let isLast = end == image.bytes.count
    sending = isLast ? nil : (image, end)
    if isLast { sent.insert(image.id) }
    let keys = offset == 0 ? "a=t,f=100,i=\(image.id)," : ""
    let payload = Data(image.bytes[offset..<end]).base64EncodedString()
    return .bytes(Self.sequence("\(keys)m=\(isLast ? 0 : 1)", payload))
  }

  private static func sequence(_ keys: String, _ payload: String? = nil) -> [UInt8] {
    Array("\u{1B}_G\(keys),q=2\(payload.map { ";\($0)" } ?? "")\u{1B}\\".utf8)
  }
}
