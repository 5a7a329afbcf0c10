internal import ArgumentParser
internal import IssueTracker
internal import StyledText

/// The search of `issues inbox done --where`. The values of one qualifier are alternatives; different qualifiers must
/// all match.
struct InboxQuery: Sendable, Hashable {
  private enum Qualifier: String, CaseIterable {
    case repo
    case org
    case reason
    case kind = "is"
  }

  /// The kinds of subjects in GitHub's own search, by their names in the API.
  private static let kinds = [
    "issue": "Issue", "pr": "PullRequest", "discussion": "Discussion", "release": "Release",
    "commit": "Commit", "check-suite": "CheckSuite",
  ]

  /// The qualifiers, for the help.
  static let names = "repo:, org:, reason: and is: (\(kinds.keys.sorted().joined(separator: ", ")))"

  private var wanted: [Qualifier: Set<String>] = [:]
  private var excluded: [Qualifier: Set<String>] = [:]

  /// - Throws: A usage error that names the qualifiers, because a mistake would change the wrong notifications.
  init(parsing text: String) throws {
    let words: [QueryWord]
    do throws(InvalidInput) {
      words = try QueryWord.words(of: text)
    } catch {
      throw ValidationError("--where: \(error.message)")
    }
    guard !words.isEmpty else {
      throw ValidationError("--where requires a search: for all notifications use --all.")
    }
    for word in words {
      let isExcluding = word.name.hasPrefix("-")
      let value = word.value.lowercased()
      guard let qualifier = Qualifier(rawValue: word.name.replacing("-", with: "")), !value.isEmpty,
        qualifier != .kind || Self.kinds[value] != nil
      else {
        throw ValidationError(
          "--where can't search notifications for '\(TerminalText("\(word)"))': use \(Self.names).")
      }
      if isExcluding {
        excluded[qualifier, default: []].insert(value)
      } else {
        wanted[qualifier, default: []].insert(value)
      }
    }
  }

  func matches(_ notification: GitHub.Notification) -> Bool {
    func has(_ qualifier: Qualifier, _ values: Set<String>) -> Bool {
      let name = notification.repository?.fullName.lowercased() ?? ""
      return switch qualifier {
      case .repo: values.contains(name)
      case .org: values.contains { name.hasPrefix("\($0)/") }
      case .reason: values.contains(notification.reason?.lowercased() ?? "")
      case .kind: values.contains { Self.kinds[$0] == notification.kind }
      }
    }
    return wanted.allSatisfy(has) && !excluded.contains(where: has)
  }
}
