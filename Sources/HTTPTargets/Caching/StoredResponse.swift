public import HTTPTypes

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A whole answer with status 200, as a ``ResponseStore`` keeps it.
public struct StoredResponse: Sendable, Hashable {
  /// The URL that was answered from, where redirects led to.
  public var url: String
  /// The URLs that redirected on the way there, oldest first.
  public var redirects: [String]
  /// The header fields.
  public var headers: HTTPFields
  /// The body, decompressed.
  public var body: Data
  /// A fingerprint of the request's fields that the answer's `Vary` names.
  var variant: String

  /// Takes what there is to store out of an answer to a request; nil if the answer isn't to be stored.
  ///
  /// Only an answer with status 200 that names a validator to ask about, and that isn't marked with
  /// `no-store`, is stored
  /// ([RFC 9111, section 3](https://www.rfc-editor.org/rfc/rfc9111#section-3)).
  init?(_ response: Response, to request: Request) {
    self.init(
      url: response.request.url, redirects: response.redirects, headers: response.headers,
      body: response.body, variant: "")
    guard response.status == .ok, hasValidator, !response.headers.forbidStoring,
      let variant = Self.variant(of: request, by: response.headers)
    else { return nil }
    self.variant = variant
  }

  init(url: String, redirects: [String], headers: HTTPFields, body: Data, variant: String) {
    self.url = url
    self.redirects = redirects
    self.headers = headers
    self.body = body
    self.variant = variant
  }

  /// Whether it answers a request with this key, too: a server may choose between answers by other fields.
  func answers(_ request: Request) -> Bool {
    Self.variant(of: request, by: headers) == variant && body.count <= request.maximumBodySize
  }

  /// The entity tag, weak or not.
  var entityTag: String? { headers[.eTag].flatMap { $0.isEmpty ? nil : $0 } }

  /// The time of the last change, as the server wrote it.
  var lastModified: String? { headers[.lastModified].flatMap { $0.isEmpty ? nil : $0 } }

  private var hasValidator: Bool { entityTag != nil || lastModified != nil }

  /// Returns what of it may be kept; nil if that is nothing.
  ///
  /// Nothing is kept of an answer that was cut short, which libcurl can't tell of a compressed one: the
  /// server would confirm it over and over. Nor of one with a secret in its URLs. Header fields with
  /// credentials in them, such as `Set-Cookie`, are left out.
  ///
  /// It takes a look at every byte. A store calls this before it keeps an answer, where nobody waits.
  public func keepable() -> StoredResponse? {
    guard isWhole, !([url] + redirects).contains(where: Self.hasSecret) else { return nil }
    var kept = self
    if headers.contains(where: { Redaction.isSecret($0.name) }) {
      kept.headers = headers.filtered { !Redaction.isSecret($0.name) }
    }
    return kept.headers.contains { Self.hasSecret($0.value) } ? nil : kept
  }

  /// Whether a URL, or text with URLs in it, has something secret in it.
  private static func hasSecret(_ text: String) -> Bool {
    // Without these there is neither an item of a query nor user information.
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "@") })
    else { return false }
    return Redaction.url(text) != text
  }

  private var isWhole: Bool {
    headers.describeJSON
      ? JSONBrackets.areClosed(in: body) == true : !headers.contains(.contentEncoding)
  }

  /// A fingerprint of the fields that `Vary` names; nil for `*`, which no request matches.
  ///
  /// Credentials are left out: the key has them.
  private static func variant(of request: Request, by headers: HTTPFields) -> String? {
    var fingerprint = Fingerprint()
    for name in headers.listed(in: .vary).sorted() {
      guard name != "*", let name = HTTPField.Name(name) else { return nil }
      guard !Redaction.isSecret(name) else { continue }
      fingerprint.combine(name.canonicalName)
      for value in request.headers[values: name] { fingerprint.combine(value) }
    }
    return fingerprint.text
  }
}

extension StoredResponse: CustomStringConvertible, CustomReflectable {
  /// URL and length, without anything secret.
  public var description: String { "\(body.count) bytes of \(Redaction.url(url))" }

  /// Shows what ``description`` shows: header fields can hold secrets.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension HTTPFields {
  /// Whether `Cache-Control` says so.
  var forbidStoring: Bool { listed(in: .cacheControl).contains("no-store") }

  /// The members of a list in lower case.
  func listed(in name: HTTPField.Name) -> [String] {
    self[values: name].flatMap { $0.split(separator: ",") }
      .map { $0.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }.lowercased() }
      .filter { !$0.isEmpty }
  }
}
