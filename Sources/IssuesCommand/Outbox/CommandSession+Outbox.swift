internal import ArgumentParser
internal import IssueOutbox
internal import PlatformModules
internal import StyledText

extension Outbox {
  static func exists(in environment: [String: String]) -> Bool {
    guard let path = path(in: environment) else { return false }
    return unsafe access(path, F_OK) == 0 || errno != ENOENT && errno != ENOTDIR
  }

  /// The outbox of the user; nil if it doesn't exist.
  static func existing(in environment: [String: String]) throws(OutboxFailure) -> Outbox? {
    guard exists(in: environment), let path = path(in: environment) else { return nil }
    return try Outbox(path: path)
  }
}

extension CommandSession {
  /// The outbox of the user; nil if it doesn't exist.
  func existingOutbox() throws(CommandFailure) -> Outbox? {
    do throws(OutboxFailure) {
      return try Outbox.existing(in: environment)
    } catch {
      throw CommandFailure(error)
    }
  }

  func outboxEntry(_ id: OutboxEntry.ID) async throws -> (Outbox, OutboxEntry) {
    guard let outbox = try existingOutbox(), let entry = try await outbox.entry(id) else {
      throw CommandFailure(
        .notFound, "there is no change \(id) in the outbox\n'issues outbox --all' lists all.")
    }
    return (outbox, entry)
  }

  func openChanges(ofBulk id: OutboxEntry.ID) async throws -> [OutboxEntry] {
    let open = try await existingOutbox()?.entries(in: OutboxEntry.openStates) ?? []
    let members = open.filter { $0.bulk == id }
    guard members.isEmpty else { return members }
    throw CommandFailure(
      .notFound, "nothing is left of a bulk \(id) in the outbox\n'issues outbox' lists its changes."
    )
  }
}

extension ConnectionOptions {
  /// Throws with sample data, for commands that send the entries of the outbox.
  func refuseSampleData() throws {
    guard !request.stub else {
      throw ValidationError("The outbox isn't sent to sample data: leave out --stub.")
    }
  }
}

extension [OutboxEntry] {
  /// The entries that are sent without being named: all except refused and proposed entries, entries that depend on
  /// these, and parts of a bulk. A part of a bulk is included if its state is unknown.
  var unasked: [OutboxEntry] {
    var stopped: Set<OutboxEntry.ID> = []
    return filter { entry in
      // An entry depends only on older entries.
      if [.refused, .proposed].contains(entry.state)
        || !stopped.isDisjoint(with: entry.dependencies)
      {
        stopped.insert(entry.id)
        return false
      }
      return entry.bulk == nil || entry.state == .unknown
    }
  }
}

extension OutboxEntry {
  /// The states of entries that the server doesn't have, or possibly doesn't have.
  static let openStates = Set(OutboxState.allCases).subtracting([.sent])

  var place: Place { Place(name: repository, server: server) }

  /// Whether 'issues outbox edit' can change it.
  var isEditable: Bool {
    change.title != nil || change.text != nil || !change.addedLabels.isEmpty
  }

  /// Whether the refusal was caused by a missing label. The journal stores only the server's message.
  var lacksLabels: Bool {
    state == .refused && !change.addedLabels.isEmpty && !change.createsLabels
      && reason?.contains("has no label") == true
  }

  /// Advice about a refusal, if its message isn't sufficient.
  var advice: String? {
    if hasMoved { return "To send it there: issues outbox retarget \(id)" }
    return lacksLabels ? "To have it created: issues outbox retry \(id) --create-labels" : nil
  }

  /// The subject in the form that a user would type: `owner/name#12`, `owner/name new-1`.
  var subject: String {
    switch target {
    case .number(let number)?: "\(place)#\(number)"
    case .pending?: "\(place) \(target?.name ?? "")"
    case nil: "\(place)\(change.thread?.issue.map { "#\($0)" } ?? "")"
    }
  }
}
