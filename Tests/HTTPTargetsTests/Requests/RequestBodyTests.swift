import HTTPTargets
import PlatformModules
import TestSupport
import Testing

@Suite("RequestBody")
struct RequestBodyTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  /// All that a reader of a body without streams gives, through a buffer of a few bytes.
  private func read(_ reader: RequestBodyReader, by size: Int = 4) throws -> String {
    var text = Data()
    while true {
      var buffer = [UInt8](repeating: 0, count: size)
      let count = try #require(try buffer.withUnsafeMutableBytes { try reader.read(into: $0) })
      text += buffer[..<count]
      if count < size { return String(decoding: text, as: UTF8.self) }
    }
  }

  private func read(_ body: RequestBody, by size: Int = 4) throws -> String {
    try read(RequestBodyReader(body, onBytes: {}), by: size)
  }

  private func stream(_ texts: [String], size: Int? = nil) -> RequestBody.Stream {
    RequestBody.Stream(size: size) {
      AsyncStream { source in
        for text in texts { source.yield(Data(text.utf8)) }
        source.finish()
      }
    }
  }

  @Test("bytes in memory are joined into one segment")
  func memory() throws {
    let body = RequestBody(
      segments: [.bytes(Data("ab".utf8)), .bytes(Data()), .bytes(Data("c".utf8))])
    #expect(body == RequestBody(Data("abc".utf8)))
    #expect(body.segments.count == 1)
    #expect(body.size == 3)
    #expect(body.data == Data("abc".utf8))
  }

  @Test("an empty body has empty data")
  func empty() throws {
    let file = try folder.write(Data(), to: "empty")
    for body in [RequestBody(Data()), RequestBody(segments: []), try RequestBody(file: file)] {
      #expect(body.isEmpty)
      #expect(body.data == Data())
      #expect(body == RequestBody(Data()))
    }
  }

  @Test("a body with a file has a size and no data in memory")
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
    "a reader crosses segment boundaries with any buffer size", arguments: 1...9)
  func reading(size: Int) throws {
    let path = try folder.write(Data("12345".utf8), to: "a")
    let file = try #require(try RequestBody(file: path).segments.first)
    let body = RequestBody(
      segments: [file, .bytes(Data("abc".utf8)), file, file, .bytes(Data("d".utf8))])
    #expect(try read(body, by: size) == "12345abc1234512345d")
  }

  @Test("a reader can seek to any position", arguments: 0...14)
  func seeking(position: Int) throws {
    let path = try folder.write(Data("12345".utf8), to: "a")
    let file = try #require(try RequestBody(file: path).segments.first)
    let reader = RequestBodyReader(
      RequestBody(segments: [file, .bytes(Data("abcd".utf8)), file]), onBytes: {})
    let whole = try read(reader)
    #expect(whole == "12345abcd12345")
    #expect(reader.seek(to: position))
    #expect(try read(reader) == whole.dropFirst(position))
    #expect(!reader.seek(to: 15))
    #expect(!reader.seek(to: -1))
  }

  @Test("a file that has grown is read up to the declared size")
  func grown() throws {
    let path = try folder.write(Data("12345".utf8), to: "a")
    let body = try RequestBody(file: path)
    try folder.write(Data("12345678".utf8), to: "a")
    #expect(try read(body) == "12345")
  }

  @Test("a file that has shrunk or was removed fails")
  func shrunk() throws {
    let path = try folder.write(Data("12345".utf8), to: "a")
    let body = try RequestBody(file: path)
    try folder.resize("a", to: 4)
    for _ in 0..<2 {
      let error = #expect(throws: NetworkError.self) { try read(body) }
      #expect(error?.code == .encoding)
      #expect(error?.message.contains(path) == true)
      unlink(path)
    }
  }

  @Test(
    "the error for a path other than a readable regular file contains the path",
    arguments: ["none", ".", "pipe"])
  func irregular(name: String) throws {
    // Opening a pipe without a writer must not wait.
    #expect(mkfifo(folder["pipe"], 0o600) == 0)
    let error = #expect(throws: NetworkError.self) { try RequestBody(file: folder[name]) }
    #expect(error?.code == .encoding)
    #expect(error?.message.contains(folder[name]) == true)
  }

  @Test("an unreadable file is refused", .enabled(if: geteuid() != 0, "root reads anything"))
  func unreadable() throws {
    let path = try folder.write(Data("secret".utf8), to: "a")
    chmod(path, 0)
    #expect(throws: NetworkError.self) { try RequestBody(file: path) }
  }

  @Test(
    "a stream is read in its place between other segments, with any buffer size", arguments: 1...9)
  func stream(by size: Int) async throws {
    let path = try folder.write(Data("12345".utf8), to: "a")
    let file = try #require(try RequestBody(file: path).segments.first)
    let body = RequestBody(
      segments: [
        file, .stream(stream(["a", "", "bcd"])), .stream(stream([])), file,
        .stream(stream(["e"], size: 1)),
      ])
    #expect(body.size == nil)
    #expect(body.data == nil)
    #expect(!body.isEmpty)
    #expect(String(decoding: try await body.collect(), as: UTF8.self) == "12345abcd12345e")

    let goesOn = Watched(0)
    let reader = RequestBodyReader(body, onBytes: { goesOn.update { $0 += 1 } })
    for _ in 0..<2 {
      var text = Data()
      while true {
        let seen = goesOn.current
        var buffer = [UInt8](repeating: 0, count: size)
        let count = try buffer.withUnsafeMutableBytes { try reader.read(into: $0) }
        if count == 0 { break }
        if count == nil { await goesOn.wait { $0 > seen } }
        text += buffer[..<(count ?? 0)]
      }
      #expect(String(decoding: text, as: UTF8.self) == "12345abcd12345e")
      // Each sending makes the sequence anew.
      #expect(reader.seek(to: 0))
    }
    #expect(reader.seek(to: 5))
    #expect(!reader.seek(to: 6))
  }

  @Test("a body has a size if all its streams have one")
  func streamSize() {
    let bytes = RequestBody.Segment.bytes(Data("<".utf8))
    #expect(RequestBody(segments: [bytes, .stream(stream(["ab"], size: 2)), bytes]).size == 4)
    #expect(RequestBody(segments: [bytes, .stream(stream(["ab"]))]).size == nil)
    #expect(RequestBody(stream([], size: 0)).isEmpty)
  }

  @Test(
    "a stream fails if its length isn't the declared one",
    arguments: [(["ab"], 3), (["ab", "cd"], 3), (["abcd"], 3), (["abc", "d"], 3), (["a"], 0)])
  func wrongSize(texts: [String], size: Int) async {
    let body = RequestBody(stream(texts, size: size))
    let error = await #expect(throws: NetworkError.self) { try await body.collect() }
    #expect(error?.code == .encoding)
    #expect(error?.message.contains("\(size) bytes were announced") == true)
  }

  @Test("the error of a body's sequence is the underlying error")
  func streamFailure() async {
    struct Failure: Error {}
    let body = RequestBody(RequestBody.Stream { () throws -> AsyncStream<Data> in throw Failure() })
    let error = await #expect(throws: NetworkError.self) { try await body.collect() }
    #expect(error?.code == .encoding)
    #expect(error?.underlying is Failure)
  }

  @Test("a single-use sequence is sent once, and a second attempt fails")
  func once() async throws {
    let (bytes, source) = AsyncStream.makeStream(of: Data.self)
    source.yield(Data("abc".utf8))
    source.finish()
    let body = RequestBody(RequestBody.Stream(once: bytes))
    #expect(try await body.collect() == Data("abc".utf8))
    let error = await #expect(throws: NetworkError.self) { try await body.collect() }
    #expect(error?.code == .encoding)
    #expect(error?.message.contains("only once") == true)
  }

  @Test("a canceled reader never returns part of a stream as the whole")
  func cancelledCollecting() async {
    let (bytes, source) = AsyncStream.makeStream(of: Data.self)
    let body = RequestBody(RequestBody.Stream(once: bytes))
    source.yield(Data("abc".utf8))
    let task = Task { try await body.collect() }
    task.cancel()
    let error = await #expect(throws: NetworkError.self) { try await task.value }
    #expect(error?.code == .cancelled)
  }

  @Test("a sequence ended by cancellation isn't treated as complete")
  func endedByCancelling() async {
    let count = Watched(0)
    let body = RequestBody(
      RequestBody.Stream(
        once: AsyncStream {
          let call = count.update { count in
            count += 1
            return count
          }
          guard call > 1 else { return Data("abc".utf8) }
          await count.wait { $0 > 2 }
          return nil
        }))
    let task = Task { try await body.collect() }
    await count.wait { $0 == 2 }
    task.cancel()
    let error = await #expect(throws: NetworkError.self) { try await task.value }
    #expect(error?.code == .cancelled)
  }

  @Test("two streams are equal only if one is a copy of the other")
  func equality() {
    let one = stream(["a"])
    #expect(RequestBody(one) == RequestBody(one))
    #expect(RequestBody(one) != RequestBody(stream(["a"])))
    #expect(Set([one, one, stream(["a"])]).count == 2)
  }

  @Test("no description contains bytes or paths")
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
