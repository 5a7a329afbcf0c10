internal import PlatformModules

/// Completes names of mirrors: `local`, and the services in libpq's file
/// (<https://www.postgresql.org/docs/current/libpq-pgservice.html>).
enum DatabaseCompletion {
  private static let largestFile = 64 << 10

  @Sendable static func candidates(words: [String], index: Int, prefix: String) async -> [String] {
    let all = ["local"] + services(in: World.current.environment).map { "service=\($0)" }
    return all.filter { $0.hasPrefix(prefix) }
  }

  /// The services in the order of the file. Only a part of a long file is read.
  static func services(in environment: [String: String]) -> [String] {
    let path =
      environment["PGSERVICEFILE"] ?? environment["HOME"].map { "\($0)/.pg_service.conf" }
    guard let path, let data = FileManager.default.contents(atPath: path) else { return [] }
    let text = String(decoding: data.prefix(largestFile), as: UTF8.self)
    return text.split(whereSeparator: \.isNewline).compactMap { line in
      guard line.hasPrefix("["), let end = line.firstIndex(of: "]") else { return nil }
      let name = String(line[..<end].dropFirst())
      return name.contains(" ") ? nil : ShellCandidate(name)?.text
    }
  }
}
