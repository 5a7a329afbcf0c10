import PlatformModules
import StyledText
import TestSupport
import Testing

@testable import TerminalScreen

@Suite("Images for the terminal")
struct ImageWritingTests {
  private static let size = ScreenSize(columns: 20, rows: 10)

  private static func image(_ width: Int = 8, _ height: Int = 8) throws -> ScreenImage {
    try #require(ScreenImage(png: Array(PNG.image(width: width, height: height))))
  }

  private static func canvas(
    _ placements: [ImagePlacement], keeping images: Set<ScreenImage> = []
  ) -> Canvas {
    var canvas = Canvas(size: size)
    canvas.images = images.union(placements.map(\.image))
    for placement in placements { canvas.place(placement) }
    return canvas
  }

  private static func placement(
    _ image: ScreenImage, number: Int = 1, row: Int = 1, rows: Range<Int> = 0..<4
  ) -> ImagePlacement {
    ImagePlacement(image, number: number, column: 2, row: row, columns: 8, rows: rows, height: 4)
  }

  /// The commands sent for a canvas, each without its frame and after its place, as `column,row`.
  private static func told(_ writing: inout ImageWriting, of canvas: Canvas) throws -> [String] {
    writing.show(canvas, within: size)
    return try rest(of: &writing)
  }

  private static func rest(of writing: inout ImageWriting) throws -> [String] {
    var told: [String] = []
    while let step = writing.next() {
      try #require(told.count < 100)
      switch step {
      case .bytes(let bytes): told.append(try sequence(bytes))
      case .bytesAt(let column, let row, let bytes):
        told.append("\(column),\(row) \(try sequence(bytes))")
      }
    }
    return told
  }

  private static func sequence(_ bytes: [UInt8]) throws -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    let isFramed = text.hasPrefix("\u{1B}_G") && text.hasSuffix("\u{1B}\\")
    try #require(isFramed)
    return String(text.dropFirst(3).dropLast(2))
  }

  @Test("an image is sent once and then placed, moved, clipped, hidden and deleted")
  func life() throws {
    let image = try Self.image()
    var writing = ImageWriting()
    let payload = Data(PNG.image(width: 8, height: 8)).base64EncodedString()
    let place = { (rows: String, count: Int) in
      "a=p,i=\(image.id),p=1,x=0,\(rows),c=8,r=\(count),C=1,q=2"
    }
    #expect(
      try Self.told(&writing, of: Self.canvas([Self.placement(image)])) == [
        "a=t,f=100,i=\(image.id),m=0,q=2;\(payload)", "2,1 " + place("y=0,w=8,h=8", 4),
      ])
    #expect(try Self.told(&writing, of: Self.canvas([Self.placement(image)])).isEmpty)
    #expect(
      try Self.told(&writing, of: Self.canvas([Self.placement(image, row: 5)])) == [
        "2,5 " + place("y=0,w=8,h=8", 4)
      ])
    #expect(
      try Self.told(&writing, of: Self.canvas([Self.placement(image, row: 0, rows: 1..<3)])) == [
        "2,0 " + place("y=2,w=8,h=4", 2)
      ])
    #expect(
      try Self.told(&writing, of: Self.canvas([], keeping: [image])) == [
        "a=d,d=i,i=\(image.id),p=1,q=2"
      ])
    #expect(try Self.told(&writing, of: Self.canvas([])) == ["a=d,d=I,i=\(image.id),q=2"])
    #expect(try Self.told(&writing, of: Self.canvas([])).isEmpty)
  }

  @Test("the pieces of a large image are contiguous and complete")
  func pieces() throws {
    let (large, small) = (try Self.image(300, 300), try Self.image())
    var writing = ImageWriting()
    writing.show(Self.canvas([Self.placement(large)]), within: Self.size)
    guard case .bytes(let bytes)? = writing.next() else { throw Ended() }
    // Meanwhile the page has changed.
    writing.show(Self.canvas([Self.placement(small)]), within: Self.size)
    let told = [try Self.sequence(bytes)] + (try Self.rest(of: &writing))
    let count = told.firstIndex { $0.hasPrefix("m=0") } ?? 0
    #expect(count > 1)
    let pieces = told[...count].map { $0.split(separator: ";") }
    #expect(pieces.map { String($0[0]) }.dropFirst().dropLast().allSatisfy { $0 == "m=1,q=2" })
    #expect(pieces.allSatisfy { $0[1].utf8.count <= 4_096 })
    let sent = pieces.reduce(into: Data()) {
      $0.append(Data(base64Encoded: String($1[1])) ?? Data())
    }
    #expect(sent == PNG.image(width: 300, height: 300))
    #expect(
      told[(count + 1)...].map { $0.prefix { $0 != ";" } } == [
        "a=d,d=I,i=\(large.id),q=2", "a=t,f=100,i=\(small.id),m=0,q=2",
        "2,1 a=p,i=\(small.id),p=1,x=0,y=0,w=8,h=8,c=8,r=4,C=1,q=2",
      ])
  }

  private struct Ended: Error {}

  @Test("an image shown twice is sent once and placed twice")
  func twice() throws {
    let image = try Self.image()
    var writing = ImageWriting()
    let both = [Self.placement(image), Self.placement(image, number: 2, row: 6)]
    let told = try Self.told(&writing, of: Self.canvas(both))
    #expect(told.map { $0.contains("a=t") } == [true, false, false])
    #expect(
      try Self.told(&writing, of: Self.canvas([both[1]])) == ["a=d,d=i,i=\(image.id),p=1,q=2"])
  }

  @Test("an image is sent and placed again after the window is cleared")
  func cleared() throws {
    let image = try Self.image()
    var writing = ImageWriting()
    let canvas = Self.canvas([Self.placement(image)])
    let told = try Self.told(&writing, of: canvas)
    writing.forget()
    #expect(try Self.told(&writing, of: canvas) == told)
  }

  @Test("an image that extends beyond the window isn't placed")
  func smallWindow() throws {
    var writing = ImageWriting()
    writing.show(
      Self.canvas([Self.placement(try Self.image())]), within: ScreenSize(columns: 9, rows: 10))
    #expect(writing.next() == nil)
  }

  @Test("a thin slice of a flat image has at least one row of pixels")
  func thin() throws {
    let image = try Self.image(100, 1)
    var writing = ImageWriting()
    let told = try Self.told(
      &writing, of: Self.canvas([Self.placement(image, rows: 1..<2)]))
    #expect(told.last?.contains("y=0,w=100,h=1,c=8,r=1,") == true)
  }

  // MARK: Content

  @Test("an image's size comes from its header, whatever its content")
  func header() throws {
    let liar = ScreenImage(png: Array(PNG.image(claiming: (4_000, 4_000), pixels: Data(count: 9))))
    #expect(liar?.width == 4_000 && liar?.height == 4_000)
    let one = try Self.image(1, 1)
    #expect(one.width == 1 && one.height == 1)
    #expect(one == one)
    let other = try Self.image(1, 1)
    #expect(other != one)
  }

  @Test(
    "an image without pixels or with too many pixels is refused",
    arguments: [
      (0, 8), (8, 0), (0, 0), (4_001, 4_000), (1, 16_000_001), (16_000_001, 1),
      (0xFFFF_FFFF, 0xFFFF_FFFF), (0x8000_0000, 0x8000_0000), (0xFFFF_FFFF, 1),
    ])
  func sizes(width: Int, height: Int) {
    #expect(
      ScreenImage(png: Array(PNG.image(claiming: (width, height), pixels: Data(count: 9)))) == nil)
  }

  @Test("invalid and incomplete PNG files are refused")
  func others() {
    let png = Array(PNG.image(width: 8, height: 8))
    for count in 0...33 { #expect(ScreenImage(png: Array(png.prefix(count))) == nil) }
    for place in 0..<16 {
      var broken = png
      broken[place] ^= 1
      #expect(ScreenImage(png: broken) == nil, "\(place)")
    }
    #expect(ScreenImage(png: Array("<!DOCTYPE html><title>Sign in to GitHub</title>".utf8)) == nil)
    #expect(ScreenImage(png: [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0, count: 99)) == nil)
  }
}
