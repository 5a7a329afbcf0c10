import IssueOutbox
import Testing

@Suite("The location of the outbox")
struct OutboxPathTests {
  @Test("the outbox file is in the user's data folder")
  func path() {
    #expect(Outbox.path(in: ["XDG_DATA_HOME": "/data"]) == "/data/issues/outbox.db")
    #expect(Outbox.path(in: ["HOME": "/home/a"]) == "/home/a/.local/share/issues/outbox.db")
    #expect(Outbox.path(in: [:]) == nil)
  }
}
