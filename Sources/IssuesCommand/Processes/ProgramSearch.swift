import PlatformModules

enum ProgramSearch {
  /// Finds a program. Searches only absolute folders of `PATH`: an empty or relative one means the current directory,
  /// which may be a clone that contains a program of that name.
  static func path(of program: String, in environment: [String: String]) -> String? {
    guard !program.isEmpty, !program.contains("/") else { return nil }
    return folders(in: environment["PATH", default: ""]).lazy
      .map { "\($0)/\(program)" }
      .first(where: isExecutable)
  }

  /// The absolute folders, for programs that search `PATH` themselves.
  static func absoluteFolders(of path: String) -> String {
    folders(in: path).joined(separator: ":")
  }

  private static func folders(in path: String) -> [Substring] {
    path.split(separator: ":").filter { $0.first == "/" }
  }

  private static func isExecutable(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && access(path, X_OK) == 0
  }
}
