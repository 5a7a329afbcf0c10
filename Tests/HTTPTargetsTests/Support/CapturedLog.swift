import Logging
import TestSupport

/// Keeps a logger's messages, as lines of level, message and metadata.
struct CapturedLog: LogHandler {
  let lines: Events
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.trace

  /// A logger that writes to a list.
  static func logger(_ level: Logger.Level, _ lines: Events) -> Logger {
    var logger = Logger(label: "zoo") { _ in CapturedLog(lines: lines) }
    logger.logLevel = level
    return logger
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    lines.note("\(event.level) \(event.message) \(event.metadata ?? [:]) \(metadata)")
  }
}
