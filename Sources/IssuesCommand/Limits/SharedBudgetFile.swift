internal import ConcurrencyPrimitives
internal import GitHubAPI
internal import PlatformModules

/// A ``SharedBudget`` in a file that processes lock for each access, for a few dozen microseconds.
///
/// The file never causes a request to fail. A damaged file is replaced. Without a usable file, requests aren't limited.
actor SharedBudgetFile {
  /// The maximum size in bytes, many times the largest size ever written.
  private static let mostBytes = 65_536
  /// The maximum number of attempts. Other processes hold the lock for microseconds, unless they are stopped.
  private static let lockAttempts = 50
  private static let lockPause: UInt32 = 1000

  private let path: String
  private nonisolated let queue = BlockingQueue(label: "rate limits")
  private var descriptor: CInt = -1

  /// A separate queue, because file operations block.
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe queue.asUnownedSerialExecutor()
  }

  /// Creates the access to a file. Its folder must exist.
  init(path: String) {
    self.path = path
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  func reserve(
    _ resource: String, points: Int = 1, ofMinute most: Int = SharedBudget.mostPointsInMinute,
    at now: Date
  ) -> BudgetReservation {
    let id = UInt64.random(in: 1...UInt64.max)
    let resource = SharedBudget.name(resource)
    return change {
      $0.reserve(
        resource, points: points, ofMinute: most, id: id, at: now.timeIntervalSince1970)
    } ?? .unknown
  }

  func finish(
    _ id: UInt64, _ resource: String, _ answer: QuotaAnswer, mayHaveArrived: Bool = true,
    at now: Date
  ) {
    let resource = SharedBudget.name(resource)
    change {
      $0.finish(
        id, resource, answer, mayHaveArrived: mayHaveArrived, at: now.timeIntervalSince1970)
    }
  }

  /// Changes the budget; nil if the file can't be used.
  @discardableResult
  private func change<Result>(_ body: (inout SharedBudget) -> Result) -> Result? {
    guard lock() else { return nil }
    defer { flock(descriptor, LOCK_UN) }
    guard let text = contents() else { return nil }
    let known = SharedBudget(text) ?? SharedBudget()
    var budget = known
    let result = body(&budget)
    guard budget == known || write(budget.text, over: text.utf8.count) else { return nil }
    return result
  }

  /// Locks the file. Rejects a file of another user, and a file with several hard links.
  private func lock() -> Bool {
    for _ in 0..<2 {
      if descriptor < 0 {
        descriptor = unsafe open(
          path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
      }
      guard descriptor >= 0 else { return false }
      var attempts = 0
      while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
        attempts += 1
        guard errno == EWOULDBLOCK || errno == EINTR, attempts < Self.lockAttempts else {
          return false
        }
        usleep(Self.lockPause)
      }
      var status = stat()
      guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        status.st_uid == geteuid(), status.st_mode & 0o022 == 0, status.st_nlink <= 1
      else {
        flock(descriptor, LOCK_UN)
        return false
      }
      if status.st_nlink == 1 { return true }
      // The file was removed in the meantime, so other processes use a new file with that name.
      close(descriptor)
      descriptor = -1
    }
    return false
  }

  private func contents() -> String? {
    unsafe withUnsafeTemporaryAllocation(byteCount: Self.mostBytes, alignment: 1) { buffer in
      let count = unsafe pread(descriptor, buffer.baseAddress, buffer.count, 0)
      guard count >= 0 else { return nil }
      return unsafe String(decoding: buffer[..<count], as: UTF8.self)
    }
  }

  private func write(_ text: String, over size: Int) -> Bool {
    let bytes = Array(text.utf8)
    let count = unsafe bytes.withUnsafeBytes {
      unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0)
    }
    guard count == bytes.count else {
      // A partial file doesn't have a valid checksum, so other processes start over.
      return false
    }
    return size <= bytes.count || ftruncate(descriptor, off_t(bytes.count)) == 0
  }
}
