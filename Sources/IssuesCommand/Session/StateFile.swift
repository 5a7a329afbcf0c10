internal import HTTPTargets
internal import IssueTracker
internal import PlatformModules

/// An optional file beside the history. If it can't be read or written, its data is requested again.
struct StateFile: Sendable {
  private let folder: String
  private let name: String
  private let largest: Int

  private var path: String { "\(folder)/\(name)" }

  /// Returns nil if no variable specifies a folder. A file larger than `largest` bytes is ignored.
  init?(named name: String, largest: Int, environment: [String: String]) {
    guard let state = UserDirectory.state.path(in: environment) else { return nil }
    folder = "\(state)/issues"
    (self.name, self.largest) = (name, largest)
  }

  var lines: [Substring] {
    guard let data = try? Data(contentsOf: URL(filePath: path)), data.count <= largest
    else { return [] }
    return String(decoding: data, as: UTF8.self).split(separator: "\n")
  }

  /// Replaces the content. If two processes write at once, the lines of the later one remain.
  func replace(with lines: [String]) {
    // As root, the process would leave a file that the folder's owner can't write to.
    guard !FolderOwner.isInTheWay(of: folder) else { return }
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    guard let file = try? AtomicFile(private: path) else { return }
    let text = lines.map { "\($0)\n" }.joined()
    guard (try? file.write(Array(text.utf8))) != nil else { return }
    try? file.commit(isSynchronized: false)
  }
}
