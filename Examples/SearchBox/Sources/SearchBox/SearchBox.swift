public import Reactive

/// A search box: the text in it, what was found for it, and what is still being looked for.
public struct SearchBox: Equatable, Sendable {
  /// What happens to a search box.
  public enum Event: Equatable, Sendable {
    /// Somebody typed; the text is the whole.
    case typed(String)
    /// The search for the text came to an end.
    case found([String])
  }

  /// What is in the box.
  public var text = ""
  /// What was found for it; nil as long as that isn't known.
  public var results: [String]? = []

  /// Creates an empty box.
  public init() {}

  /// The text to look for, nil when there is nothing to do.
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

  /// Makes the loop that fills a box: it waits until nothing was typed for a moment, then searches.
  ///
  /// - Parameters:
  ///   - typing: the texts as they are typed.
  ///   - clock: measures the moment.
  ///   - find: searches. It is cancelled when something else is typed meanwhile.
  /// - Returns: the loop, whose states are boxes.
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
