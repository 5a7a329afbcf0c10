/// Where the token came from that goes with the requests.
enum TokenSource: Sendable, Hashable {
  /// A variable of the environment.
  case variable(String)

  /// GitHub's own command, which the user is logged in with.
  case gh

  /// The source in a word, for lists and other programs: `GH_TOKEN`, `gh`.
  var name: String {
    switch self {
    case .variable(let name): name
    case .gh: "gh"
    }
  }

  /// The token, in the words of a message: `the token in GH_TOKEN`.
  var token: String {
    switch self {
    case .variable(let name): "the token in \(name)"
    case .gh: "the token of gh"
    }
  }
}
