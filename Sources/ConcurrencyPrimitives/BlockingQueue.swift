internal import Dispatch

/// A serial executor whose jobs may block. A pager blocks while the user reads, and file access while the disk writes.
/// In the cooperative pool, either would block a thread, which is half the concurrency of a small machine.
package final class BlockingQueue: SerialExecutor {
  private let queue: DispatchQueue

  package init(label: String) {
    queue = DispatchQueue(label: label)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
