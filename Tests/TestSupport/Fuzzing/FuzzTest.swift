/// A property, checked on many random inputs.
///
/// ```swift
/// @Test("an accepted name makes two segments")
/// func names() {
///   let failure = FuzzTest("names").run { source in
///     let text = source.text()
///     guard let name = RepositoryName(text) else { return }
///     try check("\(name)" == text, "\(text.debugDescription) became \(name)")
///   }
///   #expect(failure == nil)
/// }
/// ```
///
/// Every run has the same inputs, unless `ISSUES_SEED` in the environment gives another seed. A full run has ten times
/// as many. A failure prints how to repeat it.
public struct FuzzTest: Sendable {
  /// The first input without the property.
  public struct Failure: Error, Equatable, CustomStringConvertible {
    /// The name of the test.
    public var name: String
    /// The seed of the run.
    public var seed: UInt64
    /// The number of inputs before it.
    public var index: Int
    /// The reason of the failure.
    public var reason: String

    /// The reason of the failure, and the values to repeat it.
    public var description: String {
      """
      \(reason)
      Input \(index) of “\(name)”. To see it again: run its test with ISSUES_SEED=\(seed)\
      \(runsFullTests ? " ISSUES_FULL_TESTS=1" : "")
      """
    }
  }

  /// The test's name, which also seeds its inputs.
  public let name: String
  /// The seed of the run.
  public let seed: UInt64
  /// The number of inputs.
  public let iterations: Int

  /// Creates a test.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - iterations: The number of inputs of an ordinary run.
  public init(_ name: String, iterations: Int = 500) {
    self.init(
      name, seed: chosenSeed ?? 2026, iterations: runsFullTests ? 10 * iterations : iterations)
  }

  /// The length in bytes of inputs whose steps are counted: their square would take longer than a test may.
  public static let longLength = runsFullTests ? 1 << 18 : 1 << 15

  init(_ name: String, seed: UInt64, iterations: Int) {
    self.name = name
    self.seed = seed
    self.iterations = iterations
  }

  /// Tries inputs until one fails.
  ///
  /// - Parameter body: Makes an input, and throws if it lacks the property: see ``check(_:_:)``.
  /// - Returns: The first failure; nil if there is none.
  public func run(_ body: (inout FuzzSource) throws -> Void) -> Failure? {
    for index in 0..<iterations {
      // Each input has its own seed, independent of the numbers used by the inputs before it.
      var mixer = FuzzSource(seed: seed ^ StableHash.of(name) &+ UInt64(index))
      var source = FuzzSource(seed: mixer.next())
      do {
        try body(&source)
      } catch {
        return Failure(name: name, seed: seed, index: index, reason: "\(error)")
      }
    }
    return nil
  }
}

/// The error of ``check(_:_:)``.
public struct Mismatch: Error, CustomStringConvertible {
  /// The reason of the failure.
  public let description: String

  /// Creates a mismatch.
  public init(_ description: String) { self.description = description }
}

/// Throws unless a condition holds.
///
/// - Parameters:
///   - condition: The condition.
///   - reason: The problem, with the input.
/// - Throws: ``Mismatch``.
public func check(
  _ condition: Bool, _ reason: @autoclosure () -> String
) throws(Mismatch) {
  guard condition else { throw Mismatch(reason()) }
}
