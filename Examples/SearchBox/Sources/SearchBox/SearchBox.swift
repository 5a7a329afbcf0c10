public import Reactive

/// A search box: its text, the results, and the text being searched for.
public struct SearchBox: Equatable, Sendable {
  /// An event of a search box.
  public enum Event: Equatable, Sendable {
    /// The user typed. The value is the whole text.
    case typed(String)
    /// The search for the text ended.
    case found([String])
  }

  /// The text in the box.
  public var text = ""
  /// The results for the text; nil while they are unknown.
  public var results: [String]? = []

  /// Creates an empty box.
  public init() {}

  /// The text to search for; nil if there is nothing to do.
  var request: String? { results == nil ? text : nil }

  mutating func apply(_ event: Event) {
    switch event {
    case .typed(let text):
      self.text = text
      results = text.isEmpty ? [] : nil
    case .found(let results):
      self.results = results
    }
  }

  /// Makes the loop of a box: it waits until the user pauses, and then searches.
  ///
  /// - Parameters:
  ///   - typing: The texts as they are typed.
  ///   - clock: Measures the pause.
  ///   - find: Searches. It is canceled if the text changes meanwhile.
  /// - Returns: The loop, whose states are boxes.
  public static func loop(
    _ typing: some AsyncSequence<String, Never> & Sendable,
    clock: any Clock<Duration> = ContinuousClock(),
    find: @escaping @Sendable (_ text: String) async -> [String]
  ) -> FeedbackLoop<SearchBox, Event> {
    FeedbackLoop(
      initialState: SearchBox(), reduce: { $0.apply($1) },
      feedbacks: [
        .react(request: \.request) { text, emit in
          guard (try? await clock.sleep(for: .milliseconds(300))) != nil else { return }
          await emit(.found(await find(text)))
        },
        .events(typing.map { .typed($0) }),
      ])
  }
}
