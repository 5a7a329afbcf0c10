public import HTTPTargets

/// Where an answer came from: what was asked for, and where redirects led to.
public struct AnswerSource: Hashable, Sendable {
  private let asked: String
  private let answered: String

  /// Notes where an answer came from.
  public init(_ response: Response) {
    answered = response.request.url
    asked = response.redirects.first ?? answered
  }

  /// Whether it is a list of a repository: `/repos/OWNER/NAME/…` with its name in any case, or
  /// `/repositories/ID/…`, where redirects lead, with its number; at the server that was asked.
  ///
  /// - Parameter repository: The repository, as the server has it.
  /// - Returns: Whether it is.
  public func isList(of repository: Repository) -> Bool {
    guard let url = AbsoluteURL(answered), url.origin == Origin(url: asked) else { return false }
    let path = url.rest.prefix { $0 != "?" && $0 != "#" }
    guard let end = path.lastIndex(of: "/") else { return false }
    let folder = path[..<end].lowercased()
    return folder.hasSuffix("/repositories/\(repository.id)")
      || folder.hasSuffix("/repos/\(repository.fullName)".lowercased())
  }
}
