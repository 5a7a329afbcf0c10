internal import StyledText

/// What is wrong with the configuration file.
struct ConfigurationProblem: Error, Sendable, Hashable, Encodable {
  /// The name of the setting; nil where the whole file is meant.
  let setting: String?
  /// Counts from 1; nil for a file that can't be read at all.
  let line: Int?
  /// One sentence without a full stop, safe for a terminal.
  let message: String

  init(setting: String? = nil, line: Int?, _ message: String) {
    self.setting = setting
    self.line = line
    self.message = TerminalText(message).string
  }

  /// `PATH:LINE: message`, as editors and compilers write it.
  func text(in path: String) -> String {
    "\(TerminalText(path)):\(line.map { "\($0):" } ?? "") \(message)"
  }
}
