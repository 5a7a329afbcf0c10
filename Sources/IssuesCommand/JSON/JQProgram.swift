/// A jq expression. The `jq` in `PATH` runs it: a separate process can't crash this one, regardless of the values.
struct JQProgram: Sendable {
  /// The maximum size of the values, which stay in memory until the expression ends.
  private static let maximumBytes = 256 << 20

  private let path: String
  private let expression: String
  private let environment: [String: String]

  init(_ expression: String, environment: [String: String]) throws(CommandFailure) {
    guard !expression.utf8.contains(0) else {
      throw CommandFailure(.usage, "--jq: the expression contains a NUL")
    }
    guard let path = ProgramSearch.path(of: "jq", in: environment) else {
      throw CommandFailure(.failed, "--jq requires jq, which wasn't found in PATH\nInstall jq.")
    }
    self.path = path
    // jq would interpret it as an option.
    self.expression = expression.hasPrefix("-") ? " \(expression)" : expression
    self.environment = Environment.withoutSecrets(environment)
  }

  /// Throws if jq can't compile the expression.
  func check() async throws {
    let result = try await run([])
    if let problem = result.problem { throw CommandFailure(.usage, "--jq: \(problem)") }
  }

  struct Result: Sendable {
    /// The values as compact JSON, one per line.
    var values: [UInt8] = []
    /// The other lines that jq wrote to standard error, such as the output of `debug`.
    var messages: [String] = []
    var problem: String?
  }

  /// Applies the expression to each JSON value.
  func run(_ json: [UInt8]) async throws -> Result {
    let child = try BoundedRun([path, "-c", expression], environment: environment, input: json)
    switch await child.finish(limit: Self.maximumBytes) {
    case .finished(let termination, let values):
      let errors = String(decoding: child.errors, as: UTF8.self)
      var result = Result(values: values, messages: errors.split(separator: "\n").map(String.init))
      switch termination {
      case .exited(0): break
      case .exited(let status):
        result.problem = Self.problem(&result.messages) ?? "jq ended with exit status \(status)"
      case .killed(let signal): result.problem = "jq was ended by signal \(signal)"
      }
      result.messages.removeAll { $0.hasPrefix("jq: ") }
      return result
    case .tooLong:
      return Result(problem: "the values exceed 256 MiB: select fewer")
    case .timedOut, .cancelled: throw CancellationError()
    }
  }

  /// Removes the error from the messages. It is the first line that jq marks as an error, or else the last line, from
  /// `halt_error`.
  private static func problem(_ messages: inout [String]) -> String? {
    let index = messages.firstIndex { $0.hasPrefix("jq: error") } ?? messages.indices.last
    guard let index else { return nil }
    let message = messages.remove(at: index)
    // An example is "jq: error (at <stdin>:1): ".
    guard message.hasPrefix("jq: error"), let start = message.dropFirst(4).firstRange(of: ": ")
    else { return message }
    return String(message[start.upperBound...])
  }
}
