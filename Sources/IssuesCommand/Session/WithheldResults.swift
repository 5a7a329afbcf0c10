internal import ConcurrencyPrimitives
internal import IssueTracker

/// The organizations whose data is missing from a list, because the token isn't authorized for their single sign-on.
final class WithheldResults: Sendable {
  private let organizations = Locked<Set<Int64>>([])

  /// Records the organizations in responses.
  var plugin: Plugin {
    .singleSignOn { [organizations] finding in
      if case .partialResults(let ids) = finding {
        organizations.withLock { $0.formUnion(ids) }
      }
    }
  }

  /// The reason that a list is incomplete. The command fails after the rows are shown, because the list would otherwise
  /// look complete.
  var failure: CommandFailure? {
    let ids = organizations.withLock { $0.sorted() }
    guard !ids.isEmpty else { return nil }
    let names = ids.prefix(10).map(String.init).joined(separator: ", ")
    let noun = ids.count == 1 ? "1 organization" : "\(ids.count) organizations"
    return CommandFailure(
      .badCredentials,
      """
      the list is incomplete: single sign-on withholds the issues of \(noun) (id \(names)) from this token
      Authorize the token under 'Configure SSO' in the server's token settings, or log in with 'gh auth refresh'.
      """)
  }
}
