internal import Dispatch

/// A serial executor whose jobs may block.
///
/// Writing to a pager takes as long as the user reads a page, and writing to a disk as long as the disk takes.
/// Either would block a thread of the cooperative pool, and with it half the concurrency of a small machine.
package final class BlockingQueue: SerialExecutor {
  private let queue: DispatchQueue

  /// An executor on a queue of its own.
  package init(label: String) {
    queue = DispatchQueue(label: label)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
