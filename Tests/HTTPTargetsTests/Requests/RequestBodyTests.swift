import HTTPTargets
import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

@Suite("RequestBody")
struct RequestBodyTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  /// All that a reader gives, through a buffer of a few bytes.
  private func read(_ reader: RequestBodyReader, by size: Int = 4) throws -> String {
    var text = Data()
    while true {
      var buffer = [UInt8](repeating: 0, count: size)
      let count = try buffer.withUnsafeMutableBytes { try reader.read(into: $0) }
      text += buffer[..<count]
      if count < size { return String(decoding: text, as: UTF8.self) }
    }
  }

  @Test("bytes in memory are one segment, however they were put together")
  func memory() throws {
    let body = RequestBody(
      segments: [.bytes(Data("ab".utf8)), .bytes(Data()), .bytes(Data("c".utf8))])
    #expect(body == RequestBody(Data("abc".utf8)))
    #expect(body.segments.count == 1)
    #expect(body.size == 3)
    #expect(body.data == Data("abc".utf8))
  }

  @Test("an empty body has bytes, and none of them")
  func empty() throws {
    let file = try folder.write(Data(), to: "empty")
    for body in [RequestBody(Data()), RequestBody(segments: []), try RequestBody(file: file)] {
      #expect(body.isEmpty)
      #expect(body.data == Data())
      #expect(body == RequestBody(Data()))
    }
  }

  @Test("a body with a file in it knows its size, and has no bytes at hand")
  func file() throws {
    let path = try folder.write(Data("12345".utf8), to: "a")
    let body = RequestBody(
      segments: [.bytes(Data("<".utf8))] + (try RequestBody(file: path).segments)
        + [.bytes(Data(">".utf8))])
    #expect(body.size == 7)
    #expect(body.data == nil)
    #expect(
      body.segments == [
        .bytes(Data("<".utf8)), .file(path: path, size: 5), .bytes(Data(">".utf8)),
      ])
  }

  @Test(
    "reading crosses the borders of segments, whatever the size of the buffer", arguments: 1...9)
  func reading(size: Int) throws {
    let path = try folder.write(Data("12345".utf8), to: "a")
    let file = try #require(try RequestBody(file: path).segments.first)
    let body = RequestBody(
      segments: [file, .bytes(Data("abc".utf8)), file, file, .bytes(Data("d".utf8))])
    #expect(try read(RequestBodyReader(body), by: size) == "12345abc1234512345d")
  }

  @Test("a reader goes on from any place", arguments: 0...14)
  func seeking(position: Int) throws {
    let path = try folder.write(Data("12345".utf8), to: "a")
    let file = try #require(try RequestBody(file: path).segments.first)
    let reader = RequestBodyReader(
      RequestBody(segments: [file, .bytes(Data("abcd".utf8)), file]))
    let whole = try read(reader)
    #expect(whole == "12345abcd12345")
    #expect(reader.seek(to: position))
    #expect(try read(reader) == whole.dropFirst(position))
    #expect(!reader.seek(to: 15))
    #expect(!reader.seek(to: -1))
  }

  @Test("a file that has grown is read up to the size that was announced")
  func grown() throws {
    let path = try folder.write(Data("12345".utf8), to: "a")
    let body = try RequestBody(file: path)
    try folder.write(Data("12345678".utf8), to: "a")
    #expect(try read(RequestBodyReader(body)) == "12345")
  }

  @Test("a file that has shrunk, or is gone, fails")
  func shrunk() throws {
    let path = try folder.write(Data("12345".utf8), to: "a")
    let body = try RequestBody(file: path)
    try folder.resize("a", to: 4)
    for _ in 0..<2 {
      let error = #expect(throws: NetworkError.self) { try read(RequestBodyReader(body)) }
      #expect(error?.code == .encoding)
      #expect(error?.message.contains(path) == true)
      unlink(path)
    }
  }

  @Test("what isn't a readable regular file is refused by name", arguments: ["none", ".", "pipe"])
  func irregular(name: String) throws {
    // Opening a pipe that nobody writes to must not wait.
    #expect(mkfifo(folder["pipe"], 0o600) == 0)
    let error = #expect(throws: NetworkError.self) { try RequestBody(file: folder[name]) }
    #expect(error?.code == .encoding)
    #expect(error?.message.contains(folder[name]) == true)
  }

  @Test("a file without permission is refused", .enabled(if: geteuid() != 0, "root reads anything"))
  func unreadable() throws {
    let path = try folder.write(Data("secret".utf8), to: "a")
    chmod(path, 0)
    #expect(throws: NetworkError.self) { try RequestBody(file: path) }
  }

  @Test("neither bytes nor paths show")
  func descriptions() throws {
    let path = try folder.write(Data("hunter2".utf8), to: "hunter2")
    let body = RequestBody(
      segments: [.bytes(Data("hunter2".utf8))] + (try RequestBody(file: path).segments))
    for text in [shown(body), shown(body.segments)] {
      #expect(!text.contains("hunter2"))
      #expect(!text.contains("104"))
    }
    #expect(shown(body).contains("14 bytes"))
  }
}
