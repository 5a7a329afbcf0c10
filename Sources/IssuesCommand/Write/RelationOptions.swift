internal import ArgumentParser
internal import IssueOutbox
internal import IssueTracker

/// The options of `issues edit` that change an issue's relations to others. They have the names of `gh issue edit`.
struct RelationOptions: ParsableArguments {
  private static let other = "number"

  @Option(
    help: ArgumentHelp("Make this issue its sub-issue.", valueName: other),
    completion: .custom(MirrorCompletion.numberList))
  var addSubIssue: [String] = []

  @Option(
    help: ArgumentHelp("Make this sub-issue an issue of its own.", valueName: other),
    completion: .custom(MirrorCompletion.numberList))
  var removeSubIssue: [String] = []

  @Option(
    help: ArgumentHelp("Make it a sub-issue of this issue.", valueName: other),
    completion: .custom(MirrorCompletion.numbers))
  var parent: String?

  @Flag(help: "Remove it from its parent.")
  var removeParent = false

  @Flag(help: "Remove the sub-issue from another parent. It requires --parent or --add-sub-issue.")
  var replaceParent = false

  @Option(
    name: [.long, .customLong("blocked-by")],
    help: ArgumentHelp("Make it wait for this issue.", valueName: other),
    completion: .custom(MirrorCompletion.numberList))
  var addBlockedBy: [String] = []

  @Option(
    help: ArgumentHelp("Make it no longer wait for this issue.", valueName: other),
    completion: .custom(MirrorCompletion.numberList))
  var removeBlockedBy: [String] = []

  @Option(
    name: [.long, .customLong("blocking")],
    help: ArgumentHelp("Make this issue wait for it.", valueName: other),
    completion: .custom(MirrorCompletion.numberList))
  var addBlocking: [String] = []

  @Option(
    help: ArgumentHelp("Make this issue no longer wait for it.", valueName: other),
    completion: .custom(MirrorCompletion.numberList))
  var removeBlocking: [String] = []

  @Option(
    help: ArgumentHelp(
      "Move it after this other sub-issue of its parent.", valueName: other),
    completion: .custom(MirrorCompletion.numbers))
  var after: String?

  @Flag(help: "Make it the first sub-issue of its parent.")
  var first = false

  /// Whether the options change anything.
  var areGiven: Bool {
    parent != nil || removeParent || isMoved
      || !(addSubIssue + removeSubIssue + addBlockedBy + removeBlockedBy + addBlocking
        + removeBlocking).isEmpty
  }

  private var isMoved: Bool { after != nil || first }

  func validate() throws {
    guard after == nil || !first else { throw ValidationError("Choose --after or --first.") }
    guard !isMoved || !removeParent else {
      throw ValidationError("--after and --first keep the parent: leave out --remove-parent.")
    }
    guard parent == nil || !removeParent else {
      throw ValidationError("Choose --parent or --remove-parent.")
    }
    guard !replaceParent || parent != nil || !addSubIssue.isEmpty else {
      throw ValidationError("--replace-parent only makes sense with --parent or --add-sub-issue.")
    }
  }

  func requireOneIssue(_ isOne: Bool) throws {
    guard isOne || addSubIssue.isEmpty else {
      throw ValidationError(
        "--add-sub-issue is for one issue: a sub-issue has one parent. Use --parent for several issues."
      )
    }
    guard isOne || !isMoved else {
      throw ValidationError("--after and --first move one sub-issue: name one.")
    }
  }

  /// The changes that the options make to an issue, in the order of the help.
  func changes(
    to issue: NamedIssue,
    finding find: ([String]) async throws -> [NamedIssue]
  ) async throws -> [Change] {
    var relations: [RelationChange] = []
    func add(_ words: [String], _ relation: (RelatedIssue) -> RelationChange) async throws {
      for word in words.separatedByCommas {
        for other in try await find([word]) {
          relations.append(relation(try Self.related(other, named: word, to: issue)))
        }
      }
    }
    try await add(addSubIssue) { .addSubIssue($0, replacesParent: replaceParent) }
    try await add(removeSubIssue) { .removeSubIssue($0) }
    try await add(parent.map { [$0] } ?? []) { .setParent($0, replacesParent: replaceParent) }
    if removeParent { relations.append(.removeParent) }
    // The parent may be a new one.
    try await add(after.map { [$0] } ?? []) { .moveAfter($0) }
    if first { relations.append(.moveFirst) }
    try await add(addBlockedBy) { .addBlocker($0) }
    try await add(removeBlockedBy) { .removeBlocker($0) }
    try await add(addBlocking) { .block($0) }
    try await add(removeBlocking) { .unblock($0) }
    return relations.map { .relate(issue.target, $0) }
  }

  /// The other issue in the form that the outbox stores.
  private static func related(
    _ other: NamedIssue, named word: String, to issue: NamedIssue
  ) throws(CommandFailure) -> RelatedIssue {
    guard other != issue else {
      throw CommandFailure(.usage, "\(word) is the issue itself")
    }
    return try RelatedIssue(other, named: word, to: issue.place)
  }
}

extension RelatedIssue {
  /// An issue on the command line, relative to a repository.
  init(_ other: NamedIssue, named word: String, to place: Place) throws(CommandFailure) {
    guard let number = other.number else {
      throw CommandFailure(
        .usage,
        """
        \(word) is still in the outbox: its number isn't known yet
        Set it from its side, such as 'issues edit \(word) --parent 12', or send it first.
        """)
    }
    guard other.place.server.host == place.server.host else {
      throw CommandFailure(
        .usage, "\(word) is on \(other.place.server), and issues of two servers can't be related")
    }
    let isNear = "\(other.place.name)".lowercased() == "\(place.name)".lowercased()
    self.init(number, in: isNear ? nil : other.place.name)
  }
}
