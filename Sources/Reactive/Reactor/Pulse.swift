/// A value in a state for which assignments matter instead of changes, such as an alert to show or a page to open.
///
/// ```swift
/// struct State { @Pulse var alert: String? }
///
/// for await alert in reactor.pulse(\.$alert) { … }
/// ```
///
/// Setting the same alert again shows it again, but other changes of the state don't.
@propertyWrapper
public struct Pulse<Value: Sendable>: Sendable {
  /// An assignment. It is an object, because a number would start again at zero in a new state, and hide an assignment.
  fileprivate final class Assignment: Sendable {}

  fileprivate var assignment: Assignment?

  /// The value. Setting it or changing it in place counts as an assignment.
  public var wrappedValue: Value {
    didSet { assignment = Assignment() }
  }

  /// The value with its assignments, for ``Reactor/pulse(_:)``.
  public var projectedValue: Self { self }

  /// Creates a pulse without an assignment.
  public init(wrappedValue: Value) {
    self.wrappedValue = wrappedValue
  }
}

extension Pulse: Equatable where Value: Equatable {
  /// Whether both have equal values from the same assignment.
  public static func == (left: Self, right: Self) -> Bool {
    left.assignment === right.assignment && left.wrappedValue == right.wrappedValue
  }
}

extension Reactor {
  /// The current value of a pulse, followed by the value of each assignment, equal or not, until the reactor is
  /// released.
  ///
  /// The current value comes first, so that an observer doesn't miss an earlier assignment. An observer that subscribes
  /// twice receives the last assignment twice.
  public func pulse<Value>(
    _ path: any KeyPath<State, Pulse<Value>> & Sendable
  ) -> some AsyncSequence<Value, Never> & Sendable {
    let pulses = allStates.map { $0[keyPath: path] }
    return AsyncRemoveDuplicatesSequence(base: pulses) { $0.assignment === $1.assignment }
      .map { $0.wrappedValue }
  }
}
