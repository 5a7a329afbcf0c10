internal import HTTPTargets

/// The path that a terminal pastes for a file that is dropped on its window. Terminals quote a path, escape its spaces,
/// or paste a `file:` URL.
package struct PastedPath: Hashable, Sendable {
  /// The absolute path, or a path that begins with `~/`.
  package let path: String

  /// Parses a text of one line; nil unless it is the path of a file that GitHub stores.
  package init?(_ text: String) {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    guard !text.contains(where: \.isNewline), text.utf8.count <= 4_096 else { return nil }
    let path: String
    if text.hasPrefix("file://") {
      let rest = text.dropFirst("file://".count)
      let decoded = PercentEncoding.decode(rest)
      path =
        decoded.hasPrefix("localhost/") ? String(decoded.dropFirst("localhost".count)) : decoded
    } else if let quote = text.first, quote == "'" || quote == "\"" {
      guard text.count > 2, text.last == quote else { return nil }
      let inner = text.dropFirst().dropLast()
      path = quote == "'" ? String(inner.replacing("'\\''", with: "'")) : String(inner)
    } else {
      path = Self.unescaped(text)
    }
    guard path.hasPrefix("/") || path.hasPrefix("~/"), !path.utf8.contains(0),
      AttachmentKind(fileName: path) != nil
    else { return nil }
    self.path = path
  }

  private static func unescaped(_ text: Substring) -> String {
    var result = ""
    var isEscaped = false
    for character in text {
      if character == "\\", !isEscaped {
        isEscaped = true
      } else {
        result.append(character)
        isEscaped = false
      }
    }
    return result
  }
}
