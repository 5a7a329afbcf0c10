internal import GitHubAPI
public import Reactive

/// Ranks names of repositories by how well they match typed text.
///
/// Names that begin with the text come first, with or without their host; then names whose last part, the
/// repository's own name, begins with it; then names in which words begin with it; then names that contain it
/// anywhere (``Reactive/TextMatch``). Equal matches are ordered by source (``RepositoryCandidate/Source``), and
/// then in the given order: the most recent first, or the search's best.
public struct RepositoryRanking: Sendable {
  private let text: String

  /// Creates the ranking for a text. An empty text matches every name.
  public init(for text: String) {
    self.text = text
  }

  /// Returns the matching names, best first. Names that differ only in case are returned once.
  public func predictions(of candidates: [RepositoryCandidate]) -> [Prediction] {
    var seen: Set<String> = []
    let fitting = candidates.enumerated()
      .sorted { ($0.element.source, $0.offset) < ($1.element.source, $1.offset) }
      .filter { seen.insert($0.element.name.lowercased()).inserted }
      .compactMap { match(in: $0.element.name) }
    return fitting.enumerated()
      .sorted { ($0.element.fit, $0.offset) < ($1.element.fit, $1.offset) }
      .map(\.element.prediction)
  }

  /// The quality of a match, 0 being best, and its position; nil for no match.
  private func match(in name: String) -> (fit: Int, prediction: Prediction)? {
    let parts = name.indices.filter { name[$0] == "/" }.map { name.index(after: $0) }
    var places: [(match: TextMatch, start: String.Index, fit: Int)] = [
      (.prefix, name.startIndex, 0), (.prefix, parts.last ?? name.startIndex, 1),
      (.wordPrefix, name.startIndex, 2), (.anywhere, name.startIndex, 3),
    ]
    // The owner follows the host.
    if parts.count > 1 { places.insert((.prefix, parts[parts.count - 2], 0), at: 1) }
    for place in places {
      let tail = String(name[place.start...])
      guard let ranges = place.match.ranges(of: text, in: tail) else { continue }
      let own = ranges.map { range in
        let start = Self.index(range.lowerBound, of: tail, in: name, from: place.start)
        return start..<Self.index(range.upperBound, of: tail, in: name, from: place.start)
      }
      return (place.fit, Prediction(name, ranges: own))
    }
    return nil
  }

  /// Converts an index of the end of a name to an index of the whole name.
  private static func index(
    _ index: String.Index, of tail: String, in name: String, from start: String.Index
  ) -> String.Index {
    name.utf8.index(start, offsetBy: tail.utf8.distance(from: tail.startIndex, to: index))
  }
}

/// The name of a repository that may match typed text.
public struct RepositoryCandidate: Hashable, Sendable {
  /// The source of a name. Earlier cases are more likely to be meant.
  public enum Source: Int, Hashable, Sendable, Comparable {
    /// The user looked at it recently.
    case recent
    /// The user owns it, or takes part in it.
    case own
    /// GitHub's search finds it.
    case search

    /// Whether a source is more likely than another.
    public static func < (left: Source, right: Source) -> Bool { left.rawValue < right.rawValue }
  }

  /// The name in the form to type: `OWNER/REPO`, perhaps with the host in front.
  public let name: String
  /// The source of the name.
  public let source: Source

  /// Creates a candidate.
  public init(name: String, source: Source) {
    self.name = name
    self.source = source
  }
}
