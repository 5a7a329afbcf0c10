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
  /// Only an answer with status 200 that names a validator to ask about, where one is needed, and that isn't
  /// marked with `no-store`, is stored
  /// ([RFC 9111, section 3](https://www.rfc-editor.org/rfc/rfc9111#section-3)); and none that repeats a
  /// secret of the request's, as servers for tests do and those that report errors may: a store can be a
  /// folder.
  init?(_ response: Response, to request: Request, needsValidator: Bool = true) {
    self.init(
      url: response.request.url, redirects: response.redirects, headers: response.headers,
      body: response.body, variant: "")
    guard response.status == .ok, hasValidator || !needsValidator, !response.headers.forbidStoring,
      headers.count <= Self.maximumFields,
      let variant = Self.variant(of: request, by: response.headers)
    else { return nil }
    self.variant = variant
    // One that an interceptor inside got with credentials isn't for whoever asks without.
    let isForAnybody = !request.headers.contains { Redaction.isSecret($0.name) }
    guard
      !isForAnybody || !response.request.headers.contains(where: { Redaction.isSecret($0.name) })
    else { return nil }
    guard !repeats(Redaction.secrets(in: request.headers + response.request.headers)) else {
      return nil
    }
  }

  /// Whether any of these is in it.
  private func repeats(_ secrets: [[UInt8]]) -> Bool {
    secrets.contains { secret in
      body.withUnsafeBytes { ByteSearch.position(of: secret, in: $0) != nil }
        || headers.contains { field in
          Array(field.value.utf8).withUnsafeBytes {
            ByteSearch.position(of: secret, in: $0) != nil
          }
        }
    }
  }

  init(url: String, redirects: [String], headers: HTTPFields, body: Data, variant: String) {
    self.url = url
    self.redirects = redirects
    self.headers = headers
    self.body = body
    self.variant = variant
  }

  /// The most header fields that are stored, and that a 304 updates to. Each 304 may bring others, and
  /// `HTTPFields` traps beyond 65,535.
  static let maximumFields = 2000

  /// Whether a 304 with these fields can update it.
  func hasRoom(for fields: HTTPFields) -> Bool {
    headers.count + fields.count <= Self.maximumFields
  }

  /// Whether it answers a request with this key, too: a server may choose between answers by other fields.
  func answers(_ request: Request) -> Bool {
    Self.variant(of: request, by: headers) == variant && body.count <= request.maximumBodySize
  }

  /// The entity tag, weak or not.
  var entityTag: String? { headers[.eTag].flatMap(Self.validator) }

  /// The time of the last change, as the server wrote it.
  var lastModified: String? { headers[.lastModified].flatMap(Self.validator) }

  /// Servers take 8 KiB of a request's fields, or a few times that: one with a longer tag would be refused,
  /// each time from then on.
  private static func validator(_ text: String) -> String? {
    text.isEmpty || text.utf8.count > 1024 ? nil : text
  }

  private var hasValidator: Bool { entityTag != nil || lastModified != nil }

  /// Returns what of it may be kept; nil if that is nothing.
  ///
  /// Nothing is kept of an answer that was cut short, which libcurl can't tell of a compressed one: the
  /// server would confirm it over and over. Nor of one with a secret in its URLs. Header fields with
  /// credentials in them, such as `Set-Cookie`, are left out.
  ///
  /// It takes a look at every byte. A store calls this before it keeps an answer, where nobody waits.
  public func keepable() -> StoredResponse? {
    guard isWhole, !([url] + redirects).contains(where: Redaction.hasSecret(inURL:)) else {
      return nil
    }
    var kept = self
    if headers.contains(where: { Redaction.isSecret($0.name) }) {
      kept.headers = headers.filtered { !Redaction.isSecret($0.name) }
    }
    return kept.headers.contains { Redaction.hasSecret(inURL: $0.value) } ? nil : kept
  }

  private var isWhole: Bool {
    headers.describeJSON
      ? JSONBrackets.areClosed(in: body) == true : !headers.contains(.contentEncoding)
  }

  /// A fingerprint of the fields that `Vary` names; nil for `*`, which no request matches.
  private static func variant(of request: Request, by headers: HTTPFields) -> String? {
    let names = headers.listed(in: .vary)
    guard !names.contains("*") else { return nil }
    let fields = request.headers.filter { names.contains($0.name.canonicalName) }
      .map { "\($0.name.canonicalName): \($0.value)" }
    return fields.isEmpty ? "" : Fingerprint(fields.sorted()).text
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
    // Blanks are no part of a name or a directive, and values of directives aren't asked for.
    self[values: name].flatMap { value in
      value.utf8.split { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ") || $0 == 0x09 }
        .map { Substring($0).lowercased() }
    }
  }
}
