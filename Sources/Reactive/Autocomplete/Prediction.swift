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
