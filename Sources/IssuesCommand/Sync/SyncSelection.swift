internal import IssueMirror
internal import IssueTracker
internal import StyledText

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The repositories of a sync, as named on the command line.
struct SyncSelection: Sendable {
  /// Repositories, and patterns such as `swiftlang/swift-*`.
  var words: [String] = []
  var organizations: [Username] = []
  /// Those that the token's user owns or collaborates on.
  var includesOwn = false
  var includesStarred = false

  /// Whether names stand for repositories that a server has to list.
  var needsLists: Bool {
    !organizations.isEmpty || includesOwn || includesStarred
      || words.contains(where: RepositoryPattern.isPattern)
  }

  var isEmpty: Bool { words.isEmpty && !needsLists }

  /// Those that were never synced before all others, then the ones that were synced longest ago. Of equals, the order
  /// stays.
  static func stalestFirst(
    _ places: [Place], among mirrored: [MirroredRepository]
  ) -> [Place] {
    var checked: [String: Date] = [:]
    for repository in mirrored {
      checked["\(repository.host)/\(repository.fullName)".lowercased()] = repository.checkedAt
    }
    func key(_ place: (offset: Int, element: Place)) -> (Date, Int) {
      let name = "\(place.element.server.host)/\(place.element.name)".lowercased()
      return (checked[name] ?? .distantPast, place.offset)
    }
    return places.enumerated().sorted { key($0) < key($1) }.map(\.element)
  }
}

/// A pattern for the names of one owner's repositories, as a shell's for files: `swiftlang/swift-*`.
struct RepositoryPattern: Sendable, Hashable {
  let host: String?
  let owner: String
  let pattern: String

  static func isPattern(_ word: String) -> Bool {
    !word.contains("://") && word.contains { "*?[".contains($0) }
  }

  /// - Throws: A failure unless the owner is a name, without wildcards.
  init(_ word: String) throws(CommandFailure) {
    // Before the last slash must be what may stand before a name.
    let end = word.lastIndex(of: "/") ?? word.startIndex
    guard let reference = try? RepositoryReference(parsing: word[..<end] + "/x") else {
      throw CommandFailure(
        .usage,
        "'\(TerminalText(word))' is no pattern of repositories\nA pattern is [HOST/]OWNER/NAME, "
          + "with *, ? or [] in NAME only.")
    }
    host = reference.host
    owner = reference.name.owner
    pattern = word[word.index(after: end)...].lowercased()
  }

  func matches(_ name: RepositoryName) -> Bool {
    guard name.owner.lowercased() == owner.lowercased() else { return false }
    return unsafe fnmatch(pattern, name.name.lowercased(), 0) == 0
  }
}
