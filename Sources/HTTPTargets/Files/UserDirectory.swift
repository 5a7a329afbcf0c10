package import PlatformModules

/// A user's directories for programs' files
/// ([XDG Base Directory Specification](https://specifications.freedesktop.org/basedir/latest/)).
package enum UserDirectory: Sendable {
  /// Replaceable files: `$XDG_CACHE_HOME`, or `~/.cache`.
  case cache
  /// Settings by the user: `$XDG_CONFIG_HOME`, or `~/.config`.
  case configuration
  /// Valuable files: `$XDG_DATA_HOME`, or `~/.local/share`.
  case data
  /// A program's records of its use: `$XDG_STATE_HOME`, or `~/.local/state`.
  case state

  /// Nil when neither the variable nor `HOME` names an absolute path.
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

  /// Creates the named directory and its missing parents with permissions 0700. It doesn't create the default
  /// directory, so that a missing home stays missing. A later write to the directory reports the failure.
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
  /// Whether files that root creates in a folder (or its nearest existing parent) would obstruct its owner. `sudo -E`
  /// and `su` keep `HOME`, and the owner could neither write nor read root's files there.
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
