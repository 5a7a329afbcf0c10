import IssueOutbox
import Testing

@Suite("The outbox's file")
struct OutboxPathTests {
  @Test("the outbox's file is in the user's data folder")
  func path() {
    #expect(Outbox.path(in: ["XDG_DATA_HOME": "/data"]) == "/data/issues/outbox.db")
    #expect(Outbox.path(in: ["HOME": "/home/a"]) == "/home/a/.local/share/issues/outbox.db")
    #expect(Outbox.path(in: [:]) == nil)
  }
}
