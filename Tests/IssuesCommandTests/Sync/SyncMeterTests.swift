import IssueMirror
import Testing

@testable import IssuesCommand

@Suite("The status line of a sync")
struct SyncMeterTests {
  @Test("the status line shows share, items, rate and time left, as far as they are known")
  func measured() {
    var meter = SyncMeter(name: "a/b")
    #expect(text(&meter, .lookingUp, 0, after: 0) == "Looking up a/b…")
    #expect(
      text(&meter, .items, 0, of: 800, after: 1)
        == "Syncing a/b [----------] 0%, 0 items")
    #expect(
      text(&meter, .items, 100, of: 800, after: 2)
        == "Syncing a/b [#---------] 12%, 100 items")
    #expect(
      text(&meter, .items, 400, of: 800, after: 5)
        == "Syncing a/b [#####-----] 50%, 400 items, 100/s, 0:04 left")
    #expect(
      text(&meter, .items, 800, of: 800, after: 9)
        == "Syncing a/b [##########] 100%, 800 items, 100/s")
    #expect(text(&meter, .comments, 1, after: 10) == "Syncing the comments of a/b: 1 item")
    #expect(text(&meter, .checking(12), 900, after: 11) == "Looking up a/b#12…")
  }

  @Test("the rate doesn't count items stored before the phase began")
  func resumed() {
    var meter = SyncMeter(name: "a/b")
    _ = text(&meter, .items, 800, of: 1000, after: 0)
    #expect(
      text(&meter, .items, 900, of: 1000, after: 10)
        == "Syncing a/b [#########-] 90%, 900 items, 10/s, 0:10 left")
  }

  @Test(
    "new issues and comments are counted in words",
    arguments: [
      (0, 0, nil), (300, 0, "300 new issues and pull requests"), (0, 1, "1 new comment"),
      (5, 20, "5 new issues and pull requests and 20 new comments"),
    ] as [(Int, Int, String?)])
  func news(items: Int, comments: Int, words: String?) {
    var meter = SyncMeter(name: "a/b")
    var progress = SyncProgress(phase: .items, stored: 900)
    progress.newItems = items
    progress.newComments = comments
    _ = meter.text(of: progress, at: .zero)
    #expect(meter.news == words)
  }

  @Test("the status line changes at most ten times a second, and at once for a new phase")
  func often() {
    var meter = SyncMeter(name: "a/b")
    #expect(text(&meter, .items, 1, after: 1) != nil)
    #expect(text(&meter, .items, 2, after: 1.05) == nil)
    #expect(text(&meter, .verifying, 2, after: 1.06) != nil)
    #expect(text(&meter, .verifying, 3, after: 1.17) != nil)
  }

  private func text(
    _ meter: inout SyncMeter, _ phase: SyncProgress.Phase, _ stored: Int, of total: Int? = nil,
    after seconds: Double
  ) -> String? {
    meter.text(
      of: SyncProgress(phase: phase, stored: stored, total: total), at: .seconds(seconds))
  }
}
