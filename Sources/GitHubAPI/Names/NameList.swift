/// Names in one text, separated by commas. As in CSV, a name with a comma stands in quotation marks:
/// `"area: db,cache",bug`.
package enum NameList {
  private struct Part {
    /// As typed, without blanks at its ends.
    var text: Substring
    /// The text between the quotation marks; nil without them.
    var quoted: String?
  }

  /// Reads the names. A comma in a name of `known`, in any letter case, doesn't separate names.
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

  /// Reads up to the comma behind the closing mark; a doubled mark stands for one. Nil for any other text.
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
