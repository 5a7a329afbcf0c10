import PlatformModules
import TestSupport

/// A named pipe that a script of a test writes a line into.
struct Fifo: Sendable {
  private let descriptor: CInt
  private let path: String

  /// Makes a pipe, or opens one that is there.
  ///
  /// Opened for both directions, so that neither side waits for the other.
  init(_ path: String, makes: Bool = true) {
    self.path = path
    if makes { mkfifo(path, 0o600) }
    descriptor = open(path, O_RDWR | O_CLOEXEC)
  }

  /// Waits for a line, on a thread that may be kept waiting.
  func line() async throws -> String {
    let line = Watched<String?>(nil)
    let descriptor = descriptor
    OwnThread.start {
      var bytes: [UInt8] = []
      var byte: UInt8 = 0
      while read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") { bytes.append(byte) }
      let text = String(decoding: bytes, as: UTF8.self)
      line.update { $0 = text }
    }
    return try await line.value { $0 }
  }

  /// Gives readers the end of the file.
  func hangUp() {
    close(descriptor)
    unlink(path)
  }
}
