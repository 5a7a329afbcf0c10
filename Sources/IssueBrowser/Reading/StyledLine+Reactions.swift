internal import IssueTracker
internal import StyledText

extension StyledLine {
  /// How people reacted, `👍 2  ❤️ 1`; nil where nobody did.
  init?(_ reactions: Reactions?) {
    guard let counts = reactions?.counts, !counts.isEmpty else { return nil }
    let texts = Reactions.Kind.allCases.compactMap { kind in
      counts[kind].map { "\(kind.emoji) \($0)" }
    }
    self.init(texts.joined(separator: "  "))
  }
}

extension Reactions.Kind {
  /// The picture that GitHub shows for it.
  fileprivate var emoji: String {
    switch self {
    case .thumbsUp: "👍"
    case .thumbsDown: "👎"
    case .laugh: "😄"
    case .hooray: "🎉"
    case .confused: "😕"
    case .heart: "❤️"
    case .rocket: "🚀"
    case .eyes: "👀"
    }
  }
}
