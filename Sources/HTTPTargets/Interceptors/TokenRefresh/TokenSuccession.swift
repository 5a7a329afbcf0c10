/// Which token took the place of which.
///
/// A request may carry a token that has been replaced meanwhile: it was prepared before, or by somebody
/// who doesn't know. Tokens are told apart, so that one user's never gets into the place of another's.
struct TokenSuccession: Sendable {
  /// The latest in the place of each that was replaced; nil stands for no token at all.
  private var successors: [AccessToken?: AccessToken] = [:]

  /// What to send in place of a token; nil when it is the latest itself.
  func successor(of token: AccessToken?) -> AccessToken? { successors[token] }

  /// A token has been replaced.
  mutating func replace(_ old: AccessToken?, by new: AccessToken) {
    guard old != new else { return }
    for (token, successor) in successors where successor == old { successors[token] = new }
    successors[old] = new
    // One that was replaced and is valid again.
    successors[new] = nil
  }
}
