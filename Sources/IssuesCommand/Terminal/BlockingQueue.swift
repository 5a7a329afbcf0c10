import Dispatch

/// A serial executor whose jobs may wait.
///
/// Writing to a pager waits for as long as the user reads a page, which would take a thread from
/// the cooperative pool, and with it half of the concurrency on a small machine.
final class BlockingQueue: SerialExecutor {
  private let queue: DispatchQueue

  /// An executor on a queue of its own.
  init(label: String) {
    queue = DispatchQueue(label: label)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
