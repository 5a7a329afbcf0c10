#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Standard output, or the pager that stands in for it.
///
/// What is written is kept back until ``flush()``, once for a page of rows. A write that failed
/// fails for good: rows after a gap would look as if nothing was missing.
actor Output {
  private static let limit = 65_536

  nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  private nonisolated let queue = BlockingQueue(label: "standard output")
  private let descriptor: CInt
  private let progress: Progress?
  private let sharesScreen: Bool
  private var buffer: [UInt8] = []
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

  /// Adds text, which goes out with the next flush, or at once where much has gathered.
  func write(_ text: String) throws(OutputError) {
    try write(text.utf8)
  }

  /// Adds bytes, which go out with the next flush, or at once where much has gathered.
  func write(_ bytes: some Sequence<UInt8>) throws(OutputError) {
    if let failure { throw failure }
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.limit { try flush() }
  }

  /// Writes what has gathered.
  ///
  /// To be called at the end as well, and its error to be reported: a full disk shows only here.
  func flush() throws(OutputError) {
    if let failure { throw failure }
    guard !buffer.isEmpty else { return }
    progress?.suspend()
    let reason = DescriptorWriter.write(buffer, to: descriptor)
    buffer.removeAll(keepingCapacity: true)
    if sharesScreen { progress?.resume() }
    guard reason == 0 else {
      let failure = reason == EPIPE ? OutputError.closed : .failed(errno: reason)
      self.failure = failure
      throw failure
    }
  }
}
