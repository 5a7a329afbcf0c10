import TestSupport
import Testing

@testable import IssueTracker

@Suite("Merging concurrent lists", .timeLimit(.minutes(1)))
struct MergedListsTests {
  private struct Broken: Error {}

  /// Parts, of which an empty one breaks the list off.
  private struct Parts: MergedList {
    var parts: [[Int]]
    let asked: Watched<Int>
    var isHeld = false

    mutating func next() async throws -> [Int]? {
      asked.update { $0 += 1 }
      if isHeld { await asked.wait { $0 >= 3 } }
      isHeld = false
      guard !parts.isEmpty else { return nil }
      let part = parts.removeFirst()
      if part.isEmpty { throw Broken() }
      return part
    }
  }

  private static func read(
    _ lists: [Parts], stopsAfter limit: Int = .max
  ) async throws -> (items: [Int], failures: [Int]) {
    var merged = MergedLists(lists, by: >)
    var items: [Int] = []
    while items.count < limit, let new = try await merged.next() { items += new }
    return (items, merged.failures.map(\.list))
  }

  @Test("all lists are requested before any response, and are read to their ends")
  func sideBySide() async throws {
    let asked = Watched(0)
    let lists = [[[9, 3], [1]], [[8], [7, 2]], [[5]]].map {
      Parts(parts: $0, asked: asked, isHeld: true)
    }
    let (items, failures) = try await Self.read(lists)
    #expect(items == [9, 8, 7, 5, 3, 2, 1])
    #expect(failures.isEmpty)
    // Each part once, and each end.
    #expect(asked.read { $0 } == 8)
  }

  @Test("a failed list is reported, and the others are read to their ends")
  func failure() async throws {
    let lists = [[[9], []], [[8], [2]]].map { Parts(parts: $0, asked: Watched(0)) }
    let (items, failures) = try await Self.read(lists)
    #expect(items == [9, 8, 2])
    #expect(failures == [0])
  }

  @Test("a reader that stops early doesn't request more pages")
  func enough() async throws {
    let asked = Watched(0)
    let lists = (0..<2).map { _ in
      Parts(parts: Array(repeating: [5, 4], count: 100), asked: asked)
    }
    let (items, _) = try await Self.read(lists, stopsAfter: 3)
    #expect(items.count >= 3)
    #expect(asked.read { $0 } < 6)
  }
}
