/// How many people reacted to an issue or a comment, and how.
///
/// See <https://docs.github.com/en/rest/reactions/reactions#about-reactions>.
public struct Reactions: Hashable, Sendable {
  /// A way to react.
  public enum Kind: String, CodingKey, CaseIterable, Hashable, Sendable {
    /// 👍
    case thumbsUp = "+1"
    /// 👎
    case thumbsDown = "-1"
    /// 😄
    case laugh
    /// 🎉
    case hooray
    /// 😕
    case confused
    /// ❤️
    case heart
    /// 🚀
    case rocket
    /// 👀
    case eyes
  }

  /// How many there are of each kind; a kind that isn't there has none.
  public var counts: [Kind: Int]

  /// Makes reactions.
  public init(counts: [Kind: Int] = [:]) {
    self.counts = counts.filter { $0.value > 0 }
  }

  /// How many there are of all kinds.
  public var total: Int { counts.values.reduce(0, +) }
}

extension Reactions: Codable {
  private enum Summary: String, CodingKey {
    case total = "total_count"
  }

  /// Decodes what a server counts; of a kind that it doesn't name there are none.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Kind.self)
    var counts: [Kind: Int] = [:]
    for kind in container.allKeys { counts[kind] = try container.decode(Int.self, forKey: kind) }
    self.init(counts: counts)
  }

  /// Encodes every kind, and the total.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Kind.self)
    for kind in Kind.allCases { try container.encode(counts[kind] ?? 0, forKey: kind) }
    var summary = encoder.container(keyedBy: Summary.self)
    try summary.encode(total, forKey: .total)
  }
}
