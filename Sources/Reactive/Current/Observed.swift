public import Observation

/// The newest element of a sequence, for a view of SwiftUI or another observer of properties.
///
/// ```swift
/// struct SearchList: View {
///   @State var search = Observed(loop, initially: Search())
///
///   var body: some View { List(search.value.names, id: \.self) { Text($0) } }
/// }
/// ```
///
/// It reads the sequence from its creation until it is released or the sequence ends. Elements that follow each other
/// while the main actor is busy are skipped if the sequence skips them, such as ``Reactor/state``.
@MainActor @Observable
public final class Observed<Value: Sendable> {
  /// The newest element, or the initial value before the first.
  public private(set) var value: Value
  @ObservationIgnored private var reading: Task<Void, Never>?

  /// Starts to read a sequence, such as a ``FeedbackLoop``, ``Reactor/state`` or ``Current/values``.
  ///
  /// - Parameters:
  ///   - elements: the elements.
  ///   - value: the value before the first element.
  public init(_ elements: some AsyncSequence<Value, Never> & Sendable, initially value: Value) {
    self.value = value
    reading = Task { [weak self] in
      for await element in elements {
        guard let self else { return }
        self.value = element
      }
    }
  }

  deinit {
    reading?.cancel()
  }
}
