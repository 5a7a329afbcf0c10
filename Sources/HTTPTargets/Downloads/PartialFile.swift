internal import PlatformModules

/// An unfinished download and its record. The holder of the lock owns `.NAME.partial`; another simultaneous call uses
/// an ``AtomicFile``.
final class PartialFile {
  private let destination: FileDestination
  private let path: String
  private let recordPath: String
  private let permissions: mode_t
  private let file: OpenFile
  /// The private file, if another call owns the shared one.
  private let own: AtomicFile?
  var isShared: Bool { own == nil }

  /// Opens the file for a path. Follows a symbolic link only if it belongs to this user.
  init(for path: String) throws(FileFailure) {
    destination = try FileDestination(named: path, replaces: true, followsLinks: true)
    let own = try AtomicFile(at: destination)
    permissions = own.permissions
    let shared = "\(destination.parent).\(destination.shortName).partial"
    if let file = try Self.locked(shared) {
      own.abandon()
      self.own = nil
      self.file = file
      self.path = shared
    } else {
      self.own = own
      file = own.file
      self.path = own.temporaryPath
    }
    recordPath = "\(self.path).json"
  }

  /// Creates a file that doesn't replace another one, and that other calls don't resume.
  init(new path: String) throws(FileFailure) {
    destination = try FileDestination(named: path, replaces: false, followsLinks: false)
    let own = try AtomicFile(at: destination, replaces: false)
    permissions = own.permissions
    self.own = own
    file = own.file
    self.path = own.temporaryPath
    recordPath = "\(own.temporaryPath).json"
  }

  func size() throws(FileFailure) -> Int { try file.status().size }

  func record() -> DownloadRecord? {
    guard let file = try? OpenFile.reading(recordPath), let status = try? file.status(),
      status.isMine, status.size <= 1 << 16
    else { return nil }
    var bytes = Data(count: status.size)
    let count = unsafe bytes.withUnsafeMutableBytes { try? unsafe file.read(into: $0, at: 0) }
    guard count == bytes.count else { return nil }
    return try? JSONDecoder().decode(DownloadRecord.self, from: bytes)
  }

  /// Empties the file. The old record is removed first, because the new bytes would be resumed with it.
  func start(_ record: DownloadRecord?) throws(FileFailure) {
    FileNames.remove(recordPath)
    try file.truncate(to: 0)
    guard let record, isShared, let bytes = try? JSONEncoder().encode(record) else { return }
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
    try? OpenFile(recordPath, flags, mode: 0o600).write(bytes)
  }

  func append(_ data: Data) throws(FileFailure) {
    try file.write(data)
  }

  func finish() throws(FileFailure) {
    if let own { return try own.commit() }
    try file.synchronize()
    try file.setPermissions(permissions)
    // Removed while this name is still locked, because after the move it may belong to another call.
    FileNames.remove(recordPath)
    try FileNames.move(path, to: destination.path)
  }

  func leave(keeping isKept: Bool) {
    if isKept, isShared, let size = try? size(), size > 0 { return }
    FileNames.remove(recordPath)
    FileNames.remove(path)
  }

  private static func locked(_ path: String) throws(FileFailure) -> OpenFile? {
    let flags = O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK
    for _ in 0..<3 {
      guard let file = try? OpenFile(path, flags, mode: 0o600), file.lock() else { return nil }
      let status = try file.status()
      // In a folder that other users can write to, the path may be a link to one of their files.
      guard status.isRegular, status.isMine, status.links <= 1 else { return nil }
      // The previous holder may have moved the file to its destination, where it mustn't be changed.
      guard FileStatus.at(path)?.identity == status.identity else { continue }
      try file.setPermissions(0o600)
      return file
    }
    return nil
  }
}
