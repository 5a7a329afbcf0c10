import IssueOutbox
import PlatformModules
import TestSupport
import Testing

@testable import IssuesCommand

/// The command, run as a user runs it, in a neutral environment.
enum IssuesProgram {
  /// The environment of every run: a character set, and no configuration of git's and gh's.
  static let environment = [
    "HOME": "/nonexistent", "LC_ALL": "C.UTF-8", "GIT_CONFIG_NOSYSTEM": "1",
    "GH_CONFIG_DIR": "/nonexistent",
  ]

  /// The default folders of runs for cached responses, the history and the mirror, which no run has used
  /// before. Root could make even the home that isn't there.
  private static let folders = ScratchFolderOfProcess()

  /// The environment of one run.
  static func environment(_ own: [String: String] = [:]) -> [String: String] {
    let folders = [
      "XDG_CACHE_HOME": folders.freshPath(), "XDG_STATE_HOME": folders.freshPath(),
      "XDG_DATA_HOME": folders.freshPath(),
    ]
    return environment.merging(folders) { $1 }.merging(own) { $1 }
  }

  /// A token that must never be seen.
  static let token = "ghp_SeCrEtSeCrEtSeCrEt0123456789abcdef"

  /// A terminal without colors, so that what is seen is the text.
  static let plainTerminal = ["NO_COLOR": "1"]

  /// Starts the command: as a function in this process where only pipes are needed. `isProcess` is for signals, and for
  /// work that outlives the command. Its folder is the root by default; another one needs a process.
  static func start(
    _ arguments: [String], environment: [String: String] = [:],
    connection: CommandRun.Connection = .pipes, workingDirectory: String? = nil,
    input: String? = "", closesOutputAfter: Int? = nil, isProcess: Bool = false
  ) throws -> CommandRun {
    try start(
      arguments, wholeEnvironment: Self.environment(environment), connection: connection,
      workingDirectory: workingDirectory ?? "/", input: input,
      closesOutputAfter: closesOutputAfter, isProcess: isProcess)
  }

  /// Starts the command in this environment only.
  static func start(
    _ arguments: [String], wholeEnvironment: [String: String],
    connection: CommandRun.Connection = .pipes, workingDirectory: String = "/",
    input: String? = "", closesOutputAfter: Int? = nil, isProcess: Bool = false
  ) throws -> CommandRun {
    var environment = wholeEnvironment
    // The C library reads these variables. Another program is what is tested where one is named.
    let needsProcess =
      connection != .pipes || isProcess
      || ProcessInfo.processInfo.environment["ISSUES_PROGRAM"] != nil || workingDirectory != "/"
      || ["LD_LIBRARY_PATH", "LD_PRELOAD", "TZ"].contains { environment[$0] != nil }
      || ![nil, Self.environment["LC_ALL"]].contains(environment["LC_ALL"])
    if needsProcess {
      return try CommandRun(
        "issues", arguments, environment: environment, connection: connection, input: input,
        workingDirectory: workingDirectory, closesOutputAfter: closesOutputAfter)
    }
    if environment["PATH"] == nil {
      environment["PATH"] = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    }
    return try CommandRun(input: input, closesOutputAfter: closesOutputAfter) {
      [environment] input, output, errors in
      var world = World(
        environment: environment, directory: workingDirectory,
        input: World.Stream(descriptor: input), output: World.Stream(descriptor: output),
        errors: World.Stream(descriptor: errors))
      world.sending = OutboxSending(
        pace: OutboxPace(interval: .zero, perMinute: .max, perHour: .max), secondLook: .zero)
      return await Issues.run(arguments, in: world)
    }
  }

  /// Runs the command to its end.
  static func run(
    _ arguments: [String], environment: [String: String] = [:],
    connection: CommandRun.Connection = .pipes, workingDirectory: String? = nil,
    input: String = "", isProcess: Bool = false
  ) async throws -> CommandRun.Result {
    try await start(
      arguments, environment: environment, connection: connection,
      workingDirectory: workingDirectory, input: input, isProcess: isProcess
    ).result()
  }

  /// Runs a line of the shell in which `$issues` is the command and `$@` the arguments.
  static func shell(
    _ script: String, _ arguments: [String], environment: [String: String] = [:]
  ) async throws -> CommandRun.Result {
    var environment = Self.environment(environment)
    environment["issues"] = try BuiltProducts.path(of: "issues")
    return try await CommandRun.run(
      "/bin/sh", ["-c", script, "sh"] + arguments, environment: environment)
  }
}

extension CommandSession {
  /// A session in this environment, whose output isn't read.
  init(unheard environment: [String: String]) {
    let none = World.Stream(descriptor: -1)
    self.init(
      world: World(environment: environment, input: none, output: none, errors: none),
      style: OutputStyle(terminal: TerminalCapabilities(isTerminal: false), environment: [:]),
      output: Output(descriptor: -1), errors: ErrorOutput(descriptor: -1),
      progress: Progress(isEnabled: false, descriptor: -1))
  }
}

extension CommandRun.Result {
  /// The lines of standard output.
  var lines: [String] { Self.lines(outputText) }

  /// The lines of standard error.
  var errorLines: [String] { Self.lines(errorText) }

  /// The final text on the terminal, colors included, without erased lines such as the status line, which
  /// appears only on a slow machine.
  var screen: String {
    // Lines of scalars, because a carriage return and a line feed are one character.
    var screen = String.UnicodeScalarView()
    for line in outputText.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false) {
      var rest = line
      if rest.last == "\r" { rest.removeLast() }
      let end = Array("\r\u{1B}[K".unicodeScalars)
      let erased = rest.indices.last { rest[$0...].starts(with: end) }
      screen += erased.map { rest[rest.index($0, offsetBy: end.count)...] } ?? rest
      screen.append("\n")
    }
    screen.removeLast()
    return String(screen)
  }

  /// The numbers that the lines of a list begin with.
  var numbers: [Int] { lines.compactMap { Int($0.prefix { $0 != "\t" }) } }

  private static func lines(_ text: String) -> [String] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  /// Checks that the command said what was wrong in a line or two, and nothing that it must not say.
  func expectFailure(
    _ status: Int32, saying words: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(self.status == .exited(status), "\(errorText)", sourceLocation: sourceLocation)
    #expect((1...2).contains(errorLines.count), "\(errorText)", sourceLocation: sourceLocation)
    #expect(errorText.hasPrefix("issues: "), "\(errorText)", sourceLocation: sourceLocation)
    for word in words {
      #expect(errorText.contains(word), "\(errorText)", sourceLocation: sourceLocation)
    }
    for word in ["<html", "<!DOCTYPE", "Fatal error", ".swift:", IssuesProgram.token] {
      #expect(!errorText.contains(word), sourceLocation: sourceLocation)
      #expect(!outputText.contains(word), sourceLocation: sourceLocation)
    }
    for line in errorLines {
      #expect(HostileText.dangers(in: line).isEmpty, sourceLocation: sourceLocation)
    }
  }
}
