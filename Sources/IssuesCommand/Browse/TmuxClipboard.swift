internal import PlatformModules

/// tmux's options for text that its programs copy.
enum TmuxClipboard {
  /// Whether tmux is known to drop copied text. tmux before 3.3 doesn't have `allow-passthrough`, and never drops it.
  static func refuses(environment: [String: String]) async -> Bool {
    guard !environment["TMUX", default: ""].isEmpty,
      let tmux = ProgramSearch.path(of: "tmux", in: environment),
      case .finished(.exited(0), let bytes)? = try? await ChildProcess.output(
        of: [
          tmux, "show-options", "-sv", "set-clipboard", ";", "show-options", "-Apv",
          "allow-passthrough",
        ],
        environment: Environment.withoutSecrets(environment), limit: 1 << 10,
        timeout: .seconds(1), clock: ContinuousClock())
    else { return false }
    let values = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    return values.count == 2 && values[0] != "on" && values[1] == "off"
  }
}
