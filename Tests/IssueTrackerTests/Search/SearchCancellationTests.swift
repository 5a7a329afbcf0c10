import TestSupport
import Testing

/// How soon a newer text reaches the connection of an older one's search.
///
/// The time is printed and not asserted: a machine may be busy. One that isn't shows some milliseconds.
@Suite("Canceling a superseded search", .serialized)
struct SearchCancellationTests {
  @Test(
    "the transfer of a superseded search is closed, and the time until then is printed",
    .timeLimit(.minutes(5)),
    arguments: SearchForm.allCases)
  func latency(form: SearchForm) async throws {
    let world = SearchWorld(found: 3)
    let closed = Gate()
    var times: [Duration] = []
    let holding: SearchWorld.Holding = { request in
      request.queryValue("q")?.hasPrefix("old") == true ? closed : nil
    }
    try await world.run(form, holding: holding) { run, server in
      for round in 1...50 {
        try await run.type("old\(round)")
        _ = try await run.state()
        try await server.log.requests(count: 2 * round - 1)
        world.clock.advance(by: .seconds(1))
        let start = ContinuousClock.now
        try await run.type("new\(round)")
        try await server.log.waitForCancellation { $0.queryValue("q") == "old\(round)" }
        times.append(ContinuousClock.now - start)
        for count in [0, 3] { #expect(try await run.shown().count == count) }
        world.clock.advance(by: .seconds(1))
      }
    }
    times.sort()
    print("\(form): closed after \(times[25]) at the median, \(times[49]) at most, of 50 rounds")
  }
}
