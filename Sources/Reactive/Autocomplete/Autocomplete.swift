/// Turns typed text into predictions.
///
/// ```swift
/// let autocomplete = Autocomplete(texts, debounce: .milliseconds(300)) { text in
///   try await names(like: text).compactMap { Prediction($0, matching: text, by: .wordPrefix) }
/// }
/// for await result in autocomplete.result { show(result) }
/// ```
///
/// - A newer text cancels the pause or call for the older one, and an answer to an older text never appears.
///   The provider is called once for each text that is followed by a pause, and not at all for the text whose
///   predictions are already shown.
/// - An error of the provider is a result like any other; the next text is handled as usual.
/// - It runs from its creation until it is released or the texts end. All observers see the same run.
public final class Autocomplete: Sendable {
  /// The predictions for a text, or the error.
  public typealias Answer = Result<[Prediction], any Error>

  private enum Event: Sendable {
    case waits
    case asks
    case answers(String, Answer)
  }

  private let answers: Current<Answer?>
  private let calls: Current<Bool>
  private let run: Task<Void, Never>

  /// Creates it, and begins to read the texts.
  ///
  /// - Parameters:
  ///   - texts: what was typed, whole, after each change.
  ///   - debounce: how long nothing must have been typed before the provider is asked; zero asks at once.
  ///   - minimumLength: how many characters a text needs. For a shorter one there are no predictions,
  ///     at once.
  ///   - clock: measures the pauses.
  ///   - provider: gives the predictions for a text, the best first. Its task is cancelled when nobody
  ///     wants them any more.
  public init(
    _ texts: some AsyncSequence<String, Never> & Sendable,
    debounce: Duration = .milliseconds(300),
    minimumLength: Int = 1,
    clock: any Clock<Duration> = ContinuousClock(),
    provider: @escaping @Sendable (_ text: String) async throws -> [Prediction]
  ) {
    let answers = Current<Answer?>(nil)
    /// The text whose predictions are shown.
    let shown = Current<String?>(nil)
    let calls = Current(false)
    (self.answers, self.calls) = (answers, calls)
    let events = texts.removeDuplicates().latest { (text, emit: @Sendable (Event) async -> Void) in
      guard text.count >= minimumLength else { return await emit(.answers(text, .success([]))) }
      if debounce > .zero {
        await emit(.waits)
        guard (try? await clock.sleep(for: debounce)) != nil else { return }
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

  /// The answer to the latest text that has one, and then each further answer.
  public var result: AsyncCompactMapSequence<Current<Answer?>.Values, Answer> {
    answers.values.compactMap { $0 }
  }

  /// Whether the provider is being asked: as it is, and then each change; false before the answer shows.
  public var isBusy: Current<Bool>.Values { calls.values }
}

/// A text that may be meant by what was typed, and where it matches.
public struct Prediction: Hashable, Sendable {
  /// The text to offer.
  public let text: String

  /// The parts of ``text`` that match what was typed: in order, apart from each other, none empty.
  ///
  /// They are indices of this very text, whatever the matching folded away.
  public let ranges: [Range<String.Index>]

  /// Creates a prediction whose match is known already.
  ///
  /// - Parameters:
  ///   - text: the text to offer.
  ///   - ranges: the parts of `text` that match; none when it is offered for another reason.
  public init(_ text: String, ranges: [Range<String.Index>] = []) {
    self.text = text
    self.ranges = ranges
  }

  /// Creates a prediction when the text matches.
  ///
  /// ```swift
  /// let predictions = names.compactMap { Prediction($0, matching: "sw", by: .wordPrefix) }
  /// ```
  ///
  /// - Parameters:
  ///   - text: the text to offer.
  ///   - query: what was typed.
  ///   - match: what counts as a match.
  public init?(_ text: String, matching query: String, by match: TextMatch) {
    guard let ranges = match.ranges(of: query, in: text) else { return nil }
    self.init(text, ranges: ranges)
  }
}
