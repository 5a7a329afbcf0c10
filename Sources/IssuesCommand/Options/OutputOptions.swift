internal import ArgumentParser
internal import StyledText

/// How results are written.
struct OutputOptions: ParsableArguments {
  @Option(
    defaultAsFlag: "",
    help: ArgumentHelp(
      "Write JSON, with these fields (separated by commas) or with all.", valueName: "fields"))
  var json: String?

  @Option(name: .customLong("color"), help: "When to use colours. (default: auto)")
  var chosenColor: ColorChoice?

  /// When to use colours.
  var color: ColorChoice { chosenColor ?? .automatic }

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
