#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The folders that a user has named for what programs keep.
enum UserFolder {
  /// Makes the folder that a variable names, and those above it that are missing, with 0700 as the
  /// [XDG Base Directory Specification](https://specifications.freedesktop.org/basedir/latest/) says.
  ///
  /// A default below the home isn't made here: no home comes into being that nobody has. Where a folder can't
  /// be made, whoever wants to write into it says why.
  ///
  /// - Parameters:
  ///   - variable: The variable, such as `XDG_CACHE_HOME`.
  ///   - environment: Where it is looked up. A value that is no absolute path counts for nothing.
  static func make(_ variable: String, in environment: [String: String]) {
    guard let path = environment[variable], path.hasPrefix("/"), access(path, F_OK) != 0 else {
      return
    }
    var made = ""
    for name in path.split(separator: "/") {
      made += "/\(name)"
      mkdir(made, 0o700)
    }
  }
}
