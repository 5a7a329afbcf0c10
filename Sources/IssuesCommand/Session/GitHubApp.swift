internal import IssueTracker
internal import PlatformModules

/// A GitHub App as which the command signs in, and its private key
/// (<https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app>).
struct GitHubApp: Sendable {
  enum Variable {
    static let id = "ISSUES_APP_ID"
    static let installation = "ISSUES_APP_INSTALLATION"
    static let key = "ISSUES_APP_KEY"
    static let keyFile = "ISSUES_APP_KEY_FILE"
  }

  /// The place where the app is installed.
  enum Installation: Sendable, Hashable {
    case id(Int)
    case account(Username)
    case repository(RepositoryName)

    init?(_ text: String) {
      if let id = Int(text), id > 0 {
        self = .id(id)
      } else if let name = RepositoryName(text) {
        self = .repository(name)
      } else if let account = Username(text) {
        self = .account(account)
      } else {
        return nil
      }
    }
  }

  /// The app's id, or its client id.
  let id: String
  /// Nil if the app must be installed only once.
  let installation: Installation?
  private let key: String
  private let crypto: SystemCrypto

  /// The app in the environment; nil if no variable is set.
  ///
  /// - Throws: A failure with the reason if the app or its key is incomplete or invalid. Without it, requests would be
  ///   sent as another user.
  init?(in environment: [String: String]) throws(CommandFailure) {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    func failure(_ message: String) -> CommandFailure { CommandFailure(.badCredentials, message) }
    let pem = try SecretFile.text(in: Variable.key, orFileIn: Variable.keyFile, environment)
    guard let id = value(Variable.id) else {
      guard pem == nil, value(Variable.installation) == nil else {
        throw failure("\(Variable.id) isn't set: set it to the id of the GitHub App")
      }
      return nil
    }
    guard id.utf8.count <= 64, id.utf8.allSatisfy(Self.isOfID) else {
      throw failure("\(Variable.id) isn't the id or the client id of a GitHub App")
    }
    guard let pem else {
      throw failure(
        "the private key of the GitHub App \(id) is missing\nSet \(Variable.keyFile) to the file with it."
      )
    }
    let installation = value(Variable.installation)
    self.id = id
    self.installation = installation.flatMap(Installation.init)
    guard installation == nil || self.installation != nil else {
      throw failure(
        "\(Variable.installation) isn't an installation: use its number, OWNER or OWNER/REPO")
    }
    crypto = try SystemCrypto()
    // A variable in a file for containers often has its line breaks as \n.
    key = pem.replacing("\\n", with: "\n")
    guard crypto.signature(of: Data(), key: key) != nil else {
      let variable = value(Variable.key) == nil ? Variable.keyFile : Variable.key
      throw failure(
        "\(variable) has no private RSA key in the PEM format\n"
          + "Use the file that GitHub creates on the app's page, without a passphrase.")
    }
  }

  private static func isOfID(_ byte: UInt8) -> Bool {
    byte.isASCIILetterOrDigit || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: "-")
  }

  /// Whether the app belongs to a server: that of `--api-url`, or else of `GH_HOST`, or else github.com. Another host
  /// comes from a clone or a pasted address, and its author would receive what the app may do.
  static func belongs(
    to server: GitHubServer, isNamedByURL: Bool, in environment: [String: String]
  ) -> Bool {
    guard !isNamedByURL else { return true }
    guard let host = environment["GH_HOST"], !host.isEmpty else { return server == .github }
    return (try? GitHubServer(host: host))?.origin == server.origin
  }

  /// A JSON Web Token ([RFC 7519](https://www.rfc-editor.org/rfc/rfc7519)), with which the app signs in for nine
  /// minutes. GitHub allows ten, and recommends that it begins a minute ago, because clocks differ.
  ///
  /// It is always the same three lines, which need no library.
  func webToken(at now: Date) throws(NetworkError) -> String {
    let time = Int(now.timeIntervalSince1970)
    let claims = #"{"iat":\#(time - 60),"exp":\#(time + 540),"iss":"\#(id)"}"#
    let content =
      Self.base64(Data(#"{"alg":"RS256","typ":"JWT"}"#.utf8)) + "."
      + Self.base64(Data(claims.utf8))
    guard let signature = crypto.signature(of: Data(content.utf8), key: key) else {
      throw NetworkError(.encoding, "the private key of the GitHub App \(id) can't sign")
    }
    return "\(content).\(Self.base64(signature))"
  }

  /// Base64 for URLs, without padding ([RFC 4648](https://www.rfc-editor.org/rfc/rfc4648#section-5)).
  private static func base64(_ data: Data) -> String {
    data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }
}
