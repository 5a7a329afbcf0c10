#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A property that is tried on many random inputs.
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
/// The inputs are the same in every run. `ISSUES_FUZZ_SEED` in the environment gives others, and
/// `ISSUES_FUZZ_ITERATIONS` another number of them; a failure says with what it comes again.
public struct FuzzTest: Sendable {
  /// The first input that didn't have the property.
  public struct Failure: Error, Equatable, CustomStringConvertible {
    /// The name of the test.
    public var name: String
    /// The seed of the run.
    public var seed: UInt64
    /// How many inputs came before.
    public var index: Int
    /// What was wrong.
    public var reason: String

    /// What was wrong, and how to see it again.
    public var description: String {
      """
      \(reason)
      Input \(index) of “\(name)”. To see it again: \
      ISSUES_FUZZ_SEED=\(seed) ISSUES_FUZZ_ITERATIONS=\(index + 1) swift test --filter FuzzTests
      """
    }
  }

  /// The test's name, by which it gets other inputs than the others.
  public let name: String
  /// The seed of the run.
  public let seed: UInt64
  /// How many inputs are tried.
  public let iterations: Int

  /// Creates a test.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - iterations: How many inputs are tried where the environment doesn't say.
  public init(_ name: String, iterations: Int = 500) {
    let environment = ProcessInfo.processInfo.environment
    self.init(
      name, seed: environment["ISSUES_FUZZ_SEED"].flatMap(UInt64.init) ?? 2026,
      iterations: environment["ISSUES_FUZZ_ITERATIONS"].flatMap(Int.init) ?? iterations)
  }

  /// How many bytes an input has by which steps are counted: so many that their square would take longer
  /// than a test may, and more where the environment asks for many inputs.
  public static let longLength: Int =
    (ProcessInfo.processInfo.environment["ISSUES_FUZZ_ITERATIONS"].flatMap(Int.init) ?? 0) < 5_000
    ? 1 << 15 : 1 << 18

  init(_ name: String, seed: UInt64, iterations: Int) {
    self.name = name
    self.seed = seed
    self.iterations = iterations
  }

  /// Tries one input after the other, until one fails.
  ///
  /// - Parameter body: Makes an input and throws when it doesn't have the property: see
  ///   ``check(_:_:)``.
  /// - Returns: The first failure; nil where there is none.
  public func run(_ body: (inout FuzzSource) throws -> Void) -> Failure? {
    for index in 0..<iterations {
      // Each input has a seed of its own: it doesn't depend on how much its predecessors used up.
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

/// What ``check(_:_:)`` throws.
public struct Mismatch: Error, CustomStringConvertible {
  /// What was wrong.
  public let description: String

  /// Creates a mismatch.
  public init(_ description: String) { self.description = description }
}

/// Throws unless a condition holds.
///
/// - Parameters:
///   - condition: What ought to be.
///   - reason: What is, with the input in it.
/// - Throws: ``Mismatch``.
public func check(
  _ condition: Bool, _ reason: @autoclosure () -> String
) throws(Mismatch) {
  guard condition else { throw Mismatch(reason()) }
}
