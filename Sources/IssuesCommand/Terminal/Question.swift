import Dispatch
internal import StyledText

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

enum Question {
  /// Asks, and takes anything but yes for no, even the end of the input. Throws if there is nobody to ask.
  static func ask(_ text: String) async throws(CommandFailure) -> Bool {
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
      throw CommandFailure(.usage, "there is no terminal to ask on: confirm with --yes")
    }
    let answer = await line(after: "\(text) [y/N] ") ?? ""
    return ["y", "yes"].contains(answer.lowercased().filter { $0 != " " })
  }

  /// Returns nil at the end of the input, as by Ctrl-D.
  static func line(after prompt: String) async -> String? {
    _ = DescriptorWriter.write("\(TerminalText(prompt))".utf8, to: STDERR_FILENO)
    // Off the cooperative pool: people take their time.
    return await withCheckedContinuation { continuation in
      DispatchQueue(label: "question").async { continuation.resume(returning: readLine()) }
    }
  }
}
