internal import IssueTracker
internal import PlatformModules

/// The forges of servers that were asked, so that each is asked only once. Each line of the file beside the history
/// contains a host, its forge and a time. A server is asked again after a month, because it may have moved.
struct ForgeMemory: Sendable {
  /// The lifetime of a line in seconds.
  private static let lifetime = 30 * 86_400

  private let file: StateFile

  /// Returns nil if no folder is configured.
  init?(environment: [String: String]) {
    guard let file = StateFile(named: "forges", largest: 64 << 10, environment: environment)
    else { return nil }
    self.file = file
  }

  func forge(of server: GitHubServer, now: Date = Date()) -> Forge? {
    let line = lines(now).last { $0.hasPrefix("\(server.host) ") }
    return line.flatMap { Forge(rawValue: String($0.split(separator: " ")[1])) }
  }

  func note(_ forge: Forge, of server: GitHubServer, now: Date = Date()) {
    let others = lines(now).filter { !$0.hasPrefix("\(server.host) ") }
    file.replace(
      with: others + ["\(server.host) \(forge.rawValue) \(Int(now.timeIntervalSince1970))"])
  }

  private func lines(_ now: Date) -> [String] {
    file.lines.map(String.init).filter {
      let parts = $0.split(separator: " ")
      guard parts.count == 3, let time = Double(parts[2]) else { return false }
      return now.timeIntervalSince1970 - time < Double(Self.lifetime)
    }
  }
}
