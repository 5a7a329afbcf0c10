internal import StyledText

/// The fields that `--json` asks for, and the expression of `--jq`.
struct JSONFields: Sendable, Hashable {
  /// The fields that `--json` accepts, the most important ones first.
  struct Known: Sendable {
    let names: [String]
    /// Whether a server may send others, which are accepted too.
    let isOpen: Bool

    /// The fields of an object that a server sends.
    static func sent(_ names: [String]) -> Known { Known(names: names, isOpen: true) }

    /// The fields of an object of this program.
    static func all<Field: RawRepresentable<String> & CaseIterable>(of _: Field.Type) -> Known {
      Known(names: Field.allCases.map(\.rawValue), isOpen: false)
    }
  }

  /// The fields to write, in this order; nil for all.
  private(set) var names: [String]?
  /// The fields that aren't known. An answer may have them all the same.
  let unknown: [String]
  /// The names of the known fields, for messages.
  let known: [String]
  /// The jq expression to apply; nil to write the JSON as it is.
  let expression: String?

  /// Reads names separated by commas.
  ///
  /// - Parameters:
  ///   - text: The names; empty for all.
  ///   - known: The known fields.
  ///   - expression: The jq expression.
  /// - Throws: ``Refusal`` for a field that can't exist.
  init(_ text: String, known: Known, expression: String? = nil) throws(Refusal) {
    self.known = known.names
    self.expression = expression
    guard !text.isEmpty else {
      (names, unknown) = (nil, [])
      return
    }
    var names: [String] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let name = String(part.filter { $0 != " " })
      if !names.contains(name) { names.append(name) }
    }
    self.names = names
    unknown = names.filter { !known.names.contains($0) }
    if let wrong = unknown.first(where: { !known.isOpen || !Self.isPossible($0) }) {
      throw refusal(of: wrong)
    }
  }

  /// Compiles the expression, so that an invalid one fails before any request.
  ///
  /// - Throws: ``CommandFailure``.
  func prepare() throws(CommandFailure) {
    _ = try program()
  }

  /// The compiled expression; nil where there is none.
  func program() throws(CommandFailure) -> JQProgram? {
    guard let expression else { return nil }
    return try JQProgram.compiled(expression)
  }

  /// The fields without one that is written in another way.
  func without(_ name: String) -> JSONFields {
    var fields = self
    fields.names?.removeAll { $0 == name }
    return fields
  }

  /// A field that doesn't exist.
  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  func refusal(of name: String) -> Refusal {
    Refusal(
      description:
        "There is no field '\(TerminalText(name))'. Fields: \(known.joined(separator: ", ")).")
  }

  /// Whether a server could give a field this name.
  private static func isPossible(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
