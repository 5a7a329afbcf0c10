import PlatformModules
import TestSupport
import Testing

@testable import IssuesCommand

@Suite("Input lines from a client", .timeLimit(.minutes(2)))
struct LineInputTests {
  private func items(_ text: String, limit: Int = 100) async throws -> [LineInput.Item] {
    let folder = try ScratchFolder()
    let path = try folder.write(Data(text.utf8), to: "input")
    let file = open(path, O_RDONLY | O_CLOEXEC)
    try #require(file >= 0)
    defer { close(file) }
    let input = LineInput(descriptor: file, limit: limit)
    var items: [LineInput.Item] = []
    while let item = await input.next() { items.append(item) }
    return items
  }

  @Test("empty lines and an unterminated last line are read")
  func lines() async throws {
    let found = try await items("a\n\nbc\nd")
    #expect(found == ["a", "", "bc", "d"].map { .line(Array($0.utf8)) })
    #expect(try await items("").isEmpty)
    #expect(try await items("x\n") == [.line(Array("x".utf8))])
  }

  @Test("an overlong line is skipped, and the next one is read", arguments: [101, 200_000])
  func long(count: Int) async throws {
    let long = String(repeating: "x", count: count)
    #expect(try await items("\(long)\nb\n") == [.tooLong, .line([UInt8(ascii: "b")])])
    #expect(try await items("b\n\(long)") == [.line([UInt8(ascii: "b")]), .tooLong])
    let whole = String(repeating: "x", count: 100)
    #expect(try await items("\(whole)\n") == [.line(Array(whole.utf8))])
  }
}
