internal import Logging
internal import StyledText

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
