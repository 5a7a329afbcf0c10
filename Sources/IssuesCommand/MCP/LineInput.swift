internal import ConcurrencyPrimitives
internal import PlatformModules

/// Standard input by lines, read on demand, so that a client that sends faster has to wait.
actor LineInput {
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe queue.asUnownedSerialExecutor() }

  enum Item: Sendable, Equatable {
    case line([UInt8])
    /// A line that is too long. It was skipped.
    case tooLong
  }

  /// The maximum length in bytes. The longest argument has a few thousand.
  static let longestLine = 4 << 20
  private static let chunk = 64 << 10

  private nonisolated let queue = BlockingQueue(label: "standard input")
  private let descriptor: CInt
  private let limit: Int
  private var buffer: [UInt8] = []
  /// The end of the returned part of the buffer, and the end of the part searched for a line break.
  private var (begin, searched) = (0, 0)
  private var isSkipping = false
  private var isAtEnd = false

  init(descriptor: CInt, limit: Int = LineInput.longestLine) {
    (self.descriptor, self.limit) = (descriptor, limit)
  }

  /// The next line without its line break; nil at the end. The last line doesn't need a line break.
  func next() -> Item? {
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        return take(upTo: end)
      }
      searched = buffer.count
      if buffer.count - begin > limit {
        isSkipping = true
        buffer = []
        (begin, searched) = (0, 0)
      }
      guard !isAtEnd else {
        guard begin < buffer.count || isSkipping else { return nil }
        return take(upTo: buffer.count)
      }
      fill()
    }
  }

  private func take(upTo end: Int) -> Item {
    let line = Array(buffer[begin..<end])
    begin = min(end + 1, buffer.count)
    searched = begin
    if begin == buffer.count {
      buffer = []
      (begin, searched) = (0, 0)
    }
    defer { isSkipping = false }
    return isSkipping || line.count > limit ? .tooLong : .line(line)
  }

  private func fill() {
    if begin > 0 {
      buffer.removeFirst(begin)
      searched -= begin
      begin = 0
    }
    var chunk = [UInt8](repeating: 0, count: Self.chunk)
    let count = unsafe read(descriptor, &chunk, chunk.count)
    if count > 0 {
      buffer += chunk[..<count]
    } else if count == 0 {
      isAtEnd = true
    } else if errno == EAGAIN || errno == EWOULDBLOCK {
      var query = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      _ = unsafe poll(&query, 1, -1)
    } else if errno != EINTR {
      isAtEnd = true
    }
  }
}
