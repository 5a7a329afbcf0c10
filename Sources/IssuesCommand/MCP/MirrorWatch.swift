internal import IssueMirror

/// The mirror while a server runs. It is opened on demand, and reopened when another file has its name.
///
/// It is only read. A server runs for hours, and a user may create, update or replace the mirror in the meantime.
actor MirrorWatch {
  enum Place: Sendable {
    case file(String)
    case team(TeamMirror)
  }

  nonisolated let place: Place
  private var open: (mirror: Mirror, identity: Mirror.FileIdentity?)?

  init(_ place: Place) {
    self.place = place
  }

  /// The mirror. Throws instructions to create one if none exists.
  func mirror() async throws(ToolRefusal) -> any IssueReader {
    switch place {
    case .file(let path): try file(path)
    case .team(let team): try await mirror(of: team)
    }
  }

  private func mirror(of team: TeamMirror) async throws(ToolRefusal) -> any IssueReader {
    let mirror: (any IssueReader)?
    do throws(CommandFailure) {
      mirror = try await team.existing()
    } catch {
      throw ToolRefusal("The mirror can't be read: \(error.sentences)")
    }
    guard let mirror else {
      throw ToolRefusal(
        "Nothing is mirrored \(team.place). Ask the user to mirror a repository with 'issues sync OWNER/REPO --database "
          + "ADDRESS'.")
    }
    return mirror
  }

  private func file(_ path: String) throws(ToolRefusal) -> Mirror {
    guard let identity = Mirror.fileIdentity(at: path) else {
      open = nil
      throw ToolRefusal(
        "Nothing is mirrored on this machine: there is no \(path). Ask the user to mirror a repository with "
          + "'issues sync OWNER/REPO'. If there is a mirror elsewhere, start this server with --mirror and the path "
          + "that 'issues mirror path' prints.")
    }
    if let open, open.identity == identity { return open.mirror }
    do throws(MirrorFailure) {
      let mirror = try Mirror(neverWriting: path)
      open = (mirror, identity)
      return mirror
    } catch {
      open = nil
      throw ToolRefusal(error)
    }
  }

  /// Makes the next call reopen the file, after a failure: a newer program may have changed its tables.
  func reopen() {
    open = nil
    if case .team(let team) = place { team.close() }
  }
}

extension ToolRefusal {
  init(_ failure: MirrorFailure) {
    self.init("The mirror can't be read: \(failure.message)")
  }
}

extension IssueReader {
  /// The repository that an argument refers to: on its server if the argument includes one, or else on github.com, or
  /// else on any server.
  func repository(of reference: RepositoryReference) async throws -> MirroredRepository {
    let all = try await repositories()
    let server = try Self.server(of: reference, among: all)
    // The lookup includes former names. Both optionals in one condition crash the optimizer of Swift 6.3.1.
    let found: MirroredRepository?
    if let server {
      found = try await repository(named: reference.name, on: server)
    } else {
      found = nil
    }
    guard let found else {
      throw ToolRefusal(Self.absence(of: reference, among: all.map(\.typedName)))
    }
    return found
  }

  private static func server(
    of reference: RepositoryReference, among all: [MirroredRepository]
  ) throws(ToolRefusal) -> GitHubServer? {
    let name = "\(reference.name)".lowercased()
    let hosts = Set(all.filter { $0.fullName.lowercased() == name }.map(\.host))
    let usual = GitHubServer.github.host
    guard reference.host != nil || hosts.count < 2 || hosts.contains(usual) else {
      throw ToolRefusal(
        "\(reference.name) is mirrored from several servers: write \(hosts.sorted()[0])/\(reference.name), or "
          + "\(hosts.sorted()[1])/\(reference.name).")
    }
    let own = hosts.count == 1 ? hosts.first : nil
    return try? GitHubServer(host: reference.host ?? own ?? usual)
  }

  private static func absence(of reference: RepositoryReference, among names: [String]) -> String {
    let name = "\(reference.host.map { "\($0)/" } ?? "")\(reference.name)"
    let mostNames = 20
    let (shown, more) = (names.prefix(mostNames), max(0, names.count - mostNames))
    let list = shown.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    return "\(name) is not mirrored. "
      + (names.isEmpty ? "Nothing is." : "Mirrored: \(list).")
      + " A person mirrors it with 'issues sync \(name)'."
  }
}
