import GRDB
import Testing

@testable import IssueMirror

@Suite("A second database reader")
struct SecondReaderTests {
  private static let endless = """
    WITH RECURSIVE number(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM number)
    SELECT count(*) FROM number
    """

  @Test(
    "a second reader works while the pool has no free reader", .timeLimit(.minutes(1)))
  func value() async throws {
    let fixture = try await SearchFixture([.init(number: 1), .init(number: 2)])
    let pool = fixture.mirror.database
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try await pool.read { _ in
            try SecondReader(pool) { try Int.fetchOne($0, sql: "SELECT count(*) FROM item") ?? 0 }
              .value()
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts == Array(repeating: 2, count: 8))
  }

  @Test("a second reader closes after its last use, even if canceled", .timeLimit(.minutes(1)))
  func cancel() async throws {
    let fixture = try await SearchFixture()
    for _ in 0..<20 {
      let reader = SecondReader(fixture.mirror.database) { try Int.fetchOne($0, sql: Self.endless) }
      reader.cancel()
      #expect(throws: (any Error).self) { try reader.value() }
    }
  }

  @Test("a second reader can't write")
  func readOnly() async throws {
    let fixture = try await SearchFixture([.init(number: 1)])
    let reader = SecondReader(fixture.mirror.database) { try $0.execute(sql: "DELETE FROM item") }
    #expect(throws: DatabaseError.self) { try reader.value() }
  }
}
