/// The reactions to an issue or a comment. See
/// <https://docs.github.com/en/rest/reactions/reactions#about-reactions>.
public struct Reactions: Hashable, Sendable {
  /// A kind of reaction.
  public enum Kind: String, CodingKey, CaseIterable, Hashable, Sendable, Codable {
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

    /// The REST API's spelling.
    public var description: String { rawValue }
  }

  /// The number of reactions of each kind. A missing kind means 0.
  public var counts: [Kind: Int]

  /// Creates reactions.
  public init(counts: [Kind: Int] = [:]) {
    self.counts = counts.filter { $0.value > 0 }
  }

  /// The total number of reactions, at most `Int.max`.
  public var total: Int {
    counts.values.reduce(0) { sum, count in
      let (total, overflows) = sum.addingReportingOverflow(count)
      return overflows ? .max : total
    }
  }
}

extension Reactions: Codable {
  private enum Summary: String, CodingKey {
    case total = "total_count"
  }

  /// Decodes the server's counts. A missing kind means 0.
  public init(from decoder: any Decoder) throws {
    // Most issues have no reactions. If the total is 0, the kinds needn't be decoded.
    let summary = try decoder.container(keyedBy: Summary.self)
    guard try summary.decodeIfPresent(Int.self, forKey: .total) != 0 else {
      self.init()
      return
    }
    let container = try decoder.container(keyedBy: Kind.self)
    var counts: [Kind: Int] = [:]
    for kind in Kind.allCases {
      counts[kind] = try container.decodeIfPresent(Int.self, forKey: kind)
    }
    self.init(counts: counts)
  }

  /// Encodes every kind and the total.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Kind.self)
    for kind in Kind.allCases { try container.encode(counts[kind] ?? 0, forKey: kind) }
    var summary = encoder.container(keyedBy: Summary.self)
    try summary.encode(total, forKey: .total)
  }
}
