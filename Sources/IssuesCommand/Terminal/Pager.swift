import PlatformModules
import Synchronization

/// The user's pager. While it runs, Ctrl-C cancels the work (``Interrupt/observe(_:)``), and errors are shown after it
/// has ended.
final class Pager: Sendable {
  let descriptor: CInt

  let command: String

  let variable: String

  /// The absolute path of the shell. `PATH` may begin with the current directory.
  private static let shell = "/bin/sh"

  /// The time limit. The program may be on a file system that doesn't respond.
  private static let patience = Duration.seconds(5)
  private static let longestAnswer = 1 << 16

  private let child: ChildProcess
  private let isFinished = Atomic(false)

  private init(descriptor: CInt, command: String, variable: String, child: ChildProcess) {
    self.descriptor = descriptor
    self.command = command
    self.variable = variable
    self.child = child
  }

  /// The pager's command; nil for an empty command, and for `cat`, which has no effect.
  static func command(in environment: [String: String]) -> String? {
    let command = environment[variable(in: environment), default: ""]
    return ["", "cat"].contains(command) ? nil : command
  }

  /// The value of the variable. As in `gh`, an empty `GH_PAGER` counts as set, and means that no pager is used.
  private static func variable(in environment: [String: String]) -> String {
    environment["GH_PAGER"] == nil ? "PAGER" : "GH_PAGER"
  }

  /// Starts the pager without the tokens in its environment; nil if none is configured or it can't be run.
  ///
  /// Like git, it sets `LESS=FRX` (quit if the output fits on one screen, show colors, keep the screen) and `LV=-c`,
  /// unless they are set. The shell receives only absolute folders of `PATH`, because the current directory may be an
  /// untrusted clone.
  static func start(
    environment: [String: String],
    isTerminal: Bool,
    output: ChildProcess.Stream = .inherited
  ) async -> Pager? {
    var environment = Environment.withoutSecrets(environment)
    environment["PATH"] = environment["PATH"].map(ProgramSearch.absoluteFolders)
    guard isTerminal, let command = command(in: environment),
      await isRunnable(command, environment: environment), let pipe = Pipe()
    else { return nil }
    defer { close(pipe.readingEnd) }
    let defaults = ["LESS": "FRX", "LV": "-c"]
    let child = try? ChildProcess(
      [shell, "-c", command],
      environment: environment.merging(defaults) { own, _ in own },
      input: .descriptor(pipe.readingEnd), output: output)
    guard let child else {
      close(pipe.writingEnd)
      return nil
    }
    return Pager(
      descriptor: pipe.writingEnd, command: command, variable: variable(in: environment),
      child: child)
  }

  /// Ends the pager's input, and waits until the user has quit it. Returns false if nothing was shown.
  @discardableResult
  func finish() async -> Bool {
    guard !isFinished.exchange(true, ordering: .sequentiallyConsistent) else { return true }
    close(descriptor)
    // These are the statuses of POSIX shells for a command that isn't found, or isn't a program.
    return ![.exited(127), .exited(126)].contains(await child.wait())
  }

  /// Whether the pager can be run. The shell itself always starts, and output to a missing pager would be lost. If a
  /// command doesn't begin with a plain word, it is assumed to be runnable.
  private static func isRunnable(_ command: String, environment: [String: String]) async -> Bool {
    let words = command.split { $0 == " " || $0 == "\t" }
    guard let program = words.first(where: { !$0.contains("=") }) else { return false }
    let isPlain = program.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "/"),
        UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+"):
        true
      default: false
      }
    }
    guard isPlain else { return true }
    // Not every shell's `command -v` checks whether a path is a program.
    let question = #"case $1 in */*) test -f "$1" && test -x "$1" ;; *) command -v "$1" ;; esac"#
    let answer = try? await ChildProcess.output(
      of: [shell, "-c", question, "sh", String(program)], environment: environment,
      limit: longestAnswer, timeout: patience, clock: ContinuousClock())
    guard case .finished(.exited(0), _) = answer else { return false }
    return true
  }
}
