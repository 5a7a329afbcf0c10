internal import StyledText

/// What `--json` and `--jq` ask for.
struct JSONFields: Sendable, Hashable {
  /// The fields, in the order in which they are written; nil for all there are.
  private(set) var names: [String]?
  /// Those that nobody knows: they are there if an answer has them.
  let unknown: [String]
  /// The fields that are known, for who names another.
  let known: [String]
  /// The expression of jq's that is applied to the JSON; nil to write it as it is.
  let expression: String?

  /// Reads names between commas.
  ///
  /// - Parameters:
  ///   - text: The names; empty for all.
  ///   - known: The fields that are known, those that matter most first.
  ///   - isOpen: Whether a server may send others.
  ///   - expression: The expression of jq's.
  /// - Throws: ``Refusal``.
  init(_ text: String, known: [String], isOpen: Bool, expression: String? = nil) throws(Refusal) {
    self.known = known
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
    unknown = names.filter { !known.contains($0) }
    if let wrong = unknown.first(where: { !isOpen || !Self.isPossible($0) }) {
      throw refusal(of: wrong)
    }
  }

  /// Compiles the expression, so that a wrong one is told before anything is asked.
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

  /// The same without a field, which is written otherwise.
  func without(_ name: String) -> JSONFields {
    var fields = self
    fields.names?.removeAll { $0 == name }
    return fields
  }

  /// A field that there isn't.
  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  func refusal(of name: String) -> Refusal {
    Refusal(
      description:
        "There is no field '\(TerminalText(name))'. Fields: \(known.joined(separator: ", ")).")
  }

  /// Whether a name is of the kind that servers give to fields.
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
