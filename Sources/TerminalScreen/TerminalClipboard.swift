internal import PlatformModules

/// The result of copying text.
package enum CopyOutcome: Sendable, Hashable {
  /// The text was sent to the terminal, which doesn't confirm it. Some programs, such as tmux and iTerm2, must be
  /// configured to accept it.
  case sent

  /// tmux is configured to ignore the request.
  case refusedByTmux

  /// The terminal is known to ignore the request.
  case unsupported

  /// The text is longer than ``limit``.
  case tooLong

  /// The maximum length in bytes. In base64 this is a little less than the 100,000 that Chromium's `osc52.sh` allows.
  package static let limit = 74_000
}

/// The clipboard of the user's computer, even over ssh: xterm's "Control Sequences", OSC 52.
struct TerminalClipboard: Sendable {
  private enum Way {
    case none
    /// tmux accepts neither form.
    case refusingTmux
    case direct
    /// tmux accepts the sequence itself with `set-clipboard on`, and passes on a wrapped sequence with
    /// `allow-passthrough on`. Both are off by default (<https://github.com/tmux/tmux/issues/1864>,
    /// <https://github.com/tmux/tmux/issues/3287>). tmux ignores the unconfigured form, so both are sent.
    case tmux
    /// screen passes on wrapped sequences, as long as each is short.
    case screen
  }

  /// The maximum length of a piece in bytes. screen allowed 256 until 2008, and 512 until 2014 (Chromium's `osc52.sh`).
  private static let pieceForScreen = 240

  private let way: Way

  init(environment: [String: String], tmuxRefuses: Bool = false) {
    let has = { (name: String) in !environment[name, default: ""].isEmpty }
    let term = environment["TERM", default: ""]
    if has("TMUX") {
      way = tmuxRefuses ? .refusingTmux : .tmux
    } else if has("STY") {
      way = .screen
    } else if ["linux", "hurd", "cygwin", "vt", "ansi", "eterm"].contains(where: term.hasPrefix) {
      way = .none
    } else if environment["TERM_PROGRAM"] == "Apple_Terminal" {
      // This terminal drops the sequence: <https://github.com/1jehuang/jcode/issues/505>.
      way = .none
    } else if has("VTE_VERSION"), !has("XTERM_VERSION") {
      // No VTE version supports it: <https://github.com/gnome-terminator/terminator/pull/1110>. An xterm started from
      // such a terminal inherits the variable.
      way = .none
    } else {
      way = .direct
    }
  }

  /// Writes the bytes that copy text. Control characters, which would act as keys when pasted, are removed, except for
  /// tabs and line feeds.
  func copy(_ text: String, write: ([UInt8]) -> Void) -> CopyOutcome {
    if way == .none { return .unsupported }
    if way == .refusingTmux { return .refusedByTmux }
    guard text.utf8.count <= CopyOutcome.limit else { return .tooLong }
    var kept = String.UnicodeScalarView()
    kept.append(
      contentsOf: text.unicodeScalars.filter {
        $0 == "\n" || $0 == "\t" || $0.properties.generalCategory != .control
      })
    let encoded = Data(String(kept).utf8).base64EncodedString()
    write(Array(wrapped("\u{1B}]52;c;\(encoded)\u{7}").utf8))
    return .sent
  }

  private func wrapped(_ sequence: String) -> String {
    switch way {
    case .none, .refusingTmux, .direct: return sequence
    case .tmux: return sequence + "\u{1B}Ptmux;\u{1B}\(sequence)\u{1B}\\"
    case .screen:
      var result = ""
      var rest = Substring(sequence)
      while !rest.isEmpty {
        result += "\u{1B}P\(rest.prefix(Self.pieceForScreen))\u{1B}\\"
        rest = rest.dropFirst(Self.pieceForScreen)
      }
      return result
    }
  }
}
