internal import IssueMirror
internal import IssueTracker
internal import PlatformModules

/// The repositories of a sync. Without names and without all, it is that of `GH_REPO` or of the clone, else all.
struct SyncSelection: Sendable {
  var sources: [MirrorSource] = []
  /// All that are mirrored.
  var isAll = false
  /// Whether all are also those that the list of mirrors stands for.
  var includesList = true

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
      (checked[place.element.key] ?? .distantPast, place.offset)
    }
    return places.enumerated().sorted { key($0) < key($1) }.map(\.element)
  }
}

/// What a selection stands for.
struct SyncTargets: Sendable {
  /// Each once.
  var places: [Place] = []
  /// Whether these are all that are mirrored.
  var isAll = false
  /// Whether it may stand for others later.
  var mayChange = false
  /// Of the list of mirrors, why a part of it couldn't be read.
  var failures: [CommandFailure] = []
  /// What the named lists stand for, such as an organization's.
  var lists: [(source: MirrorSource, places: [Place])] = []
}

extension [String] {
  /// The first names, and how many more there are.
  var fewNames: String {
    let names = prefix(10).joined(separator: ", ")
    return count > 10 ? "\(names) and \(count - 10) more" : names
  }
}

extension Place {
  /// Equal for all spellings of a name.
  var key: String { "\(server.host)/\(name)".lowercased() }
}
