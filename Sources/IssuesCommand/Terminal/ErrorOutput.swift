internal import ConcurrencyPrimitives
internal import IssueTracker
internal import Logging
import PlatformModules
internal import StyledText

/// Standard error. Writing never fails, because a failure couldn't be reported anywhere.
struct ErrorOutput: Sendable {
  private let descriptor: CInt
  private let form: ErrorForm
  private let color: ColorMode
  private let progress: Progress?
  private let secrets: Locked<[String]>
  /// The messages held back; nil while messages are written immediately.
  private let kept = Locked<[String]?>(nil)

  /// The maximum number of messages held back. A log grows as long as the screen is open, so only the last ones are
  /// kept.
  private static let maximumKept = 1000

  /// The maximum length of a line in code points. A server's text may have any length, and so may a character with its
  /// combining marks.
  private static let maximumLineLength = 1000

  /// Creates the output. It erases `progress` while it writes a message, and masks `secrets`, because a server may
  /// repeat data that it received.
  init(
    descriptor: CInt, form: ErrorForm = .sentences, color: ColorMode = .none,
    progress: Progress? = nil, secrets: [String] = []
  ) {
    self.form = form
    self.descriptor = descriptor
    self.color = color
    self.progress = progress
    self.secrets = Locked(secrets)
  }

  /// Masks a secret from now on, including in copies of this output.
  func conceal(_ secret: String) {
    secrets.withLock { $0.append(secret) }
  }

  /// Writes a message. Each line is neutralized, because messages contain names and text from servers.
  func write(_ message: String, style: Style = .plain) {
    let text = Redaction.hiding(secrets.withLock { $0 }, in: message)
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { line in
        let cut = line.unicodeScalars.prefix(Self.maximumLineLength)
        let text = TerminalText(String(cut)).string + (cut.endIndex < line.endIndex ? "…" : "")
        return style.applied(to: text, in: color) + "\n"
      }
      .joined()
    keepOrShow(text)
  }

  /// Writes a failure in the form that the command line selects.
  func report(_ failure: CommandFailure) {
    switch form {
    case .sentences: write("issues: \(failure.message)")
    case .json: write(object: FailureObject(failure))
    }
  }

  /// Writes neutralized lines of text that is already laid out.
  func write(_ lines: [StyledLine], links: Bool) {
    let text = lines.reduce(into: "") { $0 += $1.rendered(in: color, links: links) + "\n" }
    keepOrShow(Redaction.hiding(secrets.withLock { $0 }, in: text))
  }

  /// Writes a failure in one line, which is valid JSON even if the message is long.
  private func write(object failure: FailureObject) {
    var failure = failure
    let message = Redaction.hiding(secrets.withLock { $0 }, in: failure.message)
    let cut = message.unicodeScalars.prefix(Self.maximumLineLength)
    failure.message = String(cut) + (cut.endIndex < message.endIndex ? "…" : "")
    if let line = failure.line { keepOrShow(line) }
  }

  private func keepOrShow(_ text: String) {
    let isKept = kept.withLock { kept in
      guard kept != nil else { return false }
      if kept?.count == Self.maximumKept { kept?.removeFirst() }
      kept?.append(text)
      return true
    }
    if !isKept { show(text) }
  }

  /// Writes text back to the user who typed it, in full and without colors.
  func writeBack(_ text: String) {
    let text = Redaction.hiding(secrets.withLock { $0 }, in: PlainText.harmless(text))
    show(text.hasSuffix("\n") ? text : text + "\n")
  }

  /// Holds messages back while a screen uses the terminal.
  func keepBack() {
    kept.withLock { kept in if kept == nil { kept = [] } }
  }

  func release() {
    let text = kept.withLock { kept in
      defer { kept = nil }
      return kept?.joined() ?? ""
    }
    if !text.isEmpty { show(text) }
  }

  private func show(_ text: String) {
    progress?.suspend()
    _ = DescriptorWriter.write(text.utf8, to: descriptor)
    progress?.resume()
  }
}

/// Writes log messages, neutralized like all other text.
struct ErrorLogHandler: LogHandler {
  let errors: ErrorOutput
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.info

  init(errors: ErrorOutput) {
    self.errors = errors
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    errors.write("\(event.message)", style: .faint)
  }
}
