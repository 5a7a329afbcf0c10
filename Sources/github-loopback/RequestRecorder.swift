internal import ArgumentParser
internal import PlatformModules
internal import TestSupport

/// Writes one line per request.
final class RequestRecorder: Sendable {
  private let descriptor: Int32

  /// Opens the file at this path and empties it; `-` means standard error.
  init(path: String) throws {
    descriptor = unsafe path == "-" ? 2 : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o644)
    guard descriptor >= 0 else {
      throw ValidationError("\(path) can't be written: \(unsafe String(cString: strerror(errno)))")
    }
  }

  deinit {
    if descriptor != 2 { close(descriptor) }
  }

  func record(_ request: LoopbackRequest) {
    append(request.logLine)
  }

  func record(end log: RequestLog) {
    append(
      "\(log.requestCount) requests on \(log.connectionCount) connections, at most "
        + "\(log.peakInFlight) at once")
  }

  /// Writes the line with a single system call, so that lines of different connections don't mix.
  private func append(_ text: String) {
    let line = text + "\n"
    _ = unsafe line.utf8.withContiguousStorageIfAvailable {
      unsafe write(descriptor, $0.baseAddress, $0.count)
    }
  }
}
