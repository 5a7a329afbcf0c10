#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Finds programs.
enum ProgramSearch {
  /// Finds a program in the first folder of `PATH` that has it.
  ///
  /// Only absolute folders count: an empty or relative one means the current directory, which may be a clone that contains
  /// a program of that name.
  ///
  /// - Parameters:
  ///   - program: Its name, without a slash.
  ///   - environment: The environment with `PATH`.
  /// - Returns: The program's path; nil if there is none that this user may run.
  static func path(of program: String, in environment: [String: String]) -> String? {
    guard !program.isEmpty, !program.contains("/") else { return nil }
    return folders(in: environment["PATH", default: ""]).lazy
      .map { "\($0)/\(program)" }
      .first(where: isExecutable)
  }

  /// A value of `PATH` without its empty and relative folders, for programs that search it themselves.
  static func absoluteFolders(of path: String) -> String {
    folders(in: path).joined(separator: ":")
  }

  private static func folders(in path: String) -> [Substring] {
    path.split(separator: ":").filter { $0.first == "/" }
  }

  private static func isExecutable(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && access(path, X_OK) == 0
  }
}
