internal import IssueTracker
internal import StyledText

/// The name of a branch that git accepts (<https://git-scm.com/docs/git-check-ref-format>), and that no program takes
/// for an option.
struct BranchName: Sendable, Hashable, CustomStringConvertible {
  let description: String

  /// Creates a name; nil for text that isn't one.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard text.utf8.count <= 244, text != "@", text != "HEAD", text.first != "-",
      text.last != ".", !text.contains(".."), !text.contains("@{"),
      text.unicodeScalars.allSatisfy({
        $0.properties.generalCategory != .control && !" ~^:?*[\\".unicodeScalars.contains($0)
      }),
      parts.allSatisfy({ !$0.isEmpty && $0.first != "." && !$0.hasSuffix(".lock") })
    else { return nil }
    description = text
  }

  /// GitHub's name for the branch of an issue: `12-it-crashes`. It consists of the letters and digits of the title, so
  /// any title makes a valid name.
  init(of number: Int, titled title: String) {
    let words = title.lowercased().unicodeScalars.split { scalar in
      let properties = scalar.properties
      return !(properties.isAlphabetic || properties.numericType != nil)
        || properties.isDefaultIgnorableCodePoint
    }
    let name = words.map(String.init).joined(separator: "-").unicodeScalars.prefix(50)
    description = "\(number)" + (name.isEmpty ? "" : "-\(String(name))").trimmingHyphens
  }

  /// Parses a typed name.
  ///
  /// - Throws: ``CommandFailure`` with the rules.
  init(parsing text: String) throws(CommandFailure) {
    guard let name = BranchName(text) else {
      throw CommandFailure(
        .usage,
        """
        “\(TerminalText(text))” can't be the name of a branch
        Leave out spaces, controls, .., @{ and any of ~^:?*[\\, and begin with a letter or a digit.
        """)
    }
    self = name
  }
}

extension String {
  fileprivate var trimmingHyphens: String {
    var text = self[...]
    while text.last == "-" { text.removeLast() }
    return String(text)
  }
}
