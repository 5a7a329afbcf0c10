import PlatformModules
import Synchronization
import TestSupport

/// A folder for the runs of one test process, gone with the process.
final class ScratchFolderOfProcess: Sendable {
  private static let folder = try? ScratchFolder()
  private static let count = Atomic(0)

  init() {
    // A global lives on when the process ends: what it holds isn't let go of by itself.
    atexit {
      guard let path = ScratchFolderOfProcess.folder?.path else { return }
      ScratchFolder.remove(path)
    }
  }

  /// A new path in it, at which there is nothing.
  func freshPath() -> String {
    let number = Self.count.add(1, ordering: .relaxed).newValue
    return "\(Self.folder?.path ?? "/nonexistent")/\(number)"
  }

  /// A new folder in it.
  func freshFolder() throws -> String {
    let path = freshPath()
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }
}
