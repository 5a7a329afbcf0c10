#if canImport(Darwin)
  package import Darwin
#elseif canImport(Musl)
  package import Musl
#else
  package import Glibc
#endif

/// The directories that a user keeps programs' files in, as the
/// [XDG Base Directory Specification](https://specifications.freedesktop.org/basedir/latest/) names them.
package enum UserDirectory: Sendable {
  /// What can be fetched again: `$XDG_CACHE_HOME`, or `~/.cache`.
  case cache
  /// What the user would miss: `$XDG_DATA_HOME`, or `~/.local/share`.
  case data
  /// What a program remembers of its use: `$XDG_STATE_HOME`, or `~/.local/state`.
  case state

  /// Finds the directory.
  ///
  /// - Parameter environment: The environment of the process. A value that isn't an absolute path counts for nothing.
  /// - Returns: The path; nil when neither the variable nor `HOME` names a directory.
  package func path(in environment: [String: String]) -> String? {
    named(in: environment)
      ?? Self.absolute("HOME", environment).map { home in
        switch self {
        case .cache: "\(home)/.cache"
        case .data: "\(home)/.local/share"
        case .state: "\(home)/.local/state"
        }
      }
  }

  /// Finds the directory that the user named in its variable; nil without one.
  package func named(in environment: [String: String]) -> String? {
    switch self {
    case .cache: Self.absolute("XDG_CACHE_HOME", environment)
    case .data: Self.absolute("XDG_DATA_HOME", environment)
    case .state: Self.absolute("XDG_STATE_HOME", environment)
    }
  }

  /// Makes the directory that the user named, and those above it that are missing, with the permissions 0700.
  ///
  /// The default below the home isn't made here: a home that isn't there stays away. Where a directory can't be
  /// made, whoever wants to write into it reports why.
  package func makeIfNamed(in environment: [String: String]) {
    guard let path = named(in: environment), access(path, F_OK) != 0 else { return }
    var made = ""
    for name in path.split(separator: "/") {
      made += "/\(name)"
      mkdir(made, 0o700)
    }
  }

  private static func absolute(_ variable: String, _ environment: [String: String]) -> String? {
    environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}

/// The owner of a folder in which a program wants to make a file.
package enum FolderOwner {
  /// Tells whether files that root makes in a folder would get in its owner's way.
  ///
  /// `sudo -E` and `su` keep `HOME`. Whatever the program makes there belongs to root, and the folder's owner can
  /// neither write nor read it afterwards. It is better not to store what only saves time.
  ///
  /// - Parameters:
  ///   - path: The folder. If it doesn't exist, its nearest parent that does counts.
  ///   - user: The user whose process makes the file.
  /// - Returns: Whether the user is root and the folder belongs to somebody else.
  package static func isInTheWay(of path: String, for user: uid_t = geteuid()) -> Bool {
    guard user == 0 else { return false }
    var path = path[...]
    while !path.isEmpty {
      var status = stat()
      if stat(String(path), &status) == 0 { return status.st_uid != user }
      path = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
    }
    return false
  }
}
