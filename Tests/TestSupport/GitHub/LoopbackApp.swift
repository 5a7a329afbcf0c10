internal import CTLS
internal import PlatformModules

/// A GitHub App with one installation: how it signs in, and what its tokens are worth.
///
/// https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app
public struct LoopbackApp: Sendable {
  /// The app's id.
  public var id = "12"
  /// The number of the installation.
  public var installation = 345
  /// The account where the app is installed.
  public var account = "acme"
  /// Whether the account is an organization.
  public var isOrganization = true
  /// The life of a token in seconds.
  public var tokenLife = 3600

  /// Creates an app.
  public init() {}

  /// OpenSSL isn't on this machine.
  public struct NoKey: Error {}

  // Safe to share: the key never changes, and OpenSSL allows signatures to be checked with it from any thread.
  private struct Key: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer
  }

  private static let key: Key? = TLSLibrary.problem == nil ? ctls_make_key().map(Key.init) : nil

  /// The app's private key, as GitHub issues it (PKCS #1) and as other programs convert it (PKCS #8).
  public static func privateKey(isPKCS8: Bool = false) throws -> String {
    var text = [CChar](repeating: 0, count: 8_192)
    guard let key,
      case let length = ctls_write_key(key.pointer, isPKCS8 ? 1 : 0, &text, CInt(text.count)),
      length > 0
    else { throw NoKey() }
    return String(decoding: text.prefix(Int(length)).map(UInt8.init), as: UTF8.self)
  }

  private static func isSigned(_ content: String, by signature: Data) -> Bool {
    guard let key else { return false }
    let (signature, content) = (Array(signature), Array(content.utf8))
    return ctls_verify(
      key.pointer, signature, UInt(signature.count), content, UInt(content.count)) == 1
  }

  private struct Claims: Decodable {
    var iat: Int
    var exp: Int
    var iss: String
  }

  /// The reason that GitHub refuses a web token; nil for a valid one.
  func refusal(of webToken: String?, now: Int) -> String? {
    let undecodable = "A JSON web token could not be decoded"
    let parts = (webToken ?? "").split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Self.decoded(parts[0]),
      let content = Self.decoded(parts[1]),
      let signature = Self.decoded(parts[2]),
      String(decoding: header, as: UTF8.self).contains("RS256"),
      let claims = try? JSONDecoder().decode(Claims.self, from: content),
      Self.isSigned("\(parts[0]).\(parts[1])", by: signature)
    else { return undecodable }
    if claims.iss != id { return "Integration not found" }
    if claims.exp <= now {
      return
        "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires"
    }
    if claims.exp > now + 600 { return "'Expiration time' claim ('exp') is too far in the future" }
    if claims.iat > now {
      return
        "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued"
    }
    return nil
  }

  private static func decoded(_ part: Substring) -> Data? {
    let text = part.replacing("-", with: "+").replacing("_", with: "/")
    return Data(base64Encoded: text + String(repeating: "=", count: (4 - text.count % 4) % 4))
  }
}

extension GitHubEndpoints {
  /// The answer to a request that an app makes with a web token; nil for other requests.
  func appAnswer(_ parts: [String]) -> LoopbackResponse? {
    guard let app = github.configuration.app else { return nil }
    let isFound: Bool
    switch (request.method, parts.first, parts.count) {
    case ("POST", "app", 4) where parts[1] == "installations" && parts[3] == "access_tokens":
      isFound = parts[2] == "\(app.installation)"
    case ("GET", "app", 2) where parts[1] == "installations": isFound = true
    case ("GET", "repos", 4) where parts[3] == "installation":
      isFound = parts[1].lowercased() == app.account
    case ("GET", "orgs", 3) where parts[2] == "installation":
      isFound = parts[1].lowercased() == app.account && app.isOrganization
    case ("GET", "users", 3) where parts[2] == "installation":
      isFound = parts[1].lowercased() == app.account && !app.isOrganization
    default: return nil
    }
    if let refusal = app.refusal(of: LoopbackGitHub.token(of: request), now: now) {
      return .json(#"{"message":\#(JSONText.string(refusal))}"#, status: 401)
    }
    guard isFound else { return notFound }
    let installation = """
      {"id":\(app.installation),"app_id":\(app.id),"account":{"login":\(JSONText.string(app.account))}}
      """
    if parts.last == "installations" { return .json("[\(installation)]") }
    guard request.method == "POST" else { return .json(installation) }
    let (token, end) = github.grantToken(until: now + app.tokenLife)
    return .json(
      """
      {"token":"\(token)","expires_at":"\(Timestamp.iso8601(end))",\
      "permissions":{"issues":"read","metadata":"read"},"repository_selection":"all"}
      """, status: 201)
  }
}
