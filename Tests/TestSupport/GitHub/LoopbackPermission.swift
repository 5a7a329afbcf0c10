/// What the owner of a token may do in the repositories of a loopback GitHub.
///
/// https://docs.github.com/en/organizations/managing-user-access-to-your-organizations-repositories/managing-repository-roles/repository-roles-for-an-organization
public enum LoopbackPermission: String, Sendable, CaseIterable, Comparable {
  /// Reading only: every write is answered with 403.
  case noAccess = "no-access"
  /// Anybody's: open issues, comment on them, and change one's own. Labels, assignees, milestone and type are
  /// dropped without a word.
  case read
  /// Close and edit issues of others, and label them; labels, assignees, milestone and type in a creation or an
  /// update are dropped all the same.
  case triage
  /// Everything but what ``admin`` may do.
  case write
  /// Deletes issues too.
  case admin

  /// Whether the first is the lesser right.
  public static func < (first: LoopbackPermission, second: LoopbackPermission) -> Bool {
    first.rank < second.rank
  }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// What becomes of the line ends in titles and bodies that are sent.
public enum LoopbackLineEnds: String, Sendable, CaseIterable {
  /// They stay as sent, as those that come by GitHub's API do
  /// (https://github.com/actions/runner/issues/1462).
  case kept
  /// Each becomes CR LF, as when somebody saves the text in a browser.
  case crlf
  /// Each becomes LF.
  case lf

  /// A text as the server keeps it.
  func applied(to text: String) -> String {
    let lines = text.replacing("\r\n", with: "\n")
    return switch self {
    case .kept: text
    case .crlf: lines.replacing("\n", with: "\r\n")
    case .lf: lines
    }
  }
}
