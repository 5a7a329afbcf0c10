import Testing

@testable import IssueMirror
@testable import IssuesCommand

@Suite("The status line of a sync")
struct SyncMeterTests {
  @Test("share, items, rate and time left, when there is enough to go by")
  func measured() {
    var meter = SyncMeter(name: "a/b")
    #expect(text(&meter, .lookingUp, 0, nil, after: 0) == "Looking up a/b…")
    #expect(
      text(&meter, .items, 0, 0, after: 1) == "Syncing a/b [--------------------] 0%, 0 items")
    #expect(
      text(&meter, .items, 100, 0.125, after: 2)
        == "Syncing a/b [##------------------] 12%, 100 items")
    #expect(
      text(&meter, .items, 400, 0.5, after: 5)
        == "Syncing a/b [##########----------] 50%, 400 items, 100/s, 0:04 left")
    #expect(
      text(&meter, .items, 800, 1, after: 9)
        == "Syncing a/b [####################] 100%, 800 items, 100/s")
    #expect(
      text(&meter, .comments, 800, 0, after: 10)
        == "Syncing the comments of a/b [--------------------] 0%, 800 items")
    #expect(
      text(&meter, .checking(12), 900, nil, after: 11) == "Asking what became of a/b#12…")
  }

  @Test("a sync that goes on where it was isn't said to have been fast")
  func resumed() {
    var meter = SyncMeter(name: "a/b")
    _ = text(&meter, .items, 0, 0.8, after: 0)
    #expect(
      text(&meter, .items, 1, 0.9, after: 10)
        == "Syncing a/b [##################--] 90%, 1 item, 0/s, 0:10 left")
  }

  @Test("the line changes ten times a second at most, and at once when something else is done")
  func often() {
    var meter = SyncMeter(name: "a/b")
    #expect(text(&meter, .items, 1, 0, after: 1) != nil)
    #expect(text(&meter, .items, 2, 0, after: 1.05) == nil)
    #expect(meter.stored == 2)
    #expect(text(&meter, .verifying, 2, 0, after: 1.06) != nil)
    #expect(text(&meter, .verifying, 3, 0, after: 1.17) != nil)
  }

  @Test("a share beyond its bounds does no harm", arguments: [-1, 2, .infinity, .nan] as [Double])
  func bounds(fraction: Double) {
    var meter = SyncMeter(name: "a/b")
    _ = text(&meter, .items, 0, fraction, after: 0)
    #expect(text(&meter, .items, 9, fraction, after: 9)?.hasPrefix("Syncing a/b [") == true)
  }

  private func text(
    _ meter: inout SyncMeter, _ phase: SyncProgress.Phase, _ stored: Int, _ fraction: Double?,
    after seconds: Double
  ) -> String? {
    meter.text(
      of: SyncProgress(phase: phase, stored: stored, total: nil, fraction: fraction),
      at: .seconds(seconds))
  }
}
