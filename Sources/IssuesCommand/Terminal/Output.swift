import ConcurrencyPrimitives
import PlatformModules

/// Standard output, or the pager that reads it.
///
/// Callers write a whole page of rows at once, which needs two thread switches. There is no buffer. After a failure all
/// later writes fail, because rows after a gap would look complete.
actor Output {
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe queue.asUnownedSerialExecutor() }

  private nonisolated let queue = BlockingQueue(label: "standard output")
  private let descriptor: CInt
  private let progress: Progress?
  private let sharesScreen: Bool
  private var failure: OutputError?

  /// Creates the output. It erases `progress` before rows appear. The status line doesn't return while a pager owns the
  /// screen.
  init(descriptor: CInt, progress: Progress? = nil, sharesScreen: Bool = true) {
    self.descriptor = descriptor
    self.progress = progress
    self.sharesScreen = sharesScreen
  }

  func write(_ text: String) throws(OutputError) {
    try write(Array(text.utf8))
  }

  func write(_ bytes: [UInt8]) throws(OutputError) {
    if let failure { throw failure }
    guard !bytes.isEmpty else { return }
    progress?.suspend()
    let reason = DescriptorWriter.write(bytes, to: descriptor)
    if sharesScreen { progress?.resume() }
    guard reason == 0 else {
      let failure = reason == EPIPE ? OutputError.closed : .failed(errno: reason)
      self.failure = failure
      throw failure
    }
  }
}

extension Output {
  /// Throws if the reader has closed the output. It doesn't write.
  func checkReader() throws(OutputError) {
    if let failure { throw failure }
    var query = pollfd(fd: descriptor, events: 0, revents: 0)
    // poll(2) reports an error for a pipe without a reader, and a hangup for a closed terminal.
    guard unsafe poll(&query, 1, 0) > 0 else { return }
    if Int32(query.revents) & (POLLERR | POLLHUP) != 0 { throw .closed }
  }
}

enum OutputError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reader has closed the output, as in `| head -1`. This isn't a failure, but there is nothing left to do.
  case closed

  case failed(errno: CInt)

  /// The exit status. A reader that stops reading isn't a failure.
  var exitStatus: ExitStatus {
    switch self {
    case .closed: .done
    case .failed: .output
    }
  }

  var description: String {
    switch self {
    case .closed: "standard output is closed"
    case .failed(let errno):
      unsafe "cannot write to standard output: \(String(cString: strerror(errno)))"
    }
  }
}

enum DescriptorWriter {
  /// Writes all bytes, and waits while the descriptor is full. Returns 0 or the `errno` of the failed write.
  ///
  /// Descriptors may be non-blocking even if this program didn't make them so, because programs share the flag of an
  /// open file.
  static func write(_ bytes: some Sequence<UInt8>, to descriptor: CInt) -> CInt {
    let contiguous = ContiguousArray(bytes)
    return unsafe contiguous.withUnsafeBytes { buffer in
      var rest = unsafe buffer[...]
      while unsafe !rest.isEmpty {
        let count = unsafe systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: rest))
        if count >= 0 {
          unsafe rest = rest.dropFirst(count)
          continue
        }
        let reason = errno
        if reason == EAGAIN || reason == EWOULDBLOCK {
          var query = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          _ = unsafe poll(&query, 1, -1)
        } else if reason != EINTR {
          return reason
        }
      }
      return 0
    }
  }
}

/// Calls `write(2)`, whose name is hidden by a method.
private func systemWrite(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
  unsafe write(descriptor, bytes.baseAddress, bytes.count)
}
