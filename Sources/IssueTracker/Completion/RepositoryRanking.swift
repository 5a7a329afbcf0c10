/// Orders names of repositories by how well they fit what somebody has typed.
///
/// A name that begins with it comes first, with or without its host; then one whose last part, the
/// repository's own name, does; then one in which a word does; then one that has it anywhere. Among equals
/// the source decides (``RepositoryCandidate/Source``), and then the order in which they were given: the most
/// recent first, or the search's best.
///
/// Case doesn't matter, and a name that comes in two spellings is given once.
public struct RepositoryRanking: Sendable {
  /// How a name fits.
  enum Fit: Int, Comparable {
    case start, ownName, word, anywhere

    static func < (left: Fit, right: Fit) -> Bool { left.rawValue < right.rawValue }
  }

  private let query: [UInt8]

  /// Creates the order for a text; the empty one fits every name.
  public init(for text: String) {
    query = Self.folded(text)
  }

  /// Returns the names that fit, best first, with the place of the match in each.
  public func ranked(
    _ candidates: [RepositoryCandidate]
  ) -> [(candidate: RepositoryCandidate, match: Range<String.Index>)] {
    var seen: Set<[UInt8]> = []
    let bySource = candidates.enumerated().sorted {
      ($0.element.source, $0.offset) < ($1.element.source, $1.offset)
    }
    let fitting = bySource.compactMap { _, candidate in
      seen.insert(Self.folded(candidate.name)).inserted
        ? match(in: candidate.name).map { (candidate, $0.fit, $0.range) } : nil
    }
    return fitting.enumerated()
      .sorted { ($0.element.1, $0.offset) < ($1.element.1, $1.offset) }
      .map { ($0.element.0, $0.element.2) }
  }

  /// How a name fits, and where; nil where it doesn't.
  func match(in name: String) -> (fit: Fit, range: Range<String.Index>)? {
    guard !query.isEmpty else { return (.start, name.startIndex..<name.startIndex) }
    let bytes = Array(name.utf8)
    let folded = Self.folded(name)
    let last = bytes.count - query.count
    guard last >= 0 else { return nil }
    let slashes = bytes.indices.filter { bytes[$0] == UInt8(ascii: "/") }
    let best = (0...last).lazy
      .filter { folded[$0..<($0 + query.count)].elementsEqual(query) }
      .map { (fit: Self.fit(of: $0, in: bytes, slashes), start: $0) }
      .min { ($0.fit, $0.start) < ($1.fit, $1.start) }
    guard let best else { return nil }
    let start = name.utf8.index(name.startIndex, offsetBy: best.start)
    return (best.fit, start..<name.utf8.index(start, offsetBy: query.count))
  }

  private static func fit(of start: Int, in bytes: [UInt8], _ slashes: [Int]) -> Fit {
    // What follows the host is the owner.
    if start == 0 || slashes.count > 1 && start == slashes[slashes.count - 2] + 1 { return .start }
    if start - 1 == slashes.last { return .ownName }
    let (before, first) = (bytes[start - 1], bytes[start])
    return !before.isLetterOrDigit || before.isLowercase && first.isUppercase ? .word : .anywhere
  }

  /// The text in lower case. Names are ASCII, so that every byte keeps its place.
  private static func folded(_ text: String) -> [UInt8] {
    text.utf8.map { $0.isUppercase ? $0 | 0x20 : $0 }
  }
}

extension UInt8 {
  fileprivate var isUppercase: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
  fileprivate var isLowercase: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
  fileprivate var isLetterOrDigit: Bool {
    isUppercase || isLowercase || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
      || self >= 0x80
  }
}
