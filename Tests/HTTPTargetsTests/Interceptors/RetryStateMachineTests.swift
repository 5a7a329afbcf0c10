import Testing

@testable import HTTPTargets

@Suite("RetryStateMachine")
struct RetryStateMachineTests {
  /// Draws the longest wait.
  private let longest: (ClosedRange<Double>) -> Double = { $0.upperBound }

  private func waits(_ policy: RetryPolicy, failures: Int) -> [RetryStateMachine.Action] {
    var machine = RetryStateMachine(policy)
    return (0..<failures).map { _ in
      machine.failed(at: .zero, minimumWait: nil, random: longest)
    }
  }

  @Test("the maximum wait doubles up to a bound, and waits end with the retries")
  func exponential() {
    #expect(
      waits(RetryPolicy(), failures: 5) == [
        .wait(.seconds(0.5)), .wait(.seconds(1)), .wait(.seconds(2)), .giveUp, .giveUp,
      ])
    #expect(
      waits(RetryPolicy(maximumRetries: 7, timeBudget: .seconds(60)), failures: 8) == [
        .wait(.seconds(0.5)), .wait(.seconds(1)), .wait(.seconds(2)), .wait(.seconds(4)),
        .wait(.seconds(8)), .wait(.seconds(8)), .wait(.seconds(8)), .giveUp,
      ])
    #expect(waits(RetryPolicy(maximumRetries: 0), failures: 1) == [.giveUp])
    #expect(waits(RetryPolicy(maximumRetries: -1), failures: 1) == [.giveUp])
  }

  @Test("a wait is drawn between zero and its maximum")
  func jitter() {
    var machine = RetryStateMachine(RetryPolicy())
    for bound in [0.5, 1, 2] {
      let action = machine.failed(at: .zero, minimumWait: nil) { range in
        #expect(range == 0...bound)
        return range.upperBound / 4
      }
      #expect(action == .wait(.seconds(bound / 4)))
    }
  }

  @Test("extreme policies give finite waits")
  func extremes() {
    var policy = RetryPolicy(maximumRetries: .max, timeBudget: .seconds(Int64.max))
    for base in [Duration.zero, .seconds(-1), .seconds(Int64.max)] {
      policy.baseDelay = base
      for index in [0, 1, 5000, Int.max] {
        #expect((0...8).contains(policy.longestDelay(beforeRetry: index)))
      }
    }
    policy.maximumDelay = .seconds(-1)
    #expect(policy.longestDelay(beforeRetry: 3) == 0)
  }

  @Test(
    "the server's Retry-After is the minimum wait",
    arguments: [
      (nil, 0.5), (.zero, 0.5), (.seconds(0.25), 0.5), (.seconds(2), 2), (.seconds(30), 30),
    ] as [(Duration?, Double)])
  func minimum(asked: Duration?, seconds: Double) {
    var machine = RetryStateMachine(RetryPolicy())
    let action = machine.failed(at: .zero, minimumWait: asked, random: longest)
    #expect(action == .wait(.seconds(seconds)))
    #expect(machine.retryCount == 1)
  }

  @Test("a wait beyond the budget isn't started, and ends the retries")
  func tooLong() {
    var machine = RetryStateMachine(RetryPolicy())
    let actions = [Duration.milliseconds(30_001), .zero].map { asked in
      machine.failed(at: .zero, minimumWait: asked, random: longest)
    }
    #expect(actions == [.giveUp, .giveUp])
    #expect(machine.retryCount == 0)
  }

  @Test("the budget counts from the first failure")
  func budget() {
    for start in [0, 10, 300] {
      var machine = RetryStateMachine(RetryPolicy())
      let actions = [0, 29, 30].map { seconds in
        machine.failed(at: .seconds(start + seconds), minimumWait: nil, random: longest)
      }
      #expect(actions == [.wait(.seconds(0.5)), .wait(.seconds(1)), .giveUp])
    }
  }
}
