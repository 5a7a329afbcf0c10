internal import HTTPTargets
internal import IssueMirror
internal import IssueTracker
internal import PlatformModules

/// The reasons that repositories are mirrored: the entries on the list of mirrors that include each.
///
/// Only the server knows the user's own and starred repositories, so its last response is stored in a file beside the
/// history, with a line for each source and repository. Without the file, the reasons are missing until the next sync.
struct MirrorReasons: Sendable {
  private static let largestFile = 4 << 20

  private let sources: [MirrorSource]
  private let environment: [String: String]
  private let file: StateFile?
  /// The keys of places, by the source in the configuration's form.
  private var listed: [String: Set<String>] = [:]

  init(of sources: [MirrorSource], environment: [String: String]) {
    (self.sources, self.environment) = (sources, environment)
    file = StateFile(named: "mirrored", largest: Self.largestFile, environment: environment)
    for line in file?.lines ?? [] {
      let words = line.split(separator: " ")
      guard words.count == 2 else { continue }
      listed[String(words[0]), default: []].insert(String(words[1]))
    }
  }

  /// The reasons for a repository, in the order of the list.
  func of(_ repository: MirroredRepository) -> [MirrorSource] {
    guard let name = RepositoryName(repository.fullName) else { return [] }
    let usual = try? GitHubServer(apiURL: nil, host: nil, environment: environment).host
    func isHost(_ host: String?) -> Bool { (host ?? usual) == repository.host }
    let key = "\(repository.host)/\(name)".lowercased()
    return sources.filter { source in
      switch source {
      case .repository(let reference):
        isHost(reference.host) && "\(reference.name)".lowercased() == "\(name)".lowercased()
      case .pattern(let pattern): isHost(pattern.host) && pattern.matches(name)
      case .organization(let owner):
        isHost(nil) && owner.login.lowercased() == name.owner.lowercased()
      case .own, .starred: listed[source.word]?.contains(key) ?? false
      }
    }
  }

  /// Records the repositories that a server listed for a source.
  mutating func note(_ places: [Place], of source: MirrorSource) {
    listed[source.word] = Set(places.map(\.key))
    file?.replace(
      with: listed.sorted { $0.key < $1.key }.flatMap { word, keys in
        keys.sorted().map { "\(word) \($0)" }
      })
  }
}
