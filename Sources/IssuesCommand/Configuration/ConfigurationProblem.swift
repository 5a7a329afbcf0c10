internal import StyledText

struct ConfigurationProblem: Error, Sendable, Hashable, Encodable {
  /// The name of the setting; nil for the whole file.
  let setting: String?
  /// The line number, from 1; nil for a file that can't be read.
  let line: Int?
  /// The message: one sentence without a period, safe for a terminal.
  let message: String

  init(setting: String? = nil, line: Int?, _ message: String) {
    self.setting = setting
    self.line = line
    self.message = TerminalText(message).string
  }

  /// The problem as `PATH:LINE: message`, like the messages of compilers.
  func text(in path: String) -> String {
    "\(TerminalText(path)):\(line.map { "\($0):" } ?? "") \(message)"
  }
}
