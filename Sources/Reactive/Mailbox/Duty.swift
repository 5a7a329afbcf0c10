internal import Locking

/// How far a piece of work has come.
enum Stage: Comparable, Sendable {
  case begun
  case applied
  case finished
}

/// What somebody holds who waits for a piece of work. Who works on it holds a ``Duty``.
typealias Progress = Watched<Stage>

extension Progress {
  /// Lets everybody go who waits for this stage or an earlier one.
  func reach(_ stage: Stage) {
    update { $0 = max($0, stage) }
  }

  /// Returns when the stage is reached, or when the calling task is cancelled.
  func wait(for stage: Stage) async {
    await wait { $0 >= stage }
  }
}

/// Is held by all that still works on something; when the last holder lets go, the work is finished.
///
/// So nobody waits in vain: whatever is dropped on the way (a message in a mailbox, an element in a
/// transform, a whole reactor) finishes what depended on it.
final class Duty: Sendable {
  let progress = Progress(.begun)
  private let parent: Duty?

  /// - Parameter parent: is not finished before this one is.
  init(of parent: Duty? = nil) {
    self.parent = parent
  }

  deinit {
    progress.reach(.finished)
  }
}
