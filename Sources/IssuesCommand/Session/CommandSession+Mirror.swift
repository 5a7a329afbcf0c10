internal import HTTPTargets
internal import IssueMirror
internal import PlatformModules
internal import StyledText

struct MirroredPlace: Sendable {
  let mirror: any IssueStore
  let repository: MirroredRepository
}

extension CommandSession {
  /// The path of the mirror on this machine, even if it doesn't exist yet.
  func mirrorPath() throws(CommandFailure) -> String {
    guard let path = Mirror.path(in: environment) else {
      throw CommandFailure(
        .failed, "there is no mirror: neither XDG_DATA_HOME nor HOME names a folder for it")
    }
    return path
  }

  /// Opens the mirror for writing, and creates it if it doesn't exist.
  func mirror() async throws(CommandFailure) -> any IssueStore {
    if let team = try teamMirror() { return try await team.writable() }
    return try open(isReadOnly: false)
  }

  /// Opens the mirror for reading; nil if it doesn't exist.
  func existingMirror() async throws(CommandFailure) -> (any IssueStore)? {
    if let team = try teamMirror() { return try await team.existing() }
    return try existingFile()
  }

  /// Opens the mirror on this machine for reading; nil if it doesn't exist.
  ///
  /// Reading doesn't leave files behind, wait for writers, or need disk space.
  func existingFile() throws(CommandFailure) -> Mirror? {
    let path = try mirrorPath()
    if unsafe access(path, F_OK) != 0, errno == ENOENT || errno == ENOTDIR { return nil }
    return try open(isReadOnly: true)
  }

  private func open(isReadOnly: Bool) throws(CommandFailure) -> Mirror {
    let path = try mirrorPath()
    if !isReadOnly { UserDirectory.data.makeIfNamed(in: environment) }
    do throws(MirrorFailure) {
      return try Mirror(path: path, isReadOnly: isReadOnly)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Finds a mirrored repository. Throws instructions to mirror the repository if it isn't mirrored.
  func mirrored(_ place: Place) async throws -> MirroredPlace {
    guard let mirror = try await existingMirror() else { throw absence(ofMirror: place) }
    if let repository = try await mirror.repository(named: place.name, on: place.server) {
      return MirroredPlace(mirror: mirror, repository: repository)
    }
    let others = try await mirror.repositories().filter {
      $0.fullName.lowercased() == "\(place.name)".lowercased()
    }
    throw absence(ofMirror: place, butOf: others.map(\.typedName))
  }
}

// MARK: The mirror's age

extension CommandSession {
  /// Reports the age of the mirror's data: always on a terminal, and elsewhere only if it is older than requested.
  func tellAge(
    of place: MirroredPlace, withComments: Bool = false, verbosity: Int = 0,
    maximumAge: Duration? = nil
  ) {
    tellTime(of: [place.repository], withComments: withComments, verbosity: verbosity)
    let age = place.repository.age(withComments: withComments)
    let isOld = maximumAge.map { !place.repository.isYounger(than: $0, withComments: withComments) }
    guard style.layout == .table || isOld == true else { return }
    errors.write(
      "From the mirror of \(place.repository.fullName), \(age)"
        + (isOld == true ? ", longer ago than --max-age allows." : "."))
  }

  func tellUnmirrored(_ place: Place) {
    guard style.layout == .table else { return }
    errors.write(
      "\(place.name) isn't completely mirrored, so the server is asked: '\(place.syncCommand)' mirrors it.",
      style: .faint)
  }

  /// Writes the sync times in a machine-readable format with `--verbose`.
  func tellTime(of repositories: [MirroredRepository], withComments: Bool, verbosity: Int) {
    guard verbosity > 0 else { return }
    for repository in repositories {
      guard let date = repository.checkedAt(withComments: withComments) else { continue }
      errors.write(
        "Mirror of \(repository.typedName) as of \(Timestamp.string(from: date))", style: .faint)
    }
  }

  /// Reports the age of data from several mirrors, according to the oldest: always on a terminal, and elsewhere only if
  /// a part is missing.
  func tellFreshness(of repositories: [MirroredRepository], withComments: Bool = false) {
    for partial in repositories where !partial.isComplete {
      errors.write(
        "The mirror of \(partial.fullName) is incomplete: '\(partial.syncCommand)' continues it.")
    }
    let complete = repositories.filter(\.isComplete)
    guard style.layout == .table,
      let oldest = complete.min(by: {
        ($0.checkedAt(withComments: withComments) ?? .distantPast)
          < ($1.checkedAt(withComments: withComments) ?? .distantPast)
      })
    else { return }
    errors.write(
      "From the mirror of \(oldest.fullName), \(oldest.age(withComments: withComments)): "
        + "'\(oldest.syncCommand)' updates it.",
      style: .faint)
  }
}

extension MirroredRepository {
  /// The name, with its host unless that is github.com.
  var typedName: String {
    host == GitHubServer.github.host ? fullName : "\(host)/\(fullName)"
  }

  /// Whether the repository is on this machine. The host alone isn't the URL of a local API.
  var isOnLoopback: Bool { (try? GitHubServer(host: host))?.origin.isLoopback == true }

  var syncCommand: String {
    isOnLoopback ? "issues sync \(fullName) --api-url URL" : "issues sync \(typedName)"
  }

  /// The age, such as `synced about 3 hours ago`, or `never completed` until the first sync is done. Comments may be
  /// older.
  func age(withComments: Bool = false, now: Date = Date()) -> String {
    guard isComplete, let checkedAt = checkedAt(withComments: withComments) else {
      return "never completed"
    }
    return "synced \(RelativeTime.describe(checkedAt, relativeTo: now))"
  }

  /// Whether the mirror is younger than an age. False for a sync in the future, because a clock was wrong.
  func isYounger(than maximumAge: Duration, withComments: Bool, now: Date = Date()) -> Bool {
    guard let checkedAt = checkedAt(withComments: withComments) else { return false }
    let age = now.timeIntervalSince(checkedAt)
    return age >= 0 && age <= maximumAge / .seconds(1)
  }

  var incompleteness: CommandFailure {
    CommandFailure(
      .failed,
      "the mirror of \(fullName) is incomplete: its first sync was never completed\n"
        + "Continue with '\(syncCommand)'.")
  }
}
