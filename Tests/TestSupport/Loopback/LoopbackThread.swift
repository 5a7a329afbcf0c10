import Dispatch

/// Where a server runs: beside the threads that all tests share.
///
/// On a machine with two processors there are two of those. Two tests that compute for a while hold them, and
/// a server there would fall silent for so long that its client gives up.
final class LoopbackThread: TaskExecutor {
  private let queue = DispatchQueue(label: "loopback server")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
