#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where programs are.
enum ProgramSearch {
  /// Finds a program in the folders of `PATH`, the first that has it.
  ///
  /// Only absolute folders are looked into: an empty or relative one means the directory that the user
  /// stands in, which may be a clone with a program of that name in it.
  ///
  /// - Parameters:
  ///   - program: Its name, without a slash.
  ///   - environment: Where `PATH` is looked up.
  /// - Returns: The program's path; nil where there is none that this user may run.
  static func path(of program: String, in environment: [String: String]) -> String? {
    guard !program.isEmpty, !program.contains("/") else { return nil }
    return folders(in: environment["PATH", default: ""]).lazy
      .map { "\($0)/\(program)" }
      .first(where: isExecutable)
  }

  /// A value of `PATH` without its empty and relative folders, for a program that looks others up itself.
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
