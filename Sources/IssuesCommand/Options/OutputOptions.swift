internal import ArgumentParser

struct OutputOptions: ParsableArguments {
  // With another strategy than `next` the parser takes even `--json=FIELDS` for `--json` alone if the next argument is
  // an option (ArgumentParser 1.8.2).
  @Option(
    defaultAsFlag: "", parsing: .next,
    help: ArgumentHelp(
      "Write JSON with these fields, separated by commas, or with all.", valueName: "fields"),
    completion: .custom(FieldCompletion.candidates))
  var json: String?

  @Option(
    name: [.customShort("q"), .long],
    help: ArgumentHelp(
      "With --json: apply this jq expression, such as '.[].title'.",
      valueName: "expression"))
  var jq: String?

  @Option(name: .customLong("color"), help: "When to use colours. (default: auto)")
  var chosenColor: ColorChoice?

  var color: ColorChoice { chosenColor ?? .automatic }

  func validate() throws {
    guard jq == nil || json != nil else {
      throw ValidationError("--jq needs --json, ideally with fields: --json number,title --jq …")
    }
  }

  /// A usage error lists the known fields.
  func fields(of known: JSONFields.Known) throws -> JSONFields? {
    do throws(JSONFields.Refusal) {
      return try json.map { json throws(JSONFields.Refusal) in
        try JSONFields(json, known: known, expression: jq)
      }
    } catch {
      throw ValidationError(error.description)
    }
  }
}

extension ColorChoice: NamedChoice {}

struct LimitOptions: ParsableArguments {
  static let usual = 30

  @Option(
    name: [.customShort("L", allowingJoined: true), .long],
    help: ArgumentHelp("The most items to show. (default: \(usual))", valueName: "number"),
    transform: ValueReader.limit)
  var limit: Int?

  @Flag(help: "Show all items, whatever --limit says.")
  var all = false

  /// nil for all.
  var maximum: Int? { all ? nil : limit ?? Self.usual }

  var isGiven: Bool { all || limit != nil }
}
