/// The target of a hyperlink: an absolute http or https address of printable ASCII.
///
/// The address goes to the terminal in a control sequence
/// ([OSC 8](https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda)), which a control character would end.
package struct WebLink: Sendable, Hashable {
  /// The limit in bytes, as in terminals.
  private static let maximumLength = 2_000

  package let url: String

  package init?(_ text: some StringProtocol) {
    guard text.utf8.count <= Self.maximumLength,
      text.utf8.allSatisfy({ 0x21 <= $0 && $0 < 0x7F }),
      ["https://", "http://"].contains(where: { scheme in
        text.utf8.count > scheme.utf8.count && text.prefix(scheme.count).lowercased() == scheme
      })
    else { return nil }
    url = String(text)
  }

  package func applied(to text: String) -> String {
    "\u{1B}]8;;\(url)\u{1B}\\\(text)\u{1B}]8;;\u{1B}\\"
  }
}
