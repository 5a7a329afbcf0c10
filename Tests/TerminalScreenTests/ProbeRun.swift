import PlatformModules
import TestSupport
import Testing

/// A program that opens the screen, on its own terminal.
struct ProbeRun {
  let run: CommandRun

  static let environment = [
    "LANG": "C.UTF-8", "TERM": "xterm-256color",
    // Swift's own handlers would write a report and a question to the terminal.
    "SWIFT_BACKTRACE": "enable=no",
  ]

  /// Whether terminfo has the entry for 24-bit colors.
  static let hasDirectEntry = hasEntry("xterm-direct")

  static func hasEntry(_ term: String) -> Bool {
    ["/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo"]
      .contains { FileManager.default.fileExists(atPath: "\($0)/\(term.prefix(1))/\(term)") }
  }

  /// A shell with job control that survives when Ctrl-C ends its job. In a script, bash doesn't.
  private static let shell = "/bin/dash"

  /// Whether it exists here.
  static let hasShell = FileManager.default.isExecutableFile(atPath: shell)

  static let tmux = "/usr/bin/tmux"

  /// Whether it exists here.
  static let hasTmux = FileManager.default.isExecutableFile(atPath: tmux)

  /// Starts the probe as the leader of a session.
  init(_ steps: String..., color: String = "palette", environment: [String: String] = [:]) throws {
    run = try CommandRun(
      "screen-probe", [color] + steps,
      environment: Self.environment.merging(environment) { $1 },
      connection: .terminal(columns: 80, rows: 24), input: nil)
  }

  /// Starts a shell with job control, which runs the probe as `$0` and prints the settings before and after.
  init(script: String) throws {
    run = try CommandRun(
      Self.shell,
      [
        "-c", "trap : INT; set -m; echo before=$(stty -g)=; \(script); echo after=$(stty -g)=",
        try BuiltProducts.path(of: "screen-probe"),
      ],
      environment: Self.environment, connection: .terminal(columns: 80, rows: 24), input: nil)
  }

  /// Waits until the probe reports something.
  @discardableResult func report(_ text: String) async throws -> String {
    try await run.waitFor(Self.mark(text))
  }

  /// Sends a signal to the probe itself, which may be a child of the started program.
  func signalProbe(_ number: Int32) async throws {
    let soFar = try await report("open")
    let digits = soFar.section(after: "\u{1E}process ", before: "\u{1F}")
    kill(try #require(digits.flatMap { pid_t($0) }), number)
  }

  /// The output to the terminal between two reports.
  static func written(in output: String, between first: String, and second: String) -> String? {
    output.section(after: mark(first), before: mark(second))
  }

  static func mark(_ text: String) -> String { "\u{1E}\(text)\u{1F}" }
}

extension String {
  /// The text after the first occurrence of one text and before the next one of another.
  func section(after first: String, before second: String) -> String? {
    // As scalars: "\r\n" is one character, and a mark may follow a carriage return.
    let text = Array(unicodeScalars)
    guard let start = text.firstRange(of: Array(first.unicodeScalars))?.upperBound,
      let end = text[start...].firstRange(of: Array(second.unicodeScalars))?.lowerBound
    else { return nil }
    var result = String.UnicodeScalarView()
    result.append(contentsOf: text[start..<end])
    return String(result)
  }
}
