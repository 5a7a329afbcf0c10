/// The rights of a token's owner in the repositories of a loopback GitHub.
///
/// https://docs.github.com/en/organizations/managing-user-access-to-your-organizations-repositories/managing-repository-roles/repository-roles-for-an-organization
public enum LoopbackPermission: String, Sendable, CaseIterable, Comparable {
  /// Only reading: every write gets a 403.
  case noAccess = "no-access"
  /// The rights of every user: open issues, comment on them, and change one's own. Labels, assignees, milestone
  /// and type are silently dropped.
  case read
  /// Close, edit and label issues of others. Labels, assignees, milestone and type in a creation or an update are still
  /// dropped.
  case triage
  /// Everything but the rights of ``admin``.
  case write
  /// Delete issues, too.
  case admin

  /// Whether the first right is weaker.
  public static func < (first: LoopbackPermission, second: LoopbackPermission) -> Bool {
    first.rank < second.rank
  }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The treatment of line ends in sent titles and bodies.
public enum LoopbackLineEnds: String, Sendable, CaseIterable {
  /// They stay as sent, as with GitHub's API (https://github.com/actions/runner/issues/1462).
  case kept
  /// Each becomes CR LF, as when a browser sends the text.
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
