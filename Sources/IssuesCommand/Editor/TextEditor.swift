internal import IssueTracker
internal import PlatformModules
internal import StyledText

struct TextEditor: Sendable {
  /// The editors to search for, in order, if none is configured.
  private static let usual = ["editor", "nano", "vim", "vi"]

  /// The absolute path of the shell. `PATH` may begin with the current directory.
  private static let shell = "/bin/sh"

  /// The command for the shell.
  let command: String

  private let environment: [String: String]

  /// Finds the editor: `GIT_EDITOR`, git's `core.editor`, `VISUAL`, `EDITOR`, or else a common one. The editor doesn't
  /// receive tokens.
  static func find(environment: [String: String]) async -> TextEditor? {
    let variable = { (name: String) in
      environment[name].flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    }
    var command = variable("GIT_EDITOR")
    if command == nil { command = await configured(environment: environment) }
    command = command ?? variable("VISUAL") ?? variable("EDITOR")
    if command == nil {
      command = usual.lazy.compactMap { ProgramSearch.path(of: $0, in: environment) }.first
    }
    return command.map { TextEditor(command: $0, environment: environment) }
  }

  private init(command: String, environment: [String: String]) {
    self.command = command
    var environment = Environment.withoutSecrets(environment)
    environment["PATH"] = environment["PATH"].map(ProgramSearch.absoluteFolders)
    self.environment = environment
  }

  /// The editor configured in git. It is a command, and a clone may be untrusted: if a file is passed as the
  /// repository, git reads only the configuration of the user and the system.
  private static func configured(environment: [String: String]) async -> String? {
    guard let git = ProgramSearch.path(of: "git", in: environment),
      case .finished(.exited(0), let bytes)? = try? await ChildProcess.output(
        of: [git, "--git-dir=/dev/null", "config", "--null", "--get", "core.editor"],
        environment: Environment.withoutSecrets(environment), limit: 1 << 16,
        timeout: GitRemotes.patience, clock: ContinuousClock())
    else { return nil }
    let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    return text.allSatisfy(\.isWhitespace) ? nil : text
  }

  /// Runs the editor until it ends. In the meantime the editor handles Ctrl-C, and the terminal has its original
  /// settings.
  func edit(_ path: String) async throws(CommandFailure) {
    // The shell runs the editor, as in git, because the command may have arguments. Ctrl-C must not end the shell
    // before the editor.
    let ending = try await ChildProcess.runInForeground(
      [Self.shell, "-c", "trap : INT; \(command) \"$@\"", command, path],
      environment: environment)
    switch ending {
    case .exited(0): return
    case .exited(let status):
      throw CommandFailure(
        .failed, "the editor (\(TerminalText(command))) ended with status \(status)")
    case .killed(let signal):
      throw CommandFailure(
        .failed, "the editor (\(TerminalText(command))) was ended by signal \(signal)")
    }
  }
}
