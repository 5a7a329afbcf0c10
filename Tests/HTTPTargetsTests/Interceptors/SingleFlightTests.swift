import TestSupport
import Testing

@testable import HTTPTargets

@Suite("SingleFlight", .timeLimit(.minutes(5)))
struct SingleFlightTests {
  @Test("each of 2,000 flights canceled at any moment gives each call one outcome")
  func storm() async throws {
    let flights = SingleFlight<Int, Int, Int>()
    let runs = Watched(0)
    await withTaskGroup(of: Bool.self) { group in
      for index in 0..<2000 {
        group.addTask {
          let call = Task { () async throws(NetworkError) -> Int in
            try await flights.value(for: index % 3) { tell async throws(NetworkError) in
              runs.update { $0 += 1 }
              tell(1)
              for _ in 0..<(index % 5) { await Task.yield() }
              if Task.isCancelled { throw .cancelled }
              return index % 3
            }
          }
          for _ in 0..<(index % 7) { await Task.yield() }
          if index % 2 == 0 { call.cancel() }
          switch await call.result {
          case .success(let value): return value == index % 3
          // Only its own cancellation cancels a call.
          case .failure(let error): return index % 2 == 0 && NetworkError.Code.cancelled ~= error
          }
        }
        if index % 16 == 15 { for _ in 0..<16 { #expect(await group.next() == true) } }
      }
    }
    #expect(flights.count == 0)
    #expect(runs.current > 0)
  }

  @Test("a failure is thrown once to each waiting call, and the next call tries again")
  func failure() async throws {
    let flights = SingleFlight<Int, Never, Int>()
    let (gate, runs) = (Gate(), Watched(0))
    let calls = (0..<5).map { _ in
      Task { () async -> NetworkError.Code? in
        do throws(NetworkError) {
          _ = try await flights.value(for: 1) { _ async throws(NetworkError) in
            runs.update { $0 += 1 }
            await gate.wait()
            throw NetworkError(.encoding, "no")
          }
          return nil
        } catch {
          return error.code
        }
      }
    }
    while flights.waiterCount < 5 { await Task.yield() }
    gate.open()
    for call in calls { #expect(await call.value == .encoding) }
    #expect(runs.current == 1)
    #expect(try await flights.value(for: 1) { _ in 7 } == 7)
  }
}
