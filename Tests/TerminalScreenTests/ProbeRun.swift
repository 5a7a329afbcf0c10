import TestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A program that opens the screen, on a terminal of its own.
struct ProbeRun {
  let run: CommandRun

  static let environment = [
    "LANG": "C.UTF-8", "TERM": "xterm-256color",
    // Swift's own handlers would put a report, and a question, onto the terminal.
    "SWIFT_BACKTRACE": "enable=no",
  ]

  /// Whether terminfo has the entry that 24-bit colours need.
  static let hasDirectEntry = ["/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo"]
    .contains { FileManager.default.fileExists(atPath: "\($0)/x/xterm-direct") }

  /// Whether there is a shell with job control.
  static let hasBash = FileManager.default.isExecutableFile(atPath: "/bin/bash")

  /// Starts the probe as the leader of a session.
  init(_ steps: String..., color: String = "palette", environment: [String: String] = [:]) throws {
    run = try CommandRun(
      "screen-probe", [color] + steps,
      environment: Self.environment.merging(environment) { $1 },
      connection: .terminal(columns: 80, rows: 24), input: nil)
  }

  /// Starts a shell with job control, which runs the probe as `$0` and shows the terminal's settings before
  /// and after.
  init(script: String) throws {
    run = try CommandRun(
      "/bin/bash",
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

  /// Sends a signal to the probe itself, which may be a child of the program that was started.
  func signalProbe(_ number: Int32) async throws {
    let soFar = try await report("open")
    let digits = soFar.section(after: "\u{1E}process ", before: "\u{1F}")
    kill(try #require(digits.flatMap { pid_t($0) }), number)
  }

  /// What was written to the terminal between two reports.
  static func written(in output: String, between first: String, and second: String) -> String? {
    output.section(after: mark(first), before: mark(second))
  }

  static func mark(_ text: String) -> String { "\u{1E}\(text)\u{1F}" }
}

extension String {
  /// What stands after the first occurrence of a text and before the next one of another.
  func section(after first: String, before second: String) -> String? {
    // As scalars: "\r\n" is one character, and a mark may come right after a carriage return.
    let text = Array(unicodeScalars)
    guard let start = text.firstRange(of: Array(first.unicodeScalars))?.upperBound,
      let end = text[start...].firstRange(of: Array(second.unicodeScalars))?.lowerBound
    else { return nil }
    var result = String.UnicodeScalarView()
    result.append(contentsOf: text[start..<end])
    return String(result)
  }
}
