internal import StyledText

/// The user's web browser.
struct Browser: Sendable {
  /// Why a page was not opened.
  enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The address isn't one of a web page.
    case notAWebAddress(String)

    /// No browser could be started.
    case noBrowser(url: String)

    var description: String {
      switch self {
      case .notAWebAddress(let text): "not the address of a web page: \(TerminalText(text))"
      case .noBrowser(let url):
        "no web browser could be started; set BROWSER, or open \(TerminalText(url)) yourself"
      }
    }
  }

  /// The commands to try, in order, each with its arguments.
  let commands: [[String]]

  private let environment: [String: String]

  /// Finds the browser: `$BROWSER`, which may hold arguments, and then the desktop's own.
  ///
  /// - Parameters:
  ///   - environment: Where `BROWSER` is looked up; the browser gets it without the tokens.
  ///   - defaults: The desktop's commands, those of Linux and macOS unless told otherwise.
  init(environment: [String: String], defaults: [[String]] = [["xdg-open"], ["open"]]) {
    self.environment = Environment.withoutSecrets(environment)
    let own = environment["BROWSER", default: ""].split(separator: " ").map(String.init)
    commands = (own.isEmpty ? [] : [own]) + defaults
  }

  /// Opens a page, and waits until the browser, or what hands the page on to it, has exited.
  ///
  /// A browser in the terminal has the terminal meanwhile.
  ///
  /// - Parameter url: An `https` or `http` address. Servers name it, so everything else (a file, a
  ///   program's own scheme, blanks and control characters) is refused.
  /// - Throws: ``Failure``.
  func open(_ url: String) async throws(Failure) {
    guard Self.isWebAddress(url) else { throw .notAWebAddress(url) }
    for command in commands {
      let child: ChildProcess
      do { child = try ChildProcess(command + [url], environment: environment) } catch { continue }
      if await child.wait() == .exited(0) { return }
    }
    throw .noBrowser(url: url)
  }

  /// Whether `text` is an absolute address of the web, written in printable ASCII.
  static func isWebAddress(_ text: String) -> Bool {
    guard text.utf8.allSatisfy({ 0x21 <= $0 && $0 < 0x7F }) else { return false }
    return ["https://", "http://"].contains { scheme in
      text.utf8.count > scheme.utf8.count
        && text.prefix(scheme.count).lowercased() == scheme
    }
  }
}
