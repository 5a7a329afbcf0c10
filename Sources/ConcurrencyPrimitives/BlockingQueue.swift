internal import Dispatch

/// A serial executor whose jobs may block: a pager blocks while the user reads, and a disk while it writes.
/// Either would block a thread of the cooperative pool, half the concurrency of a small machine.
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
