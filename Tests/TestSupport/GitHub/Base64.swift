internal import PlatformModules

/// Base64 of text (RFC 4648, section 4).
enum Base64 {
  static func encode(_ text: String) -> String {
    Data(text.utf8).base64EncodedString()
  }

  static func decode(_ text: String) -> String? {
    Data(base64Encoded: text).map { String(decoding: $0, as: UTF8.self) }
  }
}
