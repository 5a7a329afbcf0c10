public import HTTPTypes

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Finds and masks secrets: credentials in header fields, URLs and texts.
public enum Redaction {
  static let mask = "[redacted]"

  private static let secretParts = [
    "token", "key", "secret", "passw", "authorization", "cookie", "credential", "session",
    "signature", "jwt",
  ].map { Array($0.utf8) }
  /// Too short to search for inside a name: `assignee` and `author` aren't secrets.
  private static let secretWords = ["auth", "sig", "otp", "pwd"].map { Array($0.utf8) }

  /// Whether a header field carries credentials: `Authorization`, cookies, and names with `token`, `key`,
  /// `secret`, `password` or the like.
  public static func isSecret(_ name: HTTPField.Name) -> Bool {
    isSecret(parameter: name.canonicalName)
  }

  static func isSecret(parameter name: some StringProtocol) -> Bool {
    // By bytes, because this runs for every field of every stored response.
    let isPlain = name.utf8.allSatisfy { $0 < 0x80 && $0 != UInt8(ascii: "%") }
    return isSecret(
      isPlain
        ? name.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
        : Array(PercentEncoding.decode(name).lowercased().utf8))
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

  /// A server may repeat the secrets that it received.
  package static func hiding(secretsOf request: TargetRequest, in text: String) -> String {
    hiding(secrets(in: request.headers), in: text)
  }

  package static func hiding(secretsOf request: TargetRequest, in body: Data) -> Data {
    secrets(in: request.headers).sorted { $0.count > $1.count }.reduce(body) { body, secret in
      // Almost always there is none, and nothing is copied.
      guard unsafe body.withUnsafeBytes({ unsafe ByteSearch.position(of: secret, in: $0) }) != nil
      else {
        return body
      }
      return Data(ByteSearch.replacing(secret, with: Array(mask.utf8), in: Array(body)))
    }
  }

  /// The text of a body, with the values masked whose names say that they are secret: members of JSON, items of
  /// forms, credentials of URLs, and the request's own. Nil for what isn't text.
  static func body(_ body: Data, of request: TargetRequest) -> String? {
    guard let text = String(validating: body, as: UTF8.self) else { return nil }
    return hiding(secretsOf: request, in: maskingItems(maskingMembers(of: text)[...]))
  }

  /// Works on any text, because a broken body is the one that somebody wants to read.
  private static func maskingMembers(of text: String) -> String {
    let bytes = Array(text.utf8)
    var shown: [UInt8] = []
    var index = 0
    while index < bytes.count {
      guard bytes[index] == quote else {
        shown.append(bytes[index])
        index += 1
        continue
      }
      let end = endOfString(in: bytes, from: index)
      let name = bytes[index..<end].dropFirst().prefix { $0 != quote }
      shown += bytes[index..<end]
      index = end
      let colon = bytes[end...].firstIndex { !isSpace($0) } ?? bytes.count
      // An escaped name may spell anything.
      guard colon < bytes.count, bytes[colon] == UInt8(ascii: ":"),
        name.contains(backslash) || isSecret(parameter: String(decoding: name, as: UTF8.self))
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

  /// The end of a string, of what brackets hold, or of a word.
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

  /// Leaves secrets below eight bytes alone, which are parts of words. By bytes, because a combining mark changes
  /// a secret's last character.
  package static func hiding(_ secrets: [String], in text: String) -> String {
    hiding(secrets.map { Array($0.utf8) }.filter(isLongEnough), in: text)
  }

  private static func hiding(_ secrets: [[UInt8]], in text: String) -> String {
    guard !secrets.isEmpty else { return text }
    // The longest first, because one can contain another.
    let bytes = secrets.sorted { $0.count > $1.count }.reduce(Array(text.utf8)) { text, secret in
      ByteSearch.replacing(secret, with: Array(mask.utf8), in: text)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isLongEnough(_ secret: [UInt8]) -> Bool { secret.count >= 8 }

  static func secrets(in headers: HTTPFields) -> [[UInt8]] {
    headers.filter { isSecret($0.name) }.map { field in
      // `Bearer TOKEN`, or the whole value.
      Array(field.value.utf8.split(separator: UInt8(ascii: " ")).last ?? "".utf8[...])
    }.filter(isLongEnough)
  }

  /// Masks user info, and secret items of query and fragment, in a URL or a text with URLs. If the text isn't a
  /// valid URL, everything up to the last `@` counts as user info, since a mistyped URL's password may end there.
  public static func url(_ url: String) -> String {
    guard Origin(url: url) == nil, let at = url.unicodeScalars.lastIndex(of: "@") else {
      return maskingItems(url[...])
    }
    let scheme = url[..<at].firstRange(of: "://").map { url[..<$0.upperBound] } ?? ""
    return "\(scheme)\(mask)\(maskingItems(url[at...]))"
  }

  /// For a library's message, which may quote a mistyped URL with a password: masks everything from `://`, or
  /// from the first quotation mark, up to the last `@`.
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

  /// By scalars, because an equals sign with a combining mark is another character.
  private static func maskingItems(_ text: Substring) -> String {
    var shown = String.UnicodeScalarView()
    var rest = text.unicodeScalars
    while let equals = rest.firstIndex(of: "=") {
      let before = rest[..<equals]
      let name = before.lastIndex { isDelimiter($0, "?&#;,/<>\" ") }.map { before[$0...] } ?? before
      shown += rest[...equals]
      rest = rest[rest.index(after: equals)...]
      guard isSecret(parameter: Substring(name)) else { continue }
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
