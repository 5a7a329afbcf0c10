import Dispatch
import PlatformModules
internal import StyledText

enum Question {
  /// Asks a question. Any answer except yes means no, and so does the end of the input. With `assumesYes`, an empty
  /// line means yes. Throws if the input isn't a terminal.
  static func ask(
    _ text: String, assumesYes: Bool = false
  ) async throws(CommandFailure) -> Bool {
    let world = World.current
    guard world.input.terminal.isTerminal, world.errors.terminal.isTerminal else {
      throw CommandFailure(.usage, "there is no terminal to ask on: confirm with --yes")
    }
    let answer = await line(after: "\(text) \(assumesYes ? "[Y/n]" : "[y/N]") ") ?? "n"
    let word = answer.lowercased().filter { $0 != " " }
    return ["y", "yes"].contains(word) || assumesYes && word.isEmpty
  }

  /// Reads a line; nil at the end of the input, for example after Ctrl-D. During the question, the status line isn't
  /// drawn.
  static func line(after prompt: String) async -> String? {
    let world = World.current
    let progress = world.giveWay()
    defer { progress?.resume() }
    _ = DescriptorWriter.write("\(TerminalText(prompt))".utf8, to: world.errors.descriptor)
    // The work isn't done on the cooperative pool, because users take their time.
    return await withCheckedContinuation { continuation in
      DispatchQueue(label: "question").async {
        continuation.resume(returning: readLine(from: world.input.descriptor))
      }
    }
  }

  /// Reads the bytes of a line one by one, so that the following bytes aren't consumed.
  private static func readLine(from descriptor: CInt) -> String? {
    var line: [UInt8] = []
    while true {
      var byte: UInt8 = 0
      let count = unsafe read(descriptor, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { return line.isEmpty ? nil : String(decoding: line, as: UTF8.self) }
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
  }
}
