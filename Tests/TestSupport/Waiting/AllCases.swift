/// The work of all cases of a test: the first case begins it, and each case gets its part.
///
/// Without parallel tests, cases run one after the other. Where most of a case is waiting, that takes minutes.
public struct AllCases<Case: CustomStringConvertible & Sendable, Result: Sendable>: Sendable {
  private let tasks: [String: Task<Result, any Error>]

  /// Begins the work of `cases`, whose descriptions differ, at most `width` at once.
  public init(
    _ cases: [Case], width: Int, _ work: @escaping @Sendable (Case) async throws -> Result
  ) {
    let turnstile = Turnstile(width: width)
    tasks = Dictionary(
      uniqueKeysWithValues: cases.map { element in
        (element.description, Task { try await turnstile.pass { try await work(element) } })
      })
  }

  /// Waits for the result of one case.
  ///
  /// - Throws: The error of its work.
  public func result(of element: Case) async throws -> Result {
    guard let task = tasks[element.description] else {
      preconditionFailure("\(element) isn't one of the cases")
    }
    return try await task.value
  }
}
