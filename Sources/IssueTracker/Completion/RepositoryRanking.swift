internal import GitHubAPI
public import Reactive

/// Ranks repository names by their similarity to typed text.
///
/// Names that begin with the text come first, with or without the host. They are followed by names whose repository
/// part begins with the text, names with words that begin with it, and names that contain it anywhere
/// (``/Reactive/TextMatch``). Equal matches are ordered by ``RepositoryCandidate/Source``, and then in the given order.
public struct RepositoryRanking: Sendable {
  private let text: String

  /// Creates a ranking for typed text. Empty text matches every name.
  public init(for text: String) {
    self.text = text
  }

  /// Returns the matching names, best match first. Names that differ only in case are returned once.
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

  /// The match in a name. A lower `fit` is better.
  private func match(in name: String) -> (fit: Int, prediction: Prediction)? {
    let parts = name.indices.filter { name[$0] == "/" }.map { name.index(after: $0) }
    var places: [(match: TextMatch, start: String.Index, fit: Int)] = [
      (.prefix, name.startIndex, 0), (.prefix, parts.last ?? name.startIndex, 1),
      (.wordPrefix, name.startIndex, 2), (.anywhere, name.startIndex, 3),
    ]
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

  private static func index(
    _ index: String.Index, of tail: String, in name: String, from start: String.Index
  ) -> String.Index {
    name.utf8.index(start, offsetBy: tail.utf8.distance(from: tail.startIndex, to: index))
  }
}

/// The name of a repository that may match typed text.
public struct RepositoryCandidate: Hashable, Sendable, Identifiable {
  /// The source of a name, in descending order of likelihood.
  public enum Source: Int, Hashable, Sendable, Comparable {
    /// The repositories that the user looked at recently.
    case recent
    /// The repositories that the user owns, or can access as a collaborator or a member.
    case own
    /// The results of GitHub's search.
    case search

    /// Whether the left source is likelier than the right one.
    public static func < (left: Source, right: Source) -> Bool { left.rawValue < right.rawValue }
  }

  /// The name as the user would type it: `OWNER/REPO`, optionally preceded by a host.
  public let name: String
  /// The source of the name.
  public let source: Source

  /// Creates a candidate.
  public init(name: String, source: Source) {
    self.name = name
    self.source = source
  }

  /// The name.
  public var id: String { name }
}
