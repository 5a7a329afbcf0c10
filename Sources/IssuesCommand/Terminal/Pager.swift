import PlatformModules
import Synchronization

/// The user's pager. While it runs, Ctrl-C cancels the work (``Interrupt/observe(_:)``), and errors are shown after it
/// has ended.
final class Pager: Sendable {
  let descriptor: CInt

  let command: String

  let variable: String

  /// Not looked up in `PATH`, which may begin with the current directory.
  private static let shell = "/bin/sh"

  /// The program may be on a file system that doesn't respond.
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

  /// Nil for an empty command, and for `cat`, which changes nothing.
  static func command(in environment: [String: String]) -> String? {
    let command = environment[variable(in: environment), default: ""]
    return ["", "cat"].contains(command) ? nil : command
  }

  /// An empty `GH_PAGER` counts as set, as for `gh`, and means no pager.
  private static func variable(in environment: [String: String]) -> String {
    environment["GH_PAGER"] == nil ? "PAGER" : "GH_PAGER"
  }

  /// Starts the pager without the tokens; nil if none is configured or it can't be run.
  ///
  /// Like git, it sets `LESS=FRX` (quit if the output fits on one screen, show colors, keep the screen) and `LV=-c`,
  /// unless they are set. The shell gets only absolute folders of `PATH`: the current directory may be an untrusted
  /// clone.
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

  /// Ends the pager's input, and waits until the user has left it. Returns false if nothing was shown.
  @discardableResult
  func finish() async -> Bool {
    guard !isFinished.exchange(true, ordering: .sequentiallyConsistent) else { return true }
    close(descriptor)
    // The statuses of POSIX shells for a command that isn't found, or isn't a program.
    return ![.exited(127), .exited(126)].contains(await child.wait())
  }

  /// The shell itself always starts, and output to a missing pager is lost. If a command doesn't begin with a plain
  /// word, the shell decides.
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
    // Not every shell's `command -v` checks that a path is a program.
    let question = #"case $1 in */*) test -f "$1" && test -x "$1" ;; *) command -v "$1" ;; esac"#
    let answer = try? await ChildProcess.output(
      of: [shell, "-c", question, "sh", String(program)], environment: environment,
      limit: longestAnswer, timeout: patience, clock: ContinuousClock())
    guard case .finished(.exited(0), _) = answer else { return false }
    return true
  }
}
