import PlatformModules

/// An example of the GitHub Flavored Markdown Spec.
struct SpecificationExample: Codable, Sendable {
  /// The heading above it.
  var section: String
  /// The document.
  var markdown: String
  /// Its HTML.
  var html: String

  /// All examples, in order.
  static func all() throws -> [SpecificationExample] {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "examples.json")
    return try JSONDecoder().decode([SpecificationExample].self, from: Data(contentsOf: file))
  }

  /// The words of the HTML's text.
  var words: [Substring] {
    var text = html
    for tag in [
      /<!--.*?-->/.dotMatchesNewlines(), /<\?.*?\?>/.dotMatchesNewlines(),
      /<![A-Z].*?>/.dotMatchesNewlines(), /<!\[CDATA\[.*?\]\]>/.dotMatchesNewlines(),
      /<\/?[A-Za-z](?:"[^"]*"|'[^']*'|[^>"'])*>/,
    ] as [Regex<Substring>] {
      text = text.replacing(tag, with: " ")
    }
    for (entity, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")] {
      text = text.replacing(entity, with: character)
    }
    return text.split { !$0.isLetter && !$0.isNumber }
  }
}
