/// The software that a loopback server imitates.
public enum LoopbackForge: String, Sendable, CaseIterable {
  /// GitHub.
  case gitHub = "github"
  /// Forgejo, which continues an early Gitea.
  case forgejo
  /// Gitea.
  case gitea

  /// The text of `/api/v1/version`. Forgejo's names the Gitea that it descends from.
  var version: String { self == .forgejo ? "11.0.1+gitea-1.22.0" : "1.24.0" }

  /// The API's path within the server.
  public var apiPath: String { self == .gitHub ? "" : "/api/v1" }

  /// The longest title, in bytes on Forgejo and in characters on Gitea.
  private static let longestTitle = 255

  /// A title as the server stores it: cut to its greatest length.
  public func stored(title: String) -> String {
    let (characters, most) = (title.unicodeScalars, Self.longestTitle)
    switch self {
    case .gitHub: return title
    case .gitea:
      guard characters.count > most else { return title }
      return String(String.UnicodeScalarView(characters.prefix(most - 1))) + "…"
    case .forgejo:
      var cut = String.UnicodeScalarView()
      var size = 0
      for character in characters {
        size += UTF8.width(character)
        if size > most { break }
        cut.append(character)
      }
      return String(cut)
    }
  }

  /// What its API calls a milestone with a number.
  public func milestoneID(_ number: Int) -> Int {
    self == .gitHub ? number : ForgejoJSON.milestoneID(number)
  }
}
