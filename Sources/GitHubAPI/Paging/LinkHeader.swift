/// The links in the `Link` header fields of a response (RFC 8288, section 3).
///
/// ```swift
/// LinkHeader(["<https://api.github.com/x?page=2>; rel=\"next\""]).next  // https://api.github.com/x?page=2
/// ```
package struct LinkHeader: Hashable, Sendable {
  /// A link.
  package struct Link: Hashable, Sendable {
    /// The target, as sent by the server. It may be relative, and may lead to any host.
    package let target: String
    /// The relations in lowercase, from only the first `rel` parameter (RFC 8288, section 3.3).
    package let relations: [String]
    /// All parameters, in order.
    package let parameters: [Parameter]

    /// Creates a link from its target and parameters.
    package init(target: String, parameters: [Parameter]) {
      self.target = target
      self.parameters = parameters
      let relation = parameters.first { $0.name == "rel" }?.value ?? ""
      relations = relation.lowercased().split { $0 == " " || $0 == "\t" }.map(String.init)
    }
  }

  /// A parameter of a link.
  package struct Parameter: Hashable, Sendable {
    /// The name in lowercase.
    package let name: String
    /// The value without quotation marks and escapes; empty if there is only a name.
    package let value: String

    /// Creates a parameter. The letter case of its name doesn't matter.
    package init(name: String, value: String) {
      self.name = name.lowercased()
      self.value = value
    }
  }

  /// The links of all fields, in order.
  package let links: [Link]

  /// The maximum length of a header in bytes, far beyond the limits of servers.
  static let maximumLength = 65_536

  /// Parses the values of a response's `Link` fields, in order. Malformed links are skipped up to the next comma.
  package init(_ fieldValues: [String]) {
    var links: [Link] = []
    var remaining = Self.maximumLength
    for value in fieldValues {
      guard value.utf8.count <= remaining else { break }
      remaining -= value.utf8.count
      var parser = LinkParser(bytes: Array(value.utf8))
      while let link = parser.next() {
        links.append(link)
      }
    }
    self.links = links
  }

  /// Returns the first target with a relation. Links with an `anchor` are skipped, because they belong to another page
  /// (RFC 8288, section 3.2).
  package func target(of relation: String) -> String? {
    let relation = relation.lowercased()
    return links.first { link in
      link.relations.contains(relation) && !link.parameters.contains { $0.name == "anchor" }
    }?.target
  }

  /// The target of the next page, as sent by the server.
  package var next: String? { target(of: "next") }
}

/// Parses links (RFC 8288, appendix B.2). Each step consumes at least one byte or ends.
private struct LinkParser {
  let bytes: [UInt8]
  var position = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func next() -> LinkHeader.Link? {
    while position < bytes.count {
      skipBlanks()
      if skip("<") {
        // Without an end here, later links don't have one either. Searching for each of them would take quadratic time.
        guard let end = bytes[position...].firstIndex(of: UInt8(ascii: ">")) else { return nil }
        let target = text(position..<end)
        position = end + 1
        let parameters = parameters()
        skipElement()
        return LinkHeader.Link(target: target, parameters: parameters)
      }
      skipElement()
    }
    return nil
  }

  private mutating func parameters() -> [LinkHeader.Parameter] {
    var parameters: [LinkHeader.Parameter] = []
    while true {
      skipBlanks()
      guard skip(";") else { return parameters }
      skipBlanks()
      let name = token(until: "=;, \t")
      skipBlanks()
      var value = ""
      if skip("=") {
        skipBlanks()
        value = peek("\"") ? quotedString() : token(until: ";,")
      }
      if !name.isEmpty {
        parameters.append(LinkHeader.Parameter(name: name, value: value))
      }
    }
  }

  /// Parses a quoted string (RFC 9110, section 5.6.4). An unclosed string ends at the end of the field.
  private mutating func quotedString() -> String {
    position += 1
    var value: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\"") { break }
      if byte == UInt8(ascii: "\\"), position < bytes.count {
        value.append(bytes[position])
        position += 1
      } else {
        value.append(byte)
      }
    }
    return String(decoding: value, as: UTF8.self)
  }

  private mutating func token(until delimiters: String) -> String {
    let start = position
    while position < bytes.count, !delimiters.utf8.contains(bytes[position]) {
      position += 1
    }
    var end = position
    while end > start, isBlank(bytes[end - 1]) { end -= 1 }
    return text(start..<end)
  }

  private mutating func skipElement() {
    while position < bytes.count {
      if peek("\"") {
        _ = quotedString()
      } else if skip(",") {
        return
      } else {
        position += 1
      }
    }
  }

  private mutating func skipBlanks() {
    while position < bytes.count, isBlank(bytes[position]) { position += 1 }
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard peek(character) else { return false }
    position += 1
    return true
  }

  private func peek(_ character: Unicode.Scalar) -> Bool {
    position < bytes.count && bytes[position] == UInt8(ascii: character)
  }

  private func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }
}
