import ConcurrencyPrimitives

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Standard output, or the pager that stands in for it.
///
/// Nothing is kept back: whoever writes gathers what belongs together, such as a page of rows, which then
/// costs two switches of threads. A write that failed fails for good: rows after a gap would look as if
/// nothing was missing.
actor Output {
  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  private nonisolated let queue = BlockingQueue(label: "standard output")
  private let descriptor: CInt
  private let progress: Progress?
  private let sharesScreen: Bool
  private var failure: OutputError?

  /// An output to an open descriptor.
  ///
  /// - Parameters:
  ///   - descriptor: Where to write.
  ///   - progress: The status line to take away before rows appear.
  ///   - sharesScreen: Whether the status line may come back after rows. It may not beside a pager,
  ///     which has the screen to itself.
  init(descriptor: CInt = STDOUT_FILENO, progress: Progress? = nil, sharesScreen: Bool = true) {
    self.descriptor = descriptor
    self.progress = progress
    self.sharesScreen = sharesScreen
  }

  /// Writes text, all of it.
  func write(_ text: String) throws(OutputError) {
    try write(Array(text.utf8))
  }

  /// Writes bytes, all of them.
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
