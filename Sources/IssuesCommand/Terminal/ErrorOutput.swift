internal import IssueTracker
internal import Locking
internal import Logging
internal import StyledText

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Standard error: where messages go, which nobody may be there to read.
///
/// Writing never fails, because there would be nowhere to report it.
struct ErrorOutput: Sendable {
  private let descriptor: CInt
  private let color: ColorMode
  private let progress: Progress?
  private let secrets: Locked<[String]>
  /// What is kept back; nil while nothing is.
  private let kept = Locked<[String]?>(nil)

  /// The most messages that are kept back: the last ones. A log would go on for as long as the screen is there.
  private static let maximumKept = 1000

  /// The most code points of a line: what a server puts into an error or a log may be of any length,
  /// and a single character too, which combining marks are part of.
  private static let maximumLineLength = 1000

  /// An output for messages.
  ///
  /// - Parameters:
  ///   - descriptor: Where to write.
  ///   - color: The colours of that terminal.
  ///   - progress: The status line to take away while a message is written.
  ///   - secrets: What is masked wherever it stands: a server may repeat what it was sent.
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
  /// Messages quote names and servers' texts, so each line is neutralised.
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

  /// Keeps back what is written from now on: a screen stands where it would go.
  func keepBack() {
    kept.withLock { kept in if kept == nil { kept = [] } }
  }

  /// Writes what was kept back, and from now on all at once.
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
