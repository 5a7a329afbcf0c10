internal import HTTPTargets
internal import IssueMirror
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

extension CommandSession {
  /// Where this user's mirror is, whether there is one or not.
  ///
  /// - Throws: ``CommandFailure`` when no variable names a folder for it.
  func mirrorPath() throws(CommandFailure) -> String {
    guard let path = Mirror.path(in: environment) else {
      throw CommandFailure(
        .failed, "there is no mirror: neither XDG_DATA_HOME nor HOME names a folder for it")
    }
    return path
  }

  /// Opens this user's mirror to write to it; an empty one is made where there is none.
  ///
  /// - Throws: ``CommandFailure``, saying what to do.
  func mirror() throws(CommandFailure) -> Mirror { try open(isReadOnly: false) }

  private func open(isReadOnly: Bool) throws(CommandFailure) -> Mirror {
    let path = try mirrorPath()
    if !isReadOnly { UserDirectory.data.makeIfNamed(in: environment) }
    do throws(MirrorFailure) {
      return try Mirror(path: path, isReadOnly: isReadOnly)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Opens this user's mirror to read it, if there is one: who only looks leaves no file behind, waits for
  /// nobody, and needs no room on the disk.
  ///
  /// - Throws: ``CommandFailure``, saying what to do.
  func existingMirror() throws(CommandFailure) -> Mirror? {
    let path = try mirrorPath()
    if access(path, F_OK) != 0, errno == ENOENT || errno == ENOTDIR { return nil }
    return try open(isReadOnly: true)
  }

  /// Finds a repository in the mirror.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - server: The server that it is on.
  /// - Returns: What is kept of it.
  /// - Throws: ``CommandFailure`` that says how to mirror it, and `MirrorFailure`.
  func mirrored(
    _ name: RepositoryName, on server: GitHubServer
  ) async throws -> MirroredPlace {
    if let mirror = try existingMirror(),
      let repository = try await mirror.repository(named: name, on: server)
    {
      return MirroredPlace(mirror: mirror, repository: repository)
    }
    let typed = server == .github ? "\(name)" : "\(server.host)/\(name)"
    throw CommandFailure(
      .notFound,
      "there is no mirror of \(typed) on this machine\nMake one with '\(server.syncCommand(name))'."
    )
  }
}

extension CommandSession {
  /// Says how old what is shown of the mirror is: to a person, and exactly to whoever wants to know by `--verbose`.
  ///
  /// - Parameters:
  ///   - place: What is shown.
  ///   - withComments: Whether comments are shown too.
  ///   - verbosity: How much is told.
  ///   - maximumAge: How old it should be at most, where nobody is asked.
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
        + (isOld == true ? ", which is longer ago than --max-age says." : "."))
  }

  /// Says to a person that the server is asked, and how the mirror could answer the next time.
  func tellUnmirrored(_ name: RepositoryName, on server: GitHubServer) {
    guard style.layout == .table else { return }
    errors.write(
      "There is no whole mirror of \(name), so the server is asked: '\(server.syncCommand(name))' makes one.",
      style: .faint)
  }

  /// Says with `--verbose` as of when the mirror answers, in a form that programs read.
  func tellTime(of repositories: [MirroredRepository], withComments: Bool, verbosity: Int) {
    guard verbosity > 0 else { return }
    for repository in repositories {
      guard let date = repository.checkedAt(withComments: withComments) else { continue }
      errors.write(
        "Mirror of \(repository.typedName) as of \(Timestamp.string(from: date))", style: .faint)
    }
  }
}

extension MirroredRepository {
  /// Whether it was synced within a time; not in a time to come, which tells of a clock that was wrong.
  func isYounger(than maximumAge: Duration, withComments: Bool, now: Date = Date()) -> Bool {
    guard let checkedAt = checkedAt(withComments: withComments) else { return false }
    let age = now.timeIntervalSince(checkedAt)
    return age >= 0 && age <= maximumAge / .seconds(1)
  }
}

extension CommandFailure {
  /// Explains a failure of the mirror, and says what to do where the failure doesn't.
  init(_ failure: MirrorFailure) {
    let (status, advice): (ExitStatus, String) =
      switch failure.code {
      case .cancelled: (.cancelled, "")
      case .notMirrored: (.notFound, "")
      case .queryRefused: (.usage, "")
      case .full, .notExported, .damaged: (.output, "")
      case .readOnly:
        (.output, "\nCheck who may write to it, or name another folder in XDG_DATA_HOME.")
      case .cannotOpen:
        (.failed, "\nCheck who may use it, or name another folder in XDG_DATA_HOME.")
      case .database: (.failed, "\n'issues mirror check' says whether it is sound.")
      default: (.failed, "")
      }
    self.init(status, failure.message + advice)
  }
}
