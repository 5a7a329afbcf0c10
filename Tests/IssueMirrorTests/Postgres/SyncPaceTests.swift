import Testing

@testable import IssueMirrorPostgres

@Suite("Intervals between syncs")
struct SyncPaceTests {
  private static let bounds: ClosedRange<Duration> = .seconds(30) ... .seconds(1800)

  @Test(
    "a repository with frequent changes is synced sooner, within the bounds"
  )
  func intervals() {
    var pace = SyncPace()
    // All of a first sync is new.
    pace.note(changes: 10_000, after: nil)
    #expect(pace == SyncPace())
    #expect(pace.interval(within: Self.bounds) == .seconds(120))
    var last = pace.interval(within: Self.bounds)
    for _ in 0..<5 {
      pace.note(changes: 30, after: last / .seconds(1))
      let next = pace.interval(within: Self.bounds)
      #expect(next <= last)
      last = next
    }
    #expect(last == .seconds(30))
    for _ in 0..<600 {
      pace.note(changes: 0, after: last / .seconds(1))
      let next = pace.interval(within: Self.bounds)
      #expect(next >= last)
      last = next
    }
    #expect(last == .seconds(1800))
    // One change brings it back.
    pace.note(changes: 1, after: 1800)
    #expect(pace.interval(within: Self.bounds) < .seconds(180))
  }

  @Test("four times the changes halve the interval")
  func squareRoot() {
    let slow = SyncPace(changesPerHour: 1).interval(within: Self.bounds)
    let fast = SyncPace(changesPerHour: 4).interval(within: Self.bounds)
    #expect(slow == .seconds(120) && fast == .seconds(60))
  }

  @Test("each consecutive failure doubles the delay, up to six hours")
  func failures() {
    let delays = (1...4).map { SyncPace.delay(afterFailures: $0) }
    #expect(delays == [60, 120, 240, 480].map { .seconds($0) })
    #expect(SyncPace.delay(afterFailures: 1_000_000) == .seconds(21_600))
  }
}
