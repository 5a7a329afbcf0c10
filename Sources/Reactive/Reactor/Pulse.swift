/// A value in a state whose assignments count, not its changes: an alert to show, a page to open.
///
/// ```swift
/// struct State { @Pulse var alert: String? }
///
/// for await alert in reactor.pulse(\.$alert) { … }
/// ```
///
/// Setting the same alert a second time shows it a second time, and no other change of the state does.
@propertyWrapper
public struct Pulse<Value: Sendable>: Sendable {
  /// Represents one assignment. It is an object and not a number, because a new state would count from the
  /// start again and hide an assignment behind an earlier one.
  fileprivate final class Assignment: Sendable {}

  /// Nil until the first.
  fileprivate var assignment: Assignment?

  /// The value. Setting it, or changing it in place, is an assignment.
  public var wrappedValue: Value {
    didSet { assignment = Assignment() }
  }

  /// The value with its assignments, for ``Reactor/pulse(_:)``.
  public var projectedValue: Self { self }

  /// Creates a pulse that was not assigned yet.
  public init(wrappedValue: Value) {
    self.wrappedValue = wrappedValue
  }
}

extension Pulse: Equatable where Value: Equatable {
  /// Whether both hold equal values from the same assignment.
  public static func == (left: Self, right: Self) -> Bool {
    left.assignment === right.assignment && left.wrappedValue == right.wrappedValue
  }
}

extension Reactor {
  /// The value of a pulse now, and then at each assignment, equal or not, until the reactor is dropped.
  ///
  /// The present value comes first, so that no assignment before the watcher is lost. A watcher that subscribes
  /// twice therefore gets the last assignment twice.
  public func pulse<Value>(
    _ path: any KeyPath<State, Pulse<Value>> & Sendable
  ) -> some AsyncSequence<Value, Never> & Sendable {
    let pulses = state.map { $0[keyPath: path] }
    return AsyncRemoveDuplicatesSequence(base: pulses) { $0.assignment === $1.assignment }
      .map { $0.wrappedValue }
  }
}
