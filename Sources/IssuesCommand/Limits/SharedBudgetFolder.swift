internal import IssueTracker
internal import PlatformModules

/// The folder of the files for all servers and tokens: `$XDG_STATE_HOME/issues/rate-limits`, or else
/// `~/.local/state/issues/rate-limits`.
struct SharedBudgetFolder: Sendable {
  private let path: String
  /// The parent folders that are created if they are missing. The home folder isn't one of them.
  private let made: [String]

  /// Returns nil if no variable names a folder, or if this is root and the folder belongs to another user.
  init?(environment: [String: String]) {
    guard let state = UserDirectory.state.path(in: environment), !FolderOwner.isInTheWay(of: state)
    else { return nil }
    UserDirectory.state.makeIfNamed(in: environment)
    self.init(path: "\(state)/issues/rate-limits", under: state)
  }

  private init(path: String, under state: String) {
    self.path = path
    let local = state.lastIndex(of: "/").map { String(state[..<$0]) } ?? ""
    made = [local, state, "\(state)/issues", path].filter { !$0.isEmpty }
  }

  /// Removes all budgets. Processes that have a file open begin a new one.
  func removeAll() throws(CommandFailure) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    for name in names where unsafe unlink("\(path)/\(name)") != 0 && errno != ENOENT {
      throw CommandFailure(
        .failed, unsafe "cannot forget a limit in “\(path)”: \(String(cString: strerror(errno)))")
    }
  }

  /// The file for a server and credentials. Its name contains a fingerprint of the credentials, but no part of them.
  func file(for origin: Origin, _ authorization: String?) -> SharedBudgetFile {
    for folder in made { unsafe mkdir(folder, 0o700) }
    let credentials =
      authorization.map { Fingerprint([$0]).text } ?? "anonymous"
    let host = origin.host.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
    return SharedBudgetFile(
      path: "\(path)/\(String(host).prefix(100))-\(origin.port)-\(credentials)")
  }
}
