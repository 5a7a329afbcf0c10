/// A list of names, separated by commas. As in CSV, a name with a comma is in quotation marks: `"area: db,cache",bug`.
package enum NameList {
  private struct Part {
    /// The text as typed, without surrounding spaces.
    var text: Substring
    /// The text between the quotation marks; nil if there are none.
    var quoted: String?
  }

  /// Parses the names. A comma within a name in `known`, in any letter case, doesn't separate names.
  package static func names(in text: String, known: [String] = []) -> [String] {
    let parts = parts(of: text)
    let known = Set(known.map { $0.lowercased() })
    var names: [String] = []
    var start = parts.startIndex
    while start < parts.endIndex {
      let end = parts.indices[start...].reversed().first { end in
        let joined = text[parts[start].text.startIndex..<parts[end].text.endIndex]
        return end > start && known.contains(joined.lowercased())
      }
      if let end {
        names.append(String(text[parts[start].text.startIndex..<parts[end].text.endIndex]))
      } else {
        names.append(parts[start].quoted ?? String(parts[start].text))
      }
      start = (end ?? start) + 1
    }
    return names
  }

  /// Whether a comma may be part of a name.
  package static func isAmbiguous(_ text: String) -> Bool {
    let parts = parts(of: text)
    return parts.count > 1 && parts.contains { $0.quoted == nil && !$0.text.isEmpty }
  }

  private static func parts(of text: String) -> [Part] {
    var parts: [Part] = []
    var rest = text[...]
    while true {
      rest = rest.drop { $0 == " " }
      let quoted = quotedName(atStartOf: rest)
      let end = quoted?.end ?? rest.firstIndex(of: ",") ?? rest.endIndex
      var part = rest[..<end]
      while part.last == " " { part.removeLast() }
      parts.append(Part(text: part, quoted: quoted?.name))
      guard end < rest.endIndex else { return parts }
      rest = rest[rest.index(after: end)...]
    }
  }

  /// Parses a quoted name up to the comma after its closing quotation mark; nil for any other text. A doubled quotation
  /// mark means a single one.
  private static func quotedName(
    atStartOf text: Substring
  ) -> (name: String, end: String.Index)? {
    guard text.first == "\"" else { return nil }
    var name = ""
    var rest = text.dropFirst()
    while let mark = rest.firstIndex(of: "\"") {
      name += rest[..<mark]
      rest = rest[rest.index(after: mark)...]
      guard rest.first == "\"" else {
        let end = rest.drop { $0 == " " }
        return end.isEmpty || end.first == "," ? (name, end.startIndex) : nil
      }
      name += "\""
      rest = rest.dropFirst()
    }
    return nil
  }
}
