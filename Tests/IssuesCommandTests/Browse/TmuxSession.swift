import PlatformModules
import TestSupport
import Testing

/// A terminal that can be looked at: a window of tmux with a shell in it.
///
/// It is driven by tmux's control mode, which tells when the window's content has changed: nothing is
/// waited for by the clock. See "CONTROL MODE" of tmux(1).
final class TmuxSession: Sendable {
  /// A text that the window didn't come to show.
  struct Unseen: Error, CustomStringConvertible {
    var wanted: String
    var screen: String
    var description: String { "not seen: \(wanted)\n\(screen)" }
  }

  /// The parent of each window's folder and of its server's socket.
  private static let folders = ScratchFolderOfProcess()

  /// Whether tmux is installed.
  static let isAvailable = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].contains {
    FileManager.default.isExecutableFile(atPath: "\($0)/tmux")
  }

  /// The folder that the shell starts in, used by no other.
  let folder: String

  private let run: CommandRun
  /// How much of the replies has been read.
  private let offset = Watched(0)

  /// Opens a window of some size with a shell in it.
  ///
  /// - Parameters:
  ///   - columns: Its width.
  ///   - rows: Its height.
  ///   - environment: The shell's whole environment, beside what tmux adds: `TERM` above all.
  /// - Throws: When the window can't be opened.
  init(columns: Int, rows: Int, environment: [String: String]) async throws {
    folder = try Self.folders.freshFolder()
    // The size is nobody's but ours, no key waits for another, and nothing outlives the test: the server
    // ends with its last window, and the window with this client.
    let configuration = """
      set-option -g default-terminal tmux-256color
      set-option -g status off
      set-option -s escape-time 0
      """
    try Data(configuration.utf8).write(to: URL(filePath: "\(folder)/tmux.conf"))
    let start = """
      exec tmux -S '\(folder)/socket' -f '\(folder)/tmux.conf' -C \
      new-session -c '\(folder)' -x \(columns) -y \(rows) 'PS1="$ " exec sh' \\; \
      set-option destroy-unattached on \\; set-option -g window-size manual \\; \
      resize-window -x \(columns) -y \(rows)
      """
    run = try CommandRun("/bin/sh", ["-c", start], environment: environment, input: nil)
    try await see("$")
  }

  /// Types text, a letter at a time.
  func type(_ text: String) {
    let commands = text.map { letter in
      "send-keys -l -- \(Self.quoted(String(letter)))\n"
    }
    run.write(commands.joined())
  }

  /// Presses keys by tmux's names for them, such as `Enter`, `PageDown` and `C-z`.
  func press(_ keys: String...) {
    run.write("send-keys \(keys.joined(separator: " "))\n")
  }

  /// Pastes text, as the terminal's user would: in brackets where the program asked for them.
  func paste(_ text: String) {
    run.write("set-buffer -- \(Self.quoted(text))\npaste-buffer -p\n")
  }

  /// Has the shell run a command that prints a line last, and waits for the prompt after it: what is typed before
  /// that is echoed above it, and a prompt that is late looks like that of the next command's end.
  ///
  /// - Returns: The window's lines.
  @discardableResult
  func run(_ command: String, printing line: String) async throws -> String {
    type(command)
    press("Enter")
    return try await see("“\(line)” and the prompt") { $0.hasSuffix("\n\(line)\n$") }
  }

  /// Gives the window another size.
  func resize(columns: Int, rows: Int) {
    run.write("resize-window -x \(columns) -y \(rows)\n")
  }

  /// Looks at the window.
  ///
  /// - Parameter styled: Whether colors are included, as escape sequences.
  /// - Returns: Its lines, without blanks at their ends and empty ones at the bottom.
  /// - Throws: What ``CommandRun`` throws when tmux ends.
  func screen(styled: Bool = false) async throws -> String {
    var screen = try await ask("capture-pane -p\(styled ? " -e" : "")")
    while screen.last == "\n" { screen.removeLast() }
    return screen
  }

  /// Carries out a command of tmux.
  ///
  /// - Returns: What it prints.
  func ask(_ command: String) async throws -> String {
    let before = offset.current
    // The mark tells this reply from those to keys that were typed before.
    let mark = "reply \(before)"
    run.write("\(command)\ndisplay-message -p '\(mark)'\n")
    let (reply, end) = try await run.waitFor(after: before) { Self.reply(before: mark, in: $0) }
    offset.update { $0 = end }
    return reply
  }

  /// All bytes that were written to the terminal so far, by whatever ran in the window.
  ///
  /// tmux tells them as `%output %PANE BYTES`, what isn't printed as a backslash and three octal digits.
  var written: Data {
    get async throws {
      // tmux reports all output written before this query ahead of its response.
      _ = try await ask("display-message -p ''")
      let (told, _) = try await run.waitFor(after: 0) { Optional(Data($0)) }
      var written = Data()
      for line in told.split(separator: UInt8(ascii: "\n")) where line.starts(with: "%output ".utf8)
      {
        let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
        if words.count == 3 { written += Self.unescaped(words[2]) }
      }
      return written
    }
  }

  private static func unescaped(_ bytes: Data) -> Data {
    var (result, rest) = (Data(), bytes[...])
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), rest.count >= 3,
        let value = UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8)
      else {
        result.append(byte)
        continue
      }
      result.append(value)
      rest = rest.dropFirst(3)
    }
    return result
  }

  /// Waits until the window shows something.
  ///
  /// - Returns: The window's lines.
  /// - Throws: ``Unseen`` after many looks that were in vain; what ``CommandRun`` throws when tmux ends.
  @discardableResult
  func see(_ wanted: String) async throws -> String {
    try await see(wanted) { $0.contains(wanted) }
  }

  /// Waits until the window shows something that a condition holds for.
  @discardableResult
  func see(_ wanted: String, where holds: (String) -> Bool) async throws -> String {
    var screen = ""
    // A bound, so that a test says what was on the screen instead of running into its time limit.
    for _ in 0..<2_000 {
      let seen = offset.current
      screen = try await self.screen()
      if holds(screen) { return screen }
      do {
        _ = try await run.waitFor(after: seen) { Self.hasChange($0) ? true : nil }
      } catch is CancellationError {
        break
      }
    }
    throw Unseen(wanted: wanted, screen: screen)
  }

  /// Waits until the window shows what is kept in a file (``CommandSnapshot``), but for the ports of servers.
  ///
  /// - Parameters:
  ///   - wanted: What that is.
  ///   - name: The file.
  ///   - isWhole: Tells a screen that may be recorded from one that isn't drawn to its end.
  /// - Throws: ``Unseen`` when it doesn't; what ``CommandRun`` throws when tmux ends.
  func see(
    _ wanted: String, as name: String, where isWhole: (String) -> Bool
  ) async throws {
    func withoutPort(_ screen: String) -> String {
      screen.replacing(/127\.0\.0\.1:[0-9]+/) { String($0.output.map { $0.isNumber ? "0" : $0 }) }
    }
    if CommandSnapshot.isRecording {
      try CommandSnapshot.expect(withoutPort(try await see(wanted, where: isWhole)), named: name)
    } else {
      let expected = try CommandSnapshot.text(named: name)
      try await see("\(wanted):\n\(expected)\ninstead of:") { withoutPort($0) == expected }
    }
  }

  /// Whether some output tells of the window's content.
  private static func hasChange(_ data: Data) -> Bool {
    ["\n%output ", "\n%layout-change "].contains { data.firstRange(of: Data($0.utf8)) != nil }
  }

  /// The lines of the reply that comes before the one with a mark in it.
  private static func reply(before mark: String, in data: Data) -> String? {
    var replies: [[Substring]] = []
    var current: [Substring]?
    for line in String(decoding: data, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    {
      if line.hasPrefix("%begin ") {
        current = []
      } else if line.hasPrefix("%end ") || line.hasPrefix("%error ") {
        if let lines = current {
          if lines == [mark[...]], let reply = replies.last {
            return reply.joined(separator: "\n")
          }
          replies.append(lines)
        }
        current = nil
      } else {
        current?.append(line)
      }
    }
    return nil
  }

  /// A word of tmux's command language, which is close to the shell's.
  private static func quoted(_ text: String) -> String {
    "'\(text.replacing("'", with: #"'\''"#))'"
  }
}
