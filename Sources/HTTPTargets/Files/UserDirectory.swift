package import PlatformModules

/// A user's directories for the files of programs ([XDG Base Directory
/// Specification](https://specifications.freedesktop.org/basedir/latest/)).
package enum UserDirectory: Sendable {
  /// Replaceable files: `$XDG_CACHE_HOME`, or `~/.cache`.
  case cache
  /// The user's settings: `$XDG_CONFIG_HOME`, or `~/.config`.
  case configuration
  /// Valuable files: `$XDG_DATA_HOME`, or `~/.local/share`.
  case data
  /// Records of past use: `$XDG_STATE_HOME`, or `~/.local/state`.
  case state

  /// The path of the directory; nil if neither the variable nor `HOME` contains an absolute path.
  package func path(in environment: [String: String]) -> String? {
    named(in: environment)
      ?? Self.absolute("HOME", environment).map { home in
        switch self {
        case .cache: "\(home)/.cache"
        case .configuration: "\(home)/.config"
        case .data: "\(home)/.local/share"
        case .state: "\(home)/.local/state"
        }
      }
  }

  package func named(in environment: [String: String]) -> String? {
    switch self {
    case .cache: Self.absolute("XDG_CACHE_HOME", environment)
    case .configuration: Self.absolute("XDG_CONFIG_HOME", environment)
    case .data: Self.absolute("XDG_DATA_HOME", environment)
    case .state: Self.absolute("XDG_STATE_HOME", environment)
    }
  }

  /// Creates the directory that the variable names, and its missing parents, with permissions 0700. Doesn't create the
  /// default directory, so a missing home folder isn't created. Failures are reported by a later write to the
  /// directory.
  package func makeIfNamed(in environment: [String: String]) {
    guard let path = named(in: environment), unsafe access(path, F_OK) != 0,
      !FolderOwner.isInTheWay(of: path)
    else { return }
    var made = ""
    for name in path.split(separator: "/") {
      made += "/\(name)"
      unsafe mkdir(made, 0o700)
    }
  }

  private static func absolute(_ variable: String, _ environment: [String: String]) -> String? {
    environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}

package enum FolderOwner {
  /// Whether files that root creates in a folder (or its nearest existing parent) would cause problems for its owner.
  /// `sudo -E` and `su` keep `HOME`, and the owner couldn't read or write root's files there.
  package static func isInTheWay(of path: String, for user: uid_t = geteuid()) -> Bool {
    guard user == 0 else { return false }
    var path = path[...]
    while !path.isEmpty {
      var status = stat()
      if unsafe stat(String(path), &status) == 0 { return status.st_uid != user }
      path = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
    }
    return false
  }
}
