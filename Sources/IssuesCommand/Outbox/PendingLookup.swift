internal import GitHubAPI
internal import IssueMirror
internal import IssueOutbox
internal import PlatformModules
internal import StyledText

/// Reads the pending changes while a request is sent to a server. They are shown on a terminal. A program gets
/// ``field`` if it requests that field. Without an outbox, nothing is opened.
struct PendingLookup: Sendable {
  static let field = "pending"

  private let entries: Task<[OutboxEntry], Never>
  private let place: Place?
  private let isForProgram: Bool

  /// Begins to read, for one repository or for several; nil if the changes aren't shown.
  init?(of place: Place? = nil, fields: JSONFields?, _ session: CommandSession) {
    let isForProgram = fields?.names?.contains(Self.field) == true
    guard isForProgram || fields == nil && session.style.layout == .table,
      isForProgram || Outbox.exists(in: session.environment)
    else { return nil }
    self.isForProgram = isForProgram
    self.place = place
    entries = Task { await Self.entries(session) }
  }

  static func changes(
    of repository: RepositoryName, on host: String, _ session: CommandSession
  ) async -> PendingChanges? {
    guard Outbox.exists(in: session.environment) else { return nil }
    let changes = PendingChanges(await entries(session), of: repository, on: host)
    return changes.isEmpty ? nil : changes
  }

  /// All pending changes.
  static func entries(_ session: CommandSession) async -> [OutboxEntry] {
    do {
      return try await session.existingOutbox()?.entries(in: OutboxEntry.openStates) ?? []
    } catch {
      let reason = CommandFailure(any: error).sentences
      session.errors.write("issues: changes that aren't sent yet are left out: \(reason)")
      return []
    }
  }

  func changes() async -> PendingChanges? {
    guard let place else { return nil }
    return await changes(of: place.name, on: place.server.host)
  }

  /// The pending changes by the names that a user would type. Repositories without changes are omitted.
  func changes(of repositories: [MirroredRepository]) async -> [String: PendingChanges] {
    var all: [String: PendingChanges] = [:]
    for repository in repositories {
      guard let name = RepositoryName(repository.fullName) else { continue }
      all[repository.typedName] = await changes(of: name, on: repository.host)
    }
    return all
  }

  private func changes(of repository: RepositoryName, on host: String) async -> PendingChanges? {
    let changes = PendingChanges(await entries.value, of: repository, on: host)
    return changes.isEmpty && !isForProgram ? nil : changes
  }
}

extension PendingChanges {
  func addition(on target: IssueTarget) throws -> JSONObject.Addition {
    let entries = entries(on: target).map { entry -> EncodedObject in
      ["id": entry.id, "state": entry.state.rawValue, "change": entry.change.summary]
    }
    return JSONObject.Addition(
      name: PendingLookup.field, value: try GitHubJSON.encoder().encode(entries))
  }
}

extension StyledLine {
  init(note: PendingNote?) {
    let style = Style(foreground: .yellow)
    self.init(note?.text ?? "", style: note?.needsPerson == true ? style : .faint)
  }
}
