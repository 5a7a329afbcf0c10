/// A request that Forgejo or Gitea refuses.
struct ForgejoRefusal: Error {
  enum Kind {
    /// A JSON object with a message.
    case message(String)
    /// 404 in the API's words.
    case notFound
    /// 404 of the router, as text.
    case noRoute
    /// Only a status.
    case empty
  }

  let status: Int
  let kind: Kind

  init(_ status: Int, _ message: String) {
    (self.status, kind) = (status, .message(message))
  }

  private init(_ status: Int, _ kind: Kind) {
    (self.status, self.kind) = (status, kind)
  }

  static let notFound = ForgejoRefusal(404, .notFound)
  static let noRoute = ForgejoRefusal(404, .noRoute)
  /// The refusal of an edit by a stranger.
  static let forbidden = ForgejoRefusal(403, .empty)
  /// In production, an internal error says nothing.
  static let internalError = ForgejoRefusal(500, "")
  static let noWritePermission = ForgejoRefusal(
    403, "user should have a permission to write to a repo")
  static let tokenRequired = ForgejoRefusal(401, "token is required")
}
