import Dispatch
import PlatformModules
internal import StyledText

enum Question {
  /// Asks, and takes anything but yes for no, even the end of the input. With `assumesYes` an empty line is yes.
  /// Throws if there is nobody to ask.
  static func ask(
    _ text: String, assumesYes: Bool = false
  ) async throws(CommandFailure) -> Bool {
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
      throw CommandFailure(.usage, "there is no terminal to ask on: confirm with --yes")
    }
    let answer = await line(after: "\(text) \(assumesYes ? "[Y/n]" : "[y/N]") ") ?? "n"
    let word = answer.lowercased().filter { $0 != " " }
    return ["y", "yes"].contains(word) || assumesYes && word.isEmpty
  }

  /// Returns nil at the end of the input, as by Ctrl-D. Meanwhile no status line is drawn.
  static func line(after prompt: String) async -> String? {
    let progress = Progress.giveWay()
    defer { progress?.resume() }
    _ = DescriptorWriter.write("\(TerminalText(prompt))".utf8, to: STDERR_FILENO)
    // Off the cooperative pool: people take their time.
    return await withCheckedContinuation { continuation in
      DispatchQueue(label: "question").async { continuation.resume(returning: readLine()) }
    }
  }
}
