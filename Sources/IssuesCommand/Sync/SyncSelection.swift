internal import IssueMirror
internal import IssueTracker
internal import PlatformModules

/// The repositories of a sync. Without names and without `isAll`, it is that of `GH_REPO` or of the clone, else all.
struct SyncSelection: Sendable {
  var sources: [MirrorSource] = []
  /// All mirrored repositories.
  var isAll = false
  /// Whether all includes the repositories on the list of mirrors.
  var includesList = true

  /// Repositories that were never synced first, then those synced longest ago. The order of equal ones is preserved.
  static func stalestFirst(
    _ places: [Place], among mirrored: [MirroredRepository]
  ) -> [Place] {
    var checked: [String: Date] = [:]
    for repository in mirrored {
      checked["\(repository.host)/\(repository.fullName)".lowercased()] = repository.checkedAt
    }
    func key(_ place: (offset: Int, element: Place)) -> (Date, Int) {
      (checked[place.element.key] ?? .distantPast, place.offset)
    }
    return places.enumerated().sorted { key($0) < key($1) }.map(\.element)
  }
}

/// The repositories of a selection.
struct SyncTargets: Sendable {
  /// Without duplicates.
  var places: [Place] = []
  /// Whether these are all mirrored repositories.
  var isAll = false
  /// Whether it may include others later.
  var mayChange = false
  /// The failures to read parts of the list of mirrors.
  var failures: [CommandFailure] = []
  /// The repositories of the named lists, such as an organization's.
  var lists: [(source: MirrorSource, places: [Place])] = []
}

extension [String] {
  /// The first names, and the number of others.
  var fewNames: String {
    let names = prefix(10).joined(separator: ", ")
    return count > 10 ? "\(names) and \(count - 10) more" : names
  }
}

extension Place {
  /// Equal for all spellings of a name.
  var key: String { "\(server.host)/\(name)".lowercased() }
}
