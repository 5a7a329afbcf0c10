internal import ConcurrencyPrimitives
internal import IssueMirror
internal import IssueMirrorPostgres
internal import StyledText

/// A team's mirror in PostgreSQL. It connects on first use. Copies share their connections.
struct TeamMirror: Sendable {
  private struct State: Sendable {
    var isOpening = false
    var reader: PostgresMirror?
    var writer: PostgresMirror?
  }

  let name: DatabaseName
  /// The location in words, such as `in the database issues on db.example.com:5432`.
  let place: String
  private let state = Watched(State())

  /// Creates the access. It doesn't connect yet, but needs libpq to parse the connection string.
  init(_ name: DatabaseName) throws(CommandFailure) {
    let address: DatabaseAddress?
    do throws(MirrorFailure) {
      address = try DatabaseAddress.read(name.text)
    } catch {
      throw CommandFailure(error)
    }
    guard let address else { throw Self.refusal(of: name) }
    guard !address.hasPassword || name.origin != .option else {
      throw CommandFailure(.usage, "--database: \(DatabaseName.passwordAdvice)")
    }
    self.name = name
    place = "in \(address.place)"
  }

  static func refusal(of name: DatabaseName) -> CommandFailure { refusal(name.origin) }

  /// The failure for an invalid string. It doesn't include any part of the string, which may contain a password.
  static func refusal(_ origin: DatabaseName.Origin) -> CommandFailure {
    let (status, subject): (ExitStatus, String) =
      switch origin {
      case .option: (.usage, "--database")
      case .variable: (.usage, DatabaseName.variable)
      case .configuration: (.configuration, "'database' of the configuration")
      }
    return CommandFailure(
      status, "\(subject) isn't a connection string\nUse \(DatabaseName.expectation).")
  }

  /// The mirror for reading; nil if no sync has created it yet.
  func existing() async throws(CommandFailure) -> (any IssueStore)? {
    try await opened({ $0.writer ?? $0.reader }, toWrite: false)
  }

  /// The mirror for writing. Creates its tables if they don't exist.
  func writable() async throws(CommandFailure) -> any IssueStore {
    guard let mirror = try await opened({ $0.writer }, toWrite: true) else {
      throw CommandFailure(.cancelled, "")
    }
    return mirror
  }

  /// Closes the connections. The next use reconnects.
  func close() { state.update { ($0.reader, $0.writer) = (nil, nil) } }

  private func opened(
    _ known: @Sendable (State) -> PostgresMirror?, toWrite: Bool
  ) async throws(CommandFailure) -> PostgresMirror? {
    let found = await state.take {
      !$0.isOpening
    } _: { state -> PostgresMirror? in
      let found = known(state)
      state.isOpening = found == nil
      return found
    }
    guard let found else { throw CommandFailure(.cancelled, "") }
    if let found { return found }
    let mirror: PostgresMirror?
    do throws(MirrorFailure) {
      mirror =
        toWrite
        ? try await PostgresMirror(connecting: name.text)
        : try await PostgresMirror.existing(connecting: name.text)
    } catch {
      state.update { $0.isOpening = false }
      throw CommandFailure(error)
    }
    state.update { state in
      state.isOpening = false
      if toWrite { state.writer = mirror } else { state.reader = mirror }
    }
    return mirror
  }
}

/// The chosen mirror: the one in `--database`, or else in `ISSUES_DATABASE`, or else in the configuration, or else the
/// one on this machine. It stays the same for the whole session.
final class MirrorChoice: Sendable {
  let option: DatabaseName?
  private let chosen = Locked<TeamMirror??>(nil)

  init(option: DatabaseName? = nil) {
    self.option = option
  }

  func mirror(
    _ choose: () throws(CommandFailure) -> DatabaseName?
  ) throws(CommandFailure) -> TeamMirror? {
    if let chosen = chosen.withLock({ $0 }) { return chosen }
    let name = try choose()
    let mirror: TeamMirror? =
      if let name, !name.isLocal { try TeamMirror(name) } else { nil }
    return chosen.withLock { chosen in
      if chosen == nil { chosen = .some(mirror) }
      return chosen ?? mirror
    }
  }
}

extension CommandSession {
  /// The team's mirror; nil for the mirror on this machine.
  func teamMirror() throws(CommandFailure) -> TeamMirror? {
    try choice.mirror { () throws(CommandFailure) in
      if let option = choice.option { return option }
      if let text = environment[DatabaseName.variable], !text.isEmpty {
        guard let name = DatabaseName(text, from: .variable) else {
          throw TeamMirror.refusal(.variable)
        }
        return name
      }
      return try configuredDatabase()
    }
  }

  /// The location of the mirror in words, such as `on this machine`.
  var mirrorPlace: String { (try? teamMirror())?.place ?? "on this machine" }

  /// The option for suggested commands, such as ` --database service=issues`; empty if it isn't given.
  var databaseOption: String {
    guard let option = choice.option else { return "" }
    let text = TerminalText(option.shown).string
    return " --database " + (text.contains(" ") ? "\"\(text)\"" : text)
  }

  /// Throws if a team's mirror is chosen, for features that only a file supports. Both arguments are clauses.
  func refuseTeamMirror(_ reason: String, _ advice: String) throws(CommandFailure) {
    guard let team = try teamMirror() else { return }
    throw CommandFailure(
      .usage,
      "the mirror is \(team.place), \(reason)\n\(advice) Use --database local for the mirror on this machine."
    )
  }

  /// Reports that the owner of the mirror's tables has yet to update them.
  func tellAwaitedOwner(of mirror: PostgresMirror) {
    guard let owner = mirror.awaitedOwner else { return }
    errors.write(
      "The team's mirror is of an earlier version of issues: its owner, \(TerminalText(owner)), updates it with one sync."
    )
  }
}
