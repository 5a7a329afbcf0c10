internal import GitHubAPI
public import Reactive

/// Orders names of repositories by how well they fit what somebody has typed.
///
/// A name that begins with it comes first, with or without its host; then one whose last part, the
/// repository's own name, does; then one in which words do; then one that has it anywhere
/// (``Reactive/TextMatch``). Among equals the source decides (``RepositoryCandidate/Source``), and then the
/// order in which they were given: the most recent first, or the search's best.
public struct RepositoryRanking: Sendable {
  private let text: String

  /// Creates the order for a text; the empty one fits every name.
  public init(for text: String) {
    self.text = text
  }

  /// Returns the names that fit, best first. One that comes twice, in whatever case, is given once.
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

  /// How well a name fits, 0 being best, and where; nil where it doesn't.
  private func match(in name: String) -> (fit: Int, prediction: Prediction)? {
    let parts = name.indices.filter { name[$0] == "/" }.map { name.index(after: $0) }
    var places: [(match: TextMatch, start: String.Index, fit: Int)] = [
      (.prefix, name.startIndex, 0), (.prefix, parts.last ?? name.startIndex, 1),
      (.wordPrefix, name.startIndex, 2), (.anywhere, name.startIndex, 3),
    ]
    // What follows a host is the owner.
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

  /// Where a place in the end of a name is in the whole.
  private static func index(
    _ index: String.Index, of tail: String, in name: String, from start: String.Index
  ) -> String.Index {
    name.utf8.index(start, offsetBy: tail.utf8.distance(from: tail.startIndex, to: index))
  }
}

/// The name of a repository that may be the one that somebody is typing.
public struct RepositoryCandidate: Hashable, Sendable {
  /// Where a name is known from. What comes first is likelier to be meant.
  public enum Source: Int, Hashable, Sendable, Comparable {
    /// The user looked at it not long ago.
    case recent
    /// The user has it, or takes part in it.
    case own
    /// GitHub's search finds it.
    case search

    /// Whether a source is likelier than another.
    public static func < (left: Source, right: Source) -> Bool { left.rawValue < right.rawValue }
  }

  /// The name as it is typed: `OWNER/REPO`, or with the host in front.
  public let name: String
  /// Where it is known from.
  public let source: Source

  /// Creates a candidate.
  public init(name: String, source: Source) {
    self.name = name
    self.source = source
  }
}
