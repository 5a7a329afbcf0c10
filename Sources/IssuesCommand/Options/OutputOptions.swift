internal import ArgumentParser

struct OutputOptions: ParsableArguments {
  // With a strategy other than `next`, the parser interprets even `--json=FIELDS` as `--json` alone if the next
  // argument is an option (ArgumentParser 1.8.2).
  @Option(
    defaultAsFlag: "", parsing: .next,
    help: ArgumentHelp(
      "Write JSON with these fields, separated by commas, or with all fields.", valueName: "fields"),
    completion: .custom(FieldCompletion.candidates))
  var json: String?

  @Flag(help: "Write JSON, one object per line, as it arrives.")
  var jsonl = false

  @Option(
    help: ArgumentHelp(
      "The fields of the JSON, separated by commas: --json unless --jsonl is given.",
      valueName: "names"),
    completion: .custom(FieldCompletion.candidates))
  var fields: String?

  @Option(
    name: [.customShort("q"), .long], parsing: .unconditional,
    help: ArgumentHelp(
      "With --json: apply this jq expression, such as '.[].title'; with --jsonl, to each object.",
      valueName: "expression"),
    transform: ValueReader.text(of: "--jq"))
  var jq: String?

  @Option(name: .customLong("color"), help: "When to use colors. (default: auto)")
  var chosenColor: ColorChoice?

  var color: ColorChoice { chosenColor ?? .automatic }

  /// This flag is only for help and completion. ``ErrorForm`` removes it from the command line first, because it also
  /// applies to mistakes in the command line.
  @Flag(help: "Write errors as JSON, one per line, on standard error.")
  var jsonErrors = false

  var isJSON: Bool { json != nil || jsonl || fields != nil }

  /// The names of the fields; empty for all, and nil without JSON.
  private var fieldNames: String? {
    guard isJSON else { return nil }
    return json.flatMap { $0.isEmpty ? nil : $0 } ?? fields ?? ""
  }

  func validate() throws {
    guard jq == nil || isJSON else {
      throw ValidationError("--jq requires --json, ideally with fields: --json number,title --jq …")
    }
    guard fields == nil || json == nil || json == "" else {
      throw ValidationError("--json and --fields both name fields: leave one of them out.")
    }
    guard fields != "" else {
      throw ValidationError("--fields requires names, separated by commas: --fields number,title")
    }
  }

  /// The requested fields. A usage error lists the known fields.
  func fields(of known: JSONFields.Known) throws -> JSONFields? {
    do throws(JSONFields.Refusal) {
      return try fieldNames.map { names throws(JSONFields.Refusal) in
        try JSONFields(names, known: known, expression: jq, isLines: jsonl)
      }
    } catch {
      throw ValidationError(error.description)
    }
  }
}

extension ColorChoice: NamedChoice {}

/// A command with `--limit` and `--all`.
protocol LimitedCommand {
  var limit: LimitOptions { get }
}

struct LimitOptions: ParsableArguments {
  static let usual = 30

  @Option(
    name: [.customShort("L", allowingJoined: true), .long],
    help: ArgumentHelp("The most items to show. (default: \(usual))", valueName: "number"),
    transform: ValueReader.limit)
  var limit: Int?

  @Flag(help: "Show all items, whatever --limit says.")
  var all = false

  /// The maximum number of items; nil for all.
  var maximum: Int? { all ? nil : limit ?? Self.usual }

  var isGiven: Bool { all || limit != nil }
}
