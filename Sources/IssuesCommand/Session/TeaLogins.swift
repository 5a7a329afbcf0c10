internal import IssueTracker
internal import PlatformModules
internal import Yams

/// The tokens of Gitea's command `tea`, which works with Forgejo too
/// (<https://gitea.com/gitea/tea/src/branch/main/modules/config>).
struct TeaLogins {
  private struct File: Decodable {
    var logins: [Login]?
  }

  private struct Login: Decodable {
    var url: String?
    var token: String?
    var isDefault: Bool?

    private enum CodingKeys: String, CodingKey {
      case url, token
      case isDefault = "default"
    }
  }

  private static let largestFile = 256 << 10

  private let environment: [String: String]

  init(environment: [String: String]) {
    self.environment = environment
  }

  /// The token for exactly this server: its host and port. Of several accounts, the default one is used.
  func token(for server: GitHubServer) -> AccessToken? {
    let own = logins.filter { login in
      guard let address = login.url, let origin = Origin(url: address) else { return false }
      return origin == server.origin
    }
    let login = own.first { $0.isDefault == true } ?? own.first
    return login?.token.flatMap { try? AccessToken($0) }
  }

  private var logins: [Login] {
    for path in paths {
      guard let data = FileManager.default.contents(atPath: path) else { continue }
      guard data.count <= Self.largestFile,
        let file = try? YAMLDecoder().decode(File.self, from: data)
      else { return [] }
      return file.logins ?? []
    }
    return []
  }

  private var paths: [String] {
    let folder = UserDirectory.configuration.path(in: environment).map { "\($0)/tea/config.yml" }
    let old = environment["HOME"].map { "\($0)/.tea/tea.yml" }
    return [folder, old].compactMap(\.self)
  }
}
