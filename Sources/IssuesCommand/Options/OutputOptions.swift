internal import ArgumentParser
internal import StyledText

/// How results are written.
struct OutputOptions: ParsableArguments {
  // The value is what stands right behind it. Else the parser looks at the next argument first, and where that
  // is an option, even `--json=FIELDS` counts as `--json` alone (ArgumentParser 1.8.2).
  @Option(
    defaultAsFlag: "", parsing: .next,
    help: ArgumentHelp(
      "Write JSON, with these fields (separated by commas) or with all.", valueName: "fields"),
    completion: .custom(FieldCompletion.candidates))
  var json: String?

  @Option(name: .customLong("color"), help: "When to use colours. (default: auto)")
  var chosenColor: ColorChoice?

  /// When to use colours.
  var color: ColorChoice { chosenColor ?? .automatic }

  /// Gives back what was taken for the fields and is an argument: the parser can't know that the value is none
  /// in `issues --json apple/swift`. All fields are meant then.
  ///
  /// - Parameter isArgument: Whether a word is an argument of the subcommand, of which one is missing.
  /// - Returns: The argument; nil where there are fields.
  mutating func takeBack(where isArgument: (String) -> Bool = { _ in true }) -> String? {
    guard let json, !json.isEmpty, isArgument(json) else { return nil }
    self.json = ""
    return json
  }

  /// The fields that are asked for: nil when JSON isn't, all when none are named.
  ///
  /// - Throws: A usage error that lists the fields there are.
  func fields<Field: RawRepresentable<String> & CaseIterable>(
    of _: Field.Type
  ) throws -> [Field]? {
    guard let json else { return nil }
    guard !json.isEmpty else { return Array(Field.allCases) }
    return try json.split(separator: ",", omittingEmptySubsequences: false).map { name in
      guard let field = Field(rawValue: name.filter { $0 != " " }) else {
        let names = Field.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError(
          "There is no field '\(TerminalText(String(name)))'. Fields: \(names).")
      }
      return field
    }
  }
}

extension ColorChoice: NamedChoice {}
