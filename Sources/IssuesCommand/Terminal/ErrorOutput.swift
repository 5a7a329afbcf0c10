internal import ConcurrencyPrimitives
internal import IssueTracker
internal import Logging
internal import StyledText

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Standard error.
///
/// Writing never fails: there would be nowhere to report it.
struct ErrorOutput: Sendable {
  private let descriptor: CInt
  private let color: ColorMode
  private let progress: Progress?
  private let secrets: Locked<[String]>
  /// The messages that are held back; nil while they are written at once.
  private let kept = Locked<[String]?>(nil)

  /// The most messages to hold back: a log grows as long as the screen is there. The last ones are kept.
  private static let maximumKept = 1000

  /// The most code points of a line. The text of a server may be of any length, and so may a single character with its
  /// combining marks.
  private static let maximumLineLength = 1000

  /// Creates an output for messages.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor.
  ///   - color: The colours of its terminal.
  ///   - progress: The status line to erase while a message is written.
  ///   - secrets: Texts to mask wherever they stand: a server may repeat what it was sent.
  init(
    descriptor: CInt = STDERR_FILENO, color: ColorMode = .none, progress: Progress? = nil,
    secrets: [String] = []
  ) {
    self.descriptor = descriptor
    self.color = color
    self.progress = progress
    self.secrets = Locked(secrets)
  }

  /// Masks a secret from now on, wherever it stands, in this output and in its copies.
  func conceal(_ secret: String) {
    secrets.withLock { $0.append(secret) }
  }

  /// Writes a message of one or more lines.
  ///
  /// Each line is neutralised: messages quote names and servers' texts.
  func write(_ message: String, style: Style = .plain) {
    let text = Redaction.hiding(secrets.withLock { $0 }, in: message)
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { line in
        let cut = line.unicodeScalars.prefix(Self.maximumLineLength)
        let text = TerminalText(String(cut)).string + (cut.endIndex < line.endIndex ? "…" : "")
        return style.applied(to: text, in: color) + "\n"
      }
      .joined()
    let isKept = kept.withLock { kept in
      guard kept != nil else { return false }
      if kept?.count == Self.maximumKept { kept?.removeFirst() }
      kept?.append(text)
      return true
    }
    if !isKept { show(text) }
  }

  /// Writes a text back to the person who typed it, whole and without colours.
  func writeBack(_ text: String) {
    let text = Redaction.hiding(secrets.withLock { $0 }, in: PlainText.harmless(text))
    show(text.hasSuffix("\n") ? text : text + "\n")
  }

  /// Holds back all messages from now on, because a screen has the terminal.
  func keepBack() {
    kept.withLock { kept in if kept == nil { kept = [] } }
  }

  /// Writes the messages that were held back, and from now on all at once.
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

/// Writes log lines to standard error, neutralised like every other text.
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
