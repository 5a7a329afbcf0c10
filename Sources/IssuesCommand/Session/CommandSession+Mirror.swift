internal import IssueMirror

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
  /// Says to a person who asked for the mirror how old it is.
  ///
  /// - Parameters:
  ///   - place: What is shown.
  ///   - withComments: Whether comments are shown too.
  func tellAge(of place: MirroredPlace, withComments: Bool = false) {
    guard style.layout == .table else { return }
    let age = place.repository.age(withComments: withComments)
    errors.write("From the mirror of \(place.repository.fullName), \(age).")
  }
}

extension CommandFailure {
  /// Explains a failure of the mirror, and says what to do where the failure doesn't.
  init(_ failure: MirrorFailure) {
    let (status, advice): (ExitStatus, String) =
      switch failure.code {
      case .cancelled: (.cancelled, "")
      case .notMirrored: (.notFound, "")
      case .full, .notExported: (.output, "")
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
