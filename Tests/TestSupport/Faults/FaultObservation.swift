internal import PlatformModules

/// The observed outcome of a ``FaultCase``.
public struct FaultObservation: Sendable {
  /// The numbers of the received issues.
  public var numbers: [Int]
  /// The command's exit status; nil for the library.
  public var status: Int32?
  /// The code that the library threw, with its reason; nil for success, and for the command.
  public var code: String?
  /// The message about the failure.
  public var message: String
  /// Everything that anybody could read: output, errors, logs.
  public var printed: String

  /// Creates an observation.
  public init(
    numbers: [Int], status: Int32? = nil, code: String? = nil, message: String, printed: String
  ) {
    self.numbers = numbers
    self.status = status
    self.code = code
    self.message = message
    self.printed = printed
  }

  /// A summary, such as `250 rows, exit 0`.
  public var summary: String {
    let rows = "\(numbers.count) rows"
    return status.map { "\(rows), exit \($0)" } ?? "\(rows), \(code ?? "no error")"
  }

  /// The differences from the row's promise; empty if it is kept.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - run: The observed run.
  ///   - world: Its servers, still running.
  /// - Returns: A sentence for each difference.
  public func problems(
    with row: FaultCase, _ run: FaultCase.Run, in world: FaultWorld
  ) -> [String] {
    var problems: [String] = []
    func expect(_ isRight: Bool, _ problem: @autoclosure () -> String) {
      if !isRight { problems.append("\(run): \(problem()) (\(summary)): \(message)") }
    }

    let outcome = run.isPassing ? .complete() : row.outcome
    switch outcome {
    case .complete(let rows):
      expect(numbers.count == rows, "not \(rows) rows")
      expect(status ?? 0 == 0 && code == nil, "a failure")
    case .failure(let expectedStatus, let expectedCode, let words):
      expect(status == nil || status == expectedStatus, "not the status \(expectedStatus)")
      expect(status != nil || code == expectedCode, "not the code \(expectedCode)")
      for word in status == nil ? words : words + row.advice {
        expect(message.contains(word), "“\(word)” isn't said")
      }
      let before = run.stage == .nextPage ? 100 : 0
      expect(numbers.count == before, "not \(before) rows")
      if before > 0, status != nil {
        expect(message.contains("the list is incomplete"), "it isn't said that rows are missing")
        expect(message.contains("after 100"), "it isn't said how many rows there are")
      }
    }
    expect(Set(numbers).count == numbers.count, "rows that come twice")

    if let expected = row.attempts, !run.isPassing {
      let attempts = world.attempts()
      // The command requests the list beside the look-up.
      let isBesideList = status != nil && run.stage == .lookUp && world.countsAll
      expect(
        (expected...(isBesideList ? 2 * expected : expected)).contains(attempts),
        "\(attempts) attempts, not \(expected)")
    }
    for trace in SecretTraces(FaultCase.tokenCore).found(in: Data(printed.utf8)) {
      problems.append("\(run): the token is shown (\(trace))")
    }
    for trace in SecretTraces(FaultCase.tokenCore).found(in: world.strangers()) {
      problems.append("\(run): the token is sent to someone else (\(trace))")
    }
    return problems
  }
}
