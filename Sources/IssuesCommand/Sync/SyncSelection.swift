internal import IssueMirror
internal import IssueTracker
internal import PlatformModules

/// The repositories of a sync. Without names and without `isAll`, it is the repository of `GH_REPO` or of the clone, or
/// else all repositories.
struct SyncSelection: Sendable {
  var sources: [MirrorSource] = []
  /// Whether all mirrored repositories are selected.
  var isAll = false
  /// Whether these include the repositories on the list of mirrors.
  var includesList = true

  /// The repositories that were never synced, followed by the least recently synced ones. Equal ones keep their order.
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
  /// The repositories, without duplicates.
  var places: [Place] = []
  /// Whether these are all mirrored repositories.
  var isAll = false
  /// Whether the selection may include other repositories later.
  var mayChange = false
  /// The failures that occurred while parts of the list of mirrors were read.
  var failures: [CommandFailure] = []
  /// The repositories of the named lists, such as those of an organization.
  var lists: [(source: MirrorSource, places: [Place])] = []
}

extension [String] {
  /// The first names, and the number of remaining names.
  var fewNames: String {
    let names = prefix(10).joined(separator: ", ")
    return count > 10 ? "\(names) and \(count - 10) more" : names
  }
}

extension Place {
  /// A key that is equal for all spellings of a name.
  var key: String { "\(server.host)/\(name)".lowercased() }
}
