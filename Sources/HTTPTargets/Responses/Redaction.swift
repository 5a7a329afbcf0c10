public import HTTPTypes
package import PlatformModules

/// Finds and masks secrets in header fields, URLs, bodies and text. It recognizes secrets by their names, in any letter
/// case.
///
/// - Any name that contains `token`, `key`, `secret`, `passw`, `passcode`, `passphrase`, `authorization`, `cookie`,
///   `credential`, `session`, `signature` or `jwt` is secret.
/// - A name with one of these words is also secret: `auth`, `sig`, `otp` and `pwd`, as in `X-Auth`.
/// - An item of a query or a form, a part of a multipart form, and a JSON member are also secret if the complete name
///   is `access`, `refresh`, `bearer`, `pass`, `pin`, `code`, `code_verifier` or `device_code`. `country_code` isn't
///   secret. In the JSON of a response, `code` is shown, because it identifies an error there.
///
/// If a response repeats the credentials of its request, they are also masked. A secret with another name isn't
/// recognized.
public enum Redaction {
  static let mask = "[redacted]"

  private static let secretParts = [
    "token", "key", "secret", "passw", "passcode", "passphrase", "authorization", "cookie",
    "credential", "session", "signature", "jwt",
  ].map { Array($0.utf8) }
  /// Words that are secret only as a whole word, because they are too short to search for inside a name: `assignee` and
  /// `author` aren't secret.
  private static let secretWords = ["auth", "sig", "otp", "pwd"].map { Array($0.utf8) }
  /// Names that are secret only as complete names, and not as names of header fields: `country_code`, `pinned`,
  /// `accessory` and the field `Refresh` aren't secret. The names of OAuth are from RFCs 6749, 7636 and 8628.
  private static let secretItems = [
    "access", "refresh", "bearer", "pass", "pin", code, "code_verifier", "device_code",
  ].map { Array($0.utf8) }
  /// In a request, a code of OAuth or of a second factor grants access. In the JSON of a response, a code identifies an
  /// error (`"code": "already_exists"`) that users must see.
  private static let code = "code"

  /// Whether a header field contains credentials, such as `Authorization`, cookies, and names with `token`, `key`,
  /// `secret` or `password`.
  public static func isSecret(_ name: HTTPField.Name) -> Bool {
    isSecret(parameter: name.canonicalName)
  }

  static func isSecret(parameter name: some StringProtocol) -> Bool {
    isSecret(lowercased(name))
  }

  /// Whether the name of an item of a query or a form, of a part of a form, or of a JSON member is secret.
  private static func isSecret(item name: some StringProtocol) -> Bool {
    let name = lowercased(name)
    return isSecret(name) || secretItems.contains(name)
  }

  private static func lowercased(_ name: some StringProtocol) -> [UInt8] {
    // Compares bytes, because this runs for every field of every stored response.
    let isPlain = name.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "%") }
    return isPlain
      ? name.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
      : Array(PercentEncoding.decode(name).lowercased().utf8)
  }

  private static func isSecret(_ name: [UInt8]) -> Bool {
    func isIn(_ part: [UInt8]) -> Bool {
      guard part.count <= name.count else { return false }
      return (0...(name.count - part.count)).contains { start in
        name[start] == part[0] && name[start..<start + part.count].elementsEqual(part)
      }
    }
    if secretParts.contains(where: isIn) { return true }
    return name.split { byte in
      byte < 0x80
        && !(0x30...0x39).contains(byte) && !(0x41...0x5A).contains(byte)
        && !(0x61...0x7A).contains(byte)
    }.contains { word in secretWords.contains { word.elementsEqual($0) } }
  }

  /// The value of a header field, masked if it is secret.
  public static func value(of field: HTTPField) -> String {
    isSecret(field.name) ? mask : url(field.value)
  }

  /// Masks the secrets of a request in other text, because a server may repeat them.
  package static func hiding(secretsOf request: TargetRequest, in text: String) -> String {
    hiding(secrets(in: request.headers), in: text)
  }

  package static func hiding(secretsOf request: TargetRequest, in body: Data) -> Data {
    secrets(in: request.headers).sorted { $0.count > $1.count }.reduce(body) { body, secret in
      // A body rarely contains a secret, and then it isn't copied.
      guard unsafe body.withUnsafeBytes({ unsafe ByteSearch.position(of: secret, in: $0) }) != nil
      else {
        return body
      }
      return Data(ByteSearch.replacing(secret, with: Array(mask.utf8), in: Array(body)))
    }
  }

  /// Returns the text of a body with masked secrets: JSON members, items and parts of forms, credentials in URLs, and
  /// the secrets of the request. Returns nil for a body that isn't text.
  static func body(
    _ body: Data, of request: TargetRequest, isAnswer: Bool = false
  ) -> String? {
    guard String(validating: body, as: UTF8.self) != nil else { return nil }
    let text = maskingMembers(of: maskingParts(of: Array(body)), isAnswer: isAnswer)
    return hiding(secretsOf: request, in: maskingItems(text[...]))
  }

  /// Returns a piece of a body with masked secrets. In a piece that isn't text, only parts of forms and the secrets of
  /// the request are masked.
  static func piece(_ piece: Data, of request: TargetRequest) -> Data {
    body(piece, of: request).map { Data($0.utf8) }
      ?? hiding(secretsOf: request, in: Data(maskingParts(of: Array(piece))))
  }

  /// Masks the parts of a form (RFC 7578) whose names are secret. The boundary needn't be known, and other parts may
  /// contain any bytes.
  private static func maskingParts(of body: [UInt8]) -> [UInt8] {
    var shown: [UInt8] = []
    var boundary: ArraySlice<UInt8>?
    var (isHead, isMasked) = (false, false)
    var rest = body[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
      let line = rest[..<end]
      let words = line.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
      rest = rest[end...]
      if words.starts(with: boundary ?? ArraySlice("--".utf8)) {
        if isMasked, !isHead { shown += "\r\n".utf8 }
        boundary = boundary ?? words
        (isHead, isMasked) = (true, false)
        shown += line
      } else if isHead {
        shown += line
        isMasked = isMasked || namesSecretPart(String(decoding: words, as: UTF8.self))
        isHead = !words.isEmpty
        if isMasked, !isHead { shown += mask.utf8 }
      } else if !isMasked {
        shown += line
      }
    }
    return shown
  }

  /// Whether a line in the head of a part has a secret name, such as `Content-Disposition: form-data; name="token"`.
  /// The name of a file (`filename=`) doesn't count.
  private static func namesSecretPart(_ line: String) -> Bool {
    let line = line.lowercased()
    return line.ranges(of: "name=").contains { range in
      guard let before = line[..<range.lowerBound].last, "; \t".contains(before) else {
        return false
      }
      let value = line[range.upperBound...]
      return isSecret(
        item: value.first == "\""
          ? value.dropFirst().prefix { $0 != "\"" } : value.prefix { !"; \t".contains($0) })
    }
  }

  /// Masks secret JSON members. It works even on invalid JSON, because users need to read a broken body most.
  private static func maskingMembers(of bytes: [UInt8], isAnswer: Bool) -> String {
    var shown: [UInt8] = []
    var index = 0
    while index < bytes.count {
      guard bytes[index] == quote else {
        shown.append(bytes[index])
        index += 1
        continue
      }
      let end = endOfString(in: bytes, from: index)
      let name = String(
        decoding: bytes[index..<end].dropFirst().prefix { $0 != quote }, as: UTF8.self)
      shown += bytes[index..<end]
      index = end
      let colon = bytes[end...].firstIndex { !isSpace($0) } ?? bytes.count
      // A name with escapes counts as secret, because it may be any name.
      guard colon < bytes.count, bytes[colon] == UInt8(ascii: ":"),
        name.utf8.contains(backslash)
          || isSecret(item: name) && !(isAnswer && name.lowercased() == code)
      else { continue }
      let value = bytes[(colon + 1)...].firstIndex { !isSpace($0) } ?? bytes.count
      shown += bytes[end..<value] + Array("\"\(mask)\"".utf8)
      index = endOfValue(in: bytes, from: value)
    }
    return String(decoding: shown, as: UTF8.self)
  }

  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")

  private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

  private static func endOfString(in bytes: [UInt8], from start: Int) -> Int {
    var index = start + 1
    while index < bytes.count, bytes[index] != quote { index += bytes[index] == backslash ? 2 : 1 }
    return min(index + 1, bytes.count)
  }

  /// Returns the end of a string, of a bracketed value, or of another value.
  private static func endOfValue(in bytes: [UInt8], from start: Int) -> Int {
    var depth = 0
    var index = start
    while index < bytes.count {
      switch bytes[index] {
      case quote:
        index = endOfString(in: bytes, from: index)
        if depth == 0 { return index }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        index += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return index }
        depth -= 1
        index += 1
        if depth == 0 { return index }
      case UInt8(ascii: ",") where depth == 0: return index
      default: index += 1
      }
    }
    return index
  }

  /// Masks secrets in text. Secrets of less than eight bytes stay, because they occur inside other words. The
  /// comparison is by bytes, because a combining mark would change the last character of a secret.
  package static func hiding(_ secrets: [String], in text: String) -> String {
    hiding(secrets.map { Array($0.utf8) }.filter(isLongEnough), in: text)
  }

  private static func hiding(_ secrets: [[UInt8]], in text: String) -> String {
    guard !secrets.isEmpty else { return text }
    // The longest secret comes first, because it can contain another one.
    let bytes = secrets.sorted { $0.count > $1.count }.reduce(Array(text.utf8)) { text, secret in
      ByteSearch.replacing(secret, with: Array(mask.utf8), in: text)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isLongEnough(_ secret: [UInt8]) -> Bool { secret.count >= 8 }

  static func secrets(in headers: HTTPFields) -> [[UInt8]] {
    headers.filter { isSecret($0.name) }.map { field in
      // The last word of a value such as `Bearer TOKEN`, or the whole value.
      Array(field.value.utf8.split(separator: UInt8(ascii: " ")).last ?? "".utf8[...])
    }.filter(isLongEnough)
  }

  /// Masks the user information and the secret items of the query and the fragment, in a URL or in text with URLs. If
  /// the text isn't a valid URL, everything up to the last `@` counts as user information, because the password of a
  /// mistyped URL may end there.
  public static func url(_ url: String) -> String {
    guard Origin(url: url) == nil, let at = url.unicodeScalars.lastIndex(of: "@") else {
      return maskingItems(url[...])
    }
    let scheme = url[..<at].firstRange(of: "://").map { url[..<$0.upperBound] } ?? ""
    return "\(scheme)\(mask)\(maskingItems(url[at...]))"
  }

  /// Masks everything from `://`, or from the first quotation mark, up to the last `@`. Use it for the message of a
  /// library, which may quote a mistyped URL with a password.
  package static func message(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard let at = scalars.lastIndex(of: "@") else { return maskingItems(text[...]) }
    let scheme = text[..<at].firstRange(of: "://")?.upperBound
    let quotation = scalars[..<at].firstIndex { "'\"`".unicodeScalars.contains($0) }
    guard let begin = scheme ?? quotation.map({ scalars.index(after: $0) }) else {
      return maskingItems(text[...])
    }
    return "\(text[..<begin])\(mask)\(maskingItems(text[at...]))"
  }

  static func hasSecret(inURL text: String) -> Bool {
    text.utf8.contains { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "@") } && url(text) != text
  }

  /// Masks secret items. It compares scalars, because an equals sign with a combining mark is a different character.
  private static func maskingItems(_ text: Substring) -> String {
    var shown = String.UnicodeScalarView()
    var rest = text.unicodeScalars
    while let equals = rest.firstIndex(of: "=") {
      let before = rest[..<equals]
      let start = before.lastIndex { isDelimiter($0, "?&#;,/<>\" ") }
      let name = start.map { before[before.index(after: $0)...] } ?? before
      // `Code=260` in a sentence isn't an item.
      let isItem = start.map { isDelimiter(before[$0], "?&#;") } ?? shown.isEmpty
      shown += rest[...equals]
      rest = rest[rest.index(after: equals)...]
      guard isItem ? isSecret(item: Substring(name)) : isSecret(parameter: Substring(name)) else {
        continue
      }
      shown += mask.unicodeScalars
      rest = rest.drop { !isDelimiter($0, "&#<>\" ") }
    }
    shown += rest
    return String(shown)
  }

  private static func isDelimiter(_ scalar: Unicode.Scalar, _ delimiters: String) -> Bool {
    delimiters.unicodeScalars.contains(scalar)
  }
}
