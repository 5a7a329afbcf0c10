internal import PlatformModules

/// The programs built with the running tests.
///
/// `ISSUES_PROGRAM` names another `issues` to test: an installed one, or one built from an earlier commit.
public enum BuiltProducts {
  /// The product isn't beside the test bundle, because the test target lacks the dependency.
  public struct Absent: Error, CustomStringConvertible {
    var name: String
    var folders: [String]
    /// The name, and the folders searched.
    public var description: String { "no product \(name) in \(folders)" }
  }

  /// The path of an executable product.
  ///
  /// - Throws: ``Absent`` if it doesn't exist.
  public static func path(of name: String) throws(Absent) -> String {
    if name == "issues", let program = ProcessInfo.processInfo.environment["ISSUES_PROGRAM"],
      !program.isEmpty
    {
      guard FileManager.default.isExecutableFile(atPath: program) else {
        throw Absent(name: name, folders: [program])
      }
      return program
    }
    let folders = candidates
    for folder in folders {
      let path = "\(folder)/\(name)"
      if FileManager.default.isExecutableFile(atPath: path) { return path }
    }
    throw Absent(name: name, folders: folders)
  }

  /// The folder of the modules that the tests are built from, for a compiler.
  ///
  /// - Throws: ``Absent`` if there is none beside the test bundle.
  public static func modules() throws(Absent) -> String {
    let folders = candidates.map { "\($0)/Modules" }
    guard let folder = folders.first(where: { FileManager.default.fileExists(atPath: $0) }) else {
      throw Absent(name: "Modules", folders: folders)
    }
    return folder
  }

  /// The folders that may have the products. On Linux, the test bundle is the running program. On macOS, it is an
  /// argument of the program that runs it, and the path goes on inside the bundle.
  private static var candidates: [String] {
    CommandLine.arguments.enumerated().compactMap { index, argument in
      let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
      if let bundle = parts.firstIndex(where: { $0.hasSuffix(".xctest") }) {
        return parts[..<bundle].joined(separator: "/")
      }
      return index == 0 && parts.count > 1 ? parts.dropLast().joined(separator: "/") : nil
    }
  }
}
