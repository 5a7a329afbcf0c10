/// The target of a hyperlink: a web address of printable ASCII.
///
/// Anything else is refused: the address goes to the terminal in a control sequence
/// ([OSC 8](https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda)), which another control character
/// would end, and a click opens it.
package struct WebLink: Sendable, Hashable {
  /// The longest address that terminals accept, in bytes.
  private static let maximumLength = 2_000

  package let url: String

  /// Takes an absolute address of http or https, and nothing else.
  package init?(_ text: some StringProtocol) {
    guard text.utf8.count <= Self.maximumLength,
      text.utf8.allSatisfy({ 0x21 <= $0 && $0 < 0x7F }),
      ["https://", "http://"].contains(where: { scheme in
        text.utf8.count > scheme.utf8.count && text.prefix(scheme.count).lowercased() == scheme
      })
    else { return nil }
    url = String(text)
  }

  /// The text between the sequences that make it a link.
  package func applied(to text: String) -> String {
    "\u{1B}]8;;\(url)\u{1B}\\\(text)\u{1B}]8;;\u{1B}\\"
  }
}
