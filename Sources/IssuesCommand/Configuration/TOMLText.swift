internal import TOMLKit

/// A TOML document, and the lines of its keys.
struct TOMLText {
  let root: TOMLTable
  /// The end of each line, with its line feed.
  private let ends: [String.UTF8View.Index]
  private let text: String

  init(_ text: String) throws(ConfigurationProblem) {
    self.text = text
    ends =
      text.utf8.indices.filter { text.utf8[$0] == UInt8(ascii: "\n") }
      .map { text.utf8.index(after: $0) } + [text.utf8.endIndex]
    // TOMLKit hands texts over as C strings, which end there.
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      guard !line.utf8.contains(0), !line.contains("\\u0000"), !line.contains("\\U00000000") else {
        throw ConfigurationProblem(line: number + 1, "a text can't have the character U+0000")
      }
    }
    do {
      root = try TOMLTable(string: text)
    } catch let error as TOMLParseError {
      throw ConfigurationProblem(line: error.source.begin.line, Self.words(error))
    } catch {
      throw ConfigurationProblem(line: nil, "it can't be read as TOML: \(error)")
    }
  }

  /// Without the parser's `Error while parsing …: `, if the rest says enough.
  private static func words(_ error: TOMLParseError) -> String {
    let place = "at column \(error.source.begin.column)"
    let words = error.description.split(separator: ": ", maxSplits: 1)
    guard words.count == 2, words[0].hasPrefix("Error while parsing ") else {
      return "it isn't TOML, \(place): \(error.description)"
    }
    let subject = words[0].dropFirst("Error while parsing ".count)
    return "it isn't TOML, \(place) (\(subject)): \(words[1])"
  }

  /// Returns the line where the statement begins that sets a key, such as `["views", "triage", "sort"]`.
  ///
  /// TOMLKit doesn't say where a key stands. The statement is the one without which a beginning of the text lacks the
  /// key. A beginning that ends inside of a value doesn't parse.
  func line(of path: [String]) -> Int {
    var (lacking, having) = (0, ends.count)
    func beginning(_ counts: some Sequence<Int>) -> (count: Int, table: TOMLTable)? {
      for count in counts {
        let end = ends[count - 1]
        if let table = try? TOMLTable(string: String(text[..<end])) { return (count, table) }
      }
      return nil
    }
    while having - lacking > 1 {
      let middle = (lacking + having) / 2
      guard
        let (count, table) = beginning((lacking + 1...max(lacking + 1, middle)).reversed())
          ?? beginning(middle + 1..<max(middle + 1, having))
      else { break }
      if Self.has(path, in: table) { having = count } else { lacking = count }
    }
    return lacking + 1
  }

  private static func has(_ path: [String], in table: TOMLTable) -> Bool {
    var table = table
    for name in path.dropLast() {
      guard let next = table[name]?.table else { return false }
      table = next
    }
    return path.last.map { table[$0] != nil } ?? true
  }
}
