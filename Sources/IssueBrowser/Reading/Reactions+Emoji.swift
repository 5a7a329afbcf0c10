internal import IssueTracker

extension Reactions.Kind {
  /// The picture that GitHub shows for it.
  var emoji: String {
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
