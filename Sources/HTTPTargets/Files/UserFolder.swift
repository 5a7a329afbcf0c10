#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A folder of the user's for files of one kind, as the
/// [XDG Base Directory Specification](https://specifications.freedesktop.org/basedir/latest/) has it.
package enum UserFolder: String, Sendable {
  /// Files that can be made anew.
  case cache = "XDG_CACHE_HOME"
  /// Files that are to be kept.
  case data = "XDG_DATA_HOME"
  /// Files that are worth less than data, such as a history.
  case state = "XDG_STATE_HOME"

  /// Finds the folder: the one that the variable names, else the default below the home.
  ///
  /// - Parameter environment: The environment of the process. A value that is no absolute path counts for nothing.
  /// - Returns: The path; nil where neither the variable nor `HOME` names a folder.
  package func path(in environment: [String: String]) -> String? {
    let folder =
      switch self {
      case .cache: ".cache"
      case .data: ".local/share"
      case .state: ".local/state"
      }
    return named(in: environment) ?? Self.absolute("HOME", environment).map { "\($0)/\(folder)" }
  }

  /// The folder that the variable names; nil where the default counts.
  package func named(in environment: [String: String]) -> String? {
    Self.absolute(rawValue, environment)
  }

  /// Creates the folder that the variable names, and missing ones above it, for the user alone (0700).
  ///
  /// A default below the home isn't created here, and so no home that nobody has. Where a folder can't be created,
  /// whoever writes to it reports the reason.
  package func make(in environment: [String: String]) {
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
