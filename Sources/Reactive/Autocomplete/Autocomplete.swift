/// Converts typed text to items that complete it, such as ``Prediction``s or values of the program's own type.
///
/// ```swift
/// let autocomplete = Autocomplete(texts, debounce: .milliseconds(300)) { text in
///   try await names(like: text).compactMap { Prediction($0, matching: text, by: .wordPrefix) }
/// }
/// for await result in autocomplete.result { show(result) }
/// ```
///
/// - Newer text cancels the pause or the call for the older text, whose result never appears. The provider is called
///   once for each text that is followed by a pause, but not for text whose items are already shown.
/// - An error of the provider is a result like any other, and the next text is handled as usual.
/// - The autocomplete runs from its creation until it is released or the texts end. All observers share one run.
public final class Autocomplete<Item: Sendable>: Sendable {
  /// The items for a text, or the error.
  public typealias Answer = Result<[Item], any Error>

  private enum Event: Sendable {
    case waits
    case asks
    case answers(String, Answer)
  }

  private let answers: Current<Answer?>
  private let calls: Current<Bool>
  private let run: Task<Void, Never>

  /// Creates an autocomplete and starts reading the texts.
  ///
  /// - Parameters:
  ///   - texts: the entire text in the field, after each change.
  ///   - debounce: the pause in typing before the provider is called; zero calls it immediately.
  ///   - minimumLength: the minimum number of characters. Shorter text immediately results in no items.
  ///   - clock: measures the pauses.
  ///   - provider: returns the items for a text, best match first. Its task is canceled when they are no longer needed.
  public init(
    _ texts: some AsyncSequence<String, Never> & Sendable,
    debounce: Duration = .milliseconds(300),
    minimumLength: Int = 1,
    clock: any Clock<Duration> = ContinuousClock(),
    provider: @escaping @Sendable (_ text: String) async throws -> [Item]
  ) {
    let answers = Current<Answer?>(nil)
    let shown = Current<String?>(nil)
    let calls = Current(false)
    (self.answers, self.calls) = (answers, calls)
    let events = texts.removeDuplicates().latest { (text, emit: @Sendable (Event) async -> Void) in
      guard text.count >= minimumLength else { return await emit(.answers(text, .success([]))) }
      if debounce > .zero {
        await emit(.waits)
        guard (try? await clock.deadline(in: debounce)()) != nil else { return }
      }
      if text == shown.value { return await emit(.waits) }
      await emit(.asks)
      do {
        await emit(.answers(text, .success(try await provider(text))))
      } catch {
        await emit(.answers(text, .failure(error)))
      }
    }
    run = Task {
      for await event in events {
        if case .asks = event { calls.change(to: true) } else { calls.change(to: false) }
        if case .answers(let text, let answer) = event {
          shown.set((try? answer.get()) == nil ? nil : text)
          answers.set(answer)
        }
      }
      calls.change(to: false)
      calls.finish()
      answers.finish()
    }
  }

  deinit {
    run.cancel()
  }

  /// The latest result, followed by each new one.
  public var result: some AsyncSequence<Answer, Never> & Sendable {
    answers.values.all.compactMap { $0 }
  }

  /// Whether the provider is being called: the current value, followed by each change. It becomes false before the
  /// result appears.
  public var isBusy: some AsyncSequence<Bool, Never> & Sendable { calls.values.all }
}

/// Text that the user may intend, with the ranges that match the typed text.
public struct Prediction: Hashable, Sendable, Identifiable {
  /// The text to offer.
  public let text: String

  /// The text. A list should therefore offer each text only once.
  public var id: String { text }

  /// The parts of ``text`` that match the query: in order, not empty, and without overlap.
  ///
  /// The indices are those of this string, even if matching folds characters.
  public let ranges: [Range<String.Index>]

  /// Creates a prediction with known ranges.
  ///
  /// - Parameters:
  ///   - text: the text to offer.
  ///   - ranges: the matching parts of `text`; empty if it is offered for another reason.
  public init(_ text: String, ranges: [Range<String.Index>] = []) {
    self.text = text
    self.ranges = ranges
  }

  /// Creates a prediction if the text matches; otherwise returns nil.
  ///
  /// ```swift
  /// let predictions = names.compactMap { Prediction($0, matching: "sw", by: .wordPrefix) }
  /// ```
  ///
  /// - Parameters:
  ///   - text: the text to offer.
  ///   - query: the typed text.
  ///   - match: the kind of match.
  public init?(_ text: String, matching query: String, by match: TextMatch) {
    guard let ranges = match.ranges(of: query, in: text) else { return nil }
    self.init(text, ranges: ranges)
  }
}
