internal import StyledText

struct ConfigurationProblem: Error, Sendable, Hashable, Encodable {
  /// The name of the setting; nil for the whole file.
  let setting: String?
  /// The line number, from 1; nil for a file that can't be read.
  let line: Int?
  /// The column in code points, from 1; nil for a whole line or file.
  let column: Int?
  /// The message: one sentence without a period, safe for a terminal.
  let message: String

  init(setting: String? = nil, line: Int?, column: Int? = nil, _ message: String) {
    self.setting = setting
    self.line = line
    self.column = column
    self.message = TerminalText(message).string
  }

  /// The problem as `PATH:LINE:COLUMN: message`, like the messages of compilers.
  func text(in path: String) -> String {
    let place = [line, column].compactMap { $0.map { "\($0):" } }.joined()
    return "\(TerminalText(path)):\(place) \(message)"
  }
}
