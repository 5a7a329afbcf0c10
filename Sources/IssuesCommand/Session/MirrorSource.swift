internal import ArgumentParser
internal import IssueMirror
internal import IssueTracker
internal import PlatformModules
internal import StyledText

/// A name for a set of repositories to mirror.
enum MirrorSource: Sendable, Hashable {
  case repository(RepositoryReference)
  case pattern(RepositoryPattern)
  case organization(Username)
  /// The repositories that the token's user owns or collaborates on.
  case own
  case starred

  /// Reads `apple/swift`, `apple/swift-*`, `org:apple`, `mine` or `starred`.
  init(_ word: String) throws {
    if word == "mine" {
      self = .own
    } else if word == "starred" {
      self = .starred
    } else if word.hasPrefix("org:") {
      self = .organization(try ValueReader.username(String(word.dropFirst(4))))
    } else if RepositoryPattern.isPattern(word) {
      self = .pattern(try RepositoryPattern(word))
    } else {
      let reference = try RepositoryReference(parsing: word)
      self = .repository(RepositoryReference(host: reference.host, name: reference.name))
    }
  }

  /// The source in the form of the configuration.
  var word: String {
    switch self {
    case .repository(let reference): "\(reference)"
    case .pattern(let pattern): "\(pattern)"
    case .organization(let name): "org:\(name.login)"
    case .own: "mine"
    case .starred: "starred"
    }
  }

  /// Whether only a server can list its repositories.
  var isList: Bool {
    if case .repository = self { return false }
    return true
  }

  func isSame(as other: Self) -> Bool { word.lowercased() == other.word.lowercased() }
}

/// A pattern for repositories of one owner, like a shell's pattern for files: `swiftlang/swift-*`.
struct RepositoryPattern: Sendable, Hashable, CustomStringConvertible {
  let host: String?
  let owner: String
  let pattern: String

  static func isPattern(_ word: String) -> Bool {
    !word.contains("://") && word.contains { "*?[".contains($0) }
  }

  /// - Throws: A failure if the owner isn't a name or contains wildcards.
  init(_ word: String) throws(CommandFailure) {
    // The text before the last slash must be valid before a name.
    let end = word.lastIndex(of: "/") ?? word.startIndex
    guard let reference = try? RepositoryReference(parsing: word[..<end] + "/x") else {
      throw CommandFailure(
        .usage,
        "'\(TerminalText(word))' isn't a pattern of repositories\nA pattern is [HOST/]OWNER/NAME, "
          + "with *, ? or [] in NAME only.")
    }
    host = reference.host
    owner = reference.name.owner
    pattern = word[word.index(after: end)...].lowercased()
  }

  var description: String { (host.map { "\($0)/" } ?? "") + "\(owner)/\(pattern)" }

  func matches(_ name: RepositoryName) -> Bool {
    guard name.owner.lowercased() == owner.lowercased() else { return false }
    return unsafe fnmatch(pattern, name.name.lowercased(), 0) == 0
  }
}

/// The options that name sets of repositories.
struct MirrorSourceOptions: ParsableArguments {
  @Option(
    name: .customLong("org"),
    help: ArgumentHelp(
      "All repositories of an organization; repeat it for several.", valueName: "name"),
    completion: .custom(MirrorCompletion.owners),
    transform: ValueReader.username)
  var organizations: [Username] = []

  @Flag(
    name: [.long, .customLong("all-mine")],
    help: "Your repositories: those you own or collaborate on. You are the token's user.")
  var mine = false

  @Flag(help: "The repositories that the token's user has starred.")
  var starred = false

  var isEmpty: Bool { organizations.isEmpty && !mine && !starred }

  /// The sources in words, such as arguments, and in these options.
  func sources(_ words: [String]) throws -> [MirrorSource] {
    try words.map { try MirrorSource($0) } + organizations.map { .organization($0) }
      + (mine ? [.own] : []) + (starred ? [.starred] : [])
  }
}
