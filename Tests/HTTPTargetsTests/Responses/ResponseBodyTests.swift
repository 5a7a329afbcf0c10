import HTTPTargets
import PlatformModules
import TestSupport
import Testing

@Suite("ResponseBody")
struct ResponseBodyTests {
  private func body(_ chunks: [Int], maximumSize: Int) -> ResponseBody {
    let remaining = Watched(chunks)
    return ResponseBody(maximumSize: maximumSize) { () throws(NetworkError) in
      remaining.update { $0.isEmpty ? nil : Data(repeating: 0, count: $0.removeFirst()) }
    }
  }

  /// The sizes of the chunks that came before the end, and the code of the error at the end.
  private func read(_ body: ResponseBody) async -> (sizes: [Int], code: NetworkError.Code?) {
    var sizes: [Int] = []
    do throws(NetworkError) {
      for try await chunk in body { sizes.append(chunk.count) }
    } catch {
      return (sizes, error.code)
    }
    return (sizes, nil)
  }

  @Test("chunks are unchanged up to the last allowed byte")
  func chunks() async {
    let (sizes, code) = await read(body([3, 0, 4, 3], maximumSize: 10))
    #expect(sizes == [3, 0, 4, 3])
    #expect(code == nil)
  }

  @Test(
    "a body one byte over the limit is too large",
    arguments: [([11], []), ([10, 1], [10]), ([3, 3, 3, 3], [3, 3, 3])] as [([Int], [Int])])
  func tooLarge(chunks: [Int], before: [Int]) async {
    let (sizes, code) = await read(body(chunks, maximumSize: 10))
    #expect(sizes == before)
    #expect(code == .tooLarge)
  }

  @Test("a body in memory is one chunk, and has the same limit")
  func data() async {
    #expect(await read(ResponseBody(Data("abc".utf8), maximumSize: 3)).sizes == [3])
    #expect(await read(ResponseBody(Data("abcd".utf8), maximumSize: 3)).code == .tooLarge)
    #expect(await read(ResponseBody(Data(), maximumSize: 0)).sizes == [])
  }

  @Test("a body can be read only once", arguments: [[], [3], [3, 4]])
  func twice(chunks: [Int]) async throws {
    let collected = body(chunks, maximumSize: 10)
    #expect(try await collected.collect(atMost: 10).count == chunks.reduce(0, +))
    let error = await #expect(throws: NetworkError.self) {
      try await collected.collect(atMost: 10)
    }
    #expect(error?.message.contains("read only once") == true)
    #expect(await read(collected).code == .transport)
    let data = ResponseBody(Data("abc".utf8), maximumSize: 3)
    #expect(await read(data).sizes == [3])
    await #expect(throws: NetworkError.self) { try await data.collect(atMost: 3) }
  }

  @Test("an iterator that was released early leaves nothing to a second one")
  func partlyRead() async throws {
    let body = body([1, 2, 3], maximumSize: 10)
    for try await _ in body { break }
    #expect(await read(body) == ([], .transport))
  }

  @Test("an iterator returns nil again after the end")
  func end() async throws {
    var iterator = body([1], maximumSize: 1).makeAsyncIterator()
    #expect(try await iterator.next(isolation: nil)?.count == 1)
    for _ in 0..<2 { #expect(try await iterator.next(isolation: nil) == nil) }
  }

  @Test("a body that is too large fails the call after its head")
  func call() async {
    let events = Events([])
    let body = body([10, 1], maximumSize: 10)
    let transport = RecordingTransport { _ throws(NetworkError) in
      TransportReply(status: .ok, headers: [:], body: body)
    }
    let provider = Provider<Zoo>(
      plugins: [.recording(name: "A", events: events)], transport: transport)
    #expect(await provider.outcome(Zoo()).word == "tooLarge")
    #expect(
      events.current == [
        "A prepare", "A willSend", "A didReceive tooLarge", "A process tooLarge",
      ])
  }
}
