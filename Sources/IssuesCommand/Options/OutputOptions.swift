internal import ArgumentParser

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

  @Option(
    name: [.customShort("q"), .long],
    help: ArgumentHelp(
      "With --json: write what this expression of jq's makes of it, such as '.[].title'.",
      valueName: "expression"))
  var jq: String?

  @Option(name: .shortAndLong, help: .hidden)
  var template: String?

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

  func validate() throws {
    guard template == nil else {
      throw ValidationError(
        """
        There are no templates: use --json with --jq, such as --json number,title \
        --jq '.[] | "\\(.number) \\(.title)"'.
        """)
    }
    guard jq == nil || json != nil else {
      throw ValidationError("--jq needs --json, and best the fields: --json number,title --jq …")
    }
  }

  /// The fields that are asked for, of what a server sends: nil when JSON isn't. Names that aren't known are
  /// looked for in what it sends.
  ///
  /// - Throws: A usage error that lists the known fields.
  func fields(sent known: [String]) throws -> JSONFields? {
    try fields(known, isOpen: true)
  }

  /// The fields that are asked for: nil when JSON isn't.
  ///
  /// - Throws: A usage error that lists the fields there are.
  func fields<Field: RawRepresentable<String> & CaseIterable>(
    of _: Field.Type
  ) throws -> JSONFields? {
    try fields(Field.allCases.map(\.rawValue), isOpen: false)
  }

  private func fields(_ known: [String], isOpen: Bool) throws -> JSONFields? {
    do throws(JSONFields.Refusal) {
      return try json.map { json throws(JSONFields.Refusal) in
        try JSONFields(json, known: known, isOpen: isOpen, expression: jq)
      }
    } catch {
      throw ValidationError(error.description)
    }
  }
}

extension ColorChoice: NamedChoice {}
