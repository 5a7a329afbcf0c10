internal import HTTPTypes

/// What an answer is stored under: method, URL, the header fields that choose between answers, and a
/// fingerprint of the credentials.
///
/// The same request has the same key in every process. The key holds no secret: credentials are in it as
/// a fingerprint only, and a request whose URL has a secret in it has no key.
public struct ResponseKey: Sendable, Hashable {
  /// The key in full; a line each.
  public let text: String

  /// A name of 32 hexadecimal digits. Two keys can have the same one, if hardly ever.
  public var name: String { Fingerprint([text]).text }

  /// Makes the key of a request.
  ///
  /// Fields that choose between answers are `Accept`, its relatives `Accept-Language` and so on, and
  /// those that name the version of an API, by the end of their names: `X-GitHub-Api-Version`. Servers
  /// don't name these in `Vary` as they should.
  ///
  /// - Returns: Nil for a request whose answers aren't to be stored.
  public init?(_ request: Request) {
    guard !Redaction.hasSecret(inURL: request.url) else { return nil }
    var lines: [String] = []
    var secrets: [String] = []
    for field in request.headers {
      let name = field.name.canonicalName
      if name == "accept" || name.hasPrefix("accept-") || name.hasSuffix("-version") {
        lines.append("\(name): \(field.value)")
      } else if Redaction.isSecret(field.name) {
        secrets.append("\(name): \(field.value)")
      }
    }
    text =
      "\(request.method.rawValue) \(request.url)\n"
      + lines.sorted().map { "\($0)\n" }.joined() + "credentials: \(Self.fingerprint(secrets))"
  }

  private static func fingerprint(_ secrets: [String]) -> String {
    secrets.isEmpty ? "none" : Fingerprint(secrets.sorted()).text
  }
}
