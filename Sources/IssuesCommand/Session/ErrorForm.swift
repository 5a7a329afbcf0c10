internal import IssueTracker
internal import PlatformModules

/// The form of failures: sentences, or JSON for programs (`--json-errors`).
///
/// The option is read before the parser runs, because every subcommand has it and it applies to the parser's own
/// messages.
enum ErrorForm {
  static let option = "--json-errors"

  case sentences
  case json

  /// Reads the option, which must precede `--`.
  init(in arguments: some Sequence<String>) {
    self = arguments.prefix { $0 != "--" }.contains(Self.option) ? .json : .sentences
  }

  static func removingOption(from arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    return arguments[..<end].filter { $0 != option } + arguments[end...]
  }
}

/// A failure in the form for programs.
struct FailureObject: Encodable {
  /// A stable code for the kind of failure.
  let code: String
  var message: String
  /// The time at which the server accepts requests again.
  let retryAt: String?
  let exitStatus: Int32

  /// The JSON in one line, safe to show on a terminal.
  var line: String? {
    let json = try? GitHubJSON.encoder().encode(self)
    return json.map { String(decoding: JSONText.passed($0), as: UTF8.self) + "\n" }
  }

  init(_ failure: CommandFailure) {
    code = failure.status.code
    message = failure.message
    retryAt = failure.retryDate.map(Timestamp.string(from:))
    exitStatus = failure.status.rawValue
  }
}
