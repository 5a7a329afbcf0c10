#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif
#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The file that a download is written to until it is whole, and the download's record beside it, with which a
/// later call goes on.
///
/// `.NAME.partial` belongs to who holds its lock; who finds it locked takes an ``AtomicFile``. Used by one task
/// at a time.
final class PartialFile {
  private let destination: FileDestination
  private let path: String
  private let recordPath: String
  private let permissions: mode_t
  private let file: OpenFile
  /// The file, where the shared one is another call's.
  private let own: AtomicFile?
  /// Whether it is the one that another call would find.
  var isShared: Bool { own == nil }

  /// Opens the file, or makes it.
  ///
  /// - Parameter path: Where it is to be in the end. It takes the place of what is there, and of what a symbolic
  ///   link of this user's leads to.
  /// - Throws: ``FileFailure`` when nothing can be written there.
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

  /// The bytes that are there.
  func size() throws(FileFailure) -> Int { try file.status().size }

  /// What the bytes that are there are the beginning of, as far as that was kept.
  func record() -> DownloadRecord? {
    guard let file = try? OpenFile.reading(recordPath), let status = try? file.status(),
      status.isMine, status.size <= 1 << 16
    else { return nil }
    var bytes = Data(count: status.size)
    let count = bytes.withUnsafeMutableBytes { try? file.read(into: $0, at: 0) }
    guard count == bytes.count else { return nil }
    return try? JSONDecoder().decode(DownloadRecord.self, from: bytes)
  }

  /// Drops what is there, and notes what comes.
  ///
  /// In this order: a record beside bytes of something else would be gone on with. Without a record the
  /// next call begins anew, and with half of one, too.
  func start(_ record: DownloadRecord?) throws(FileFailure) {
    FileNames.remove(recordPath)
    try file.truncate(to: 0)
    guard let record, isShared, let bytes = try? JSONEncoder().encode(record) else { return }
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
    try? OpenFile(recordPath, flags, mode: 0o600).write(bytes)
  }

  /// Writes behind what is there.
  func append(_ data: Data) throws(FileFailure) {
    try file.write(data)
  }

  /// Gives the file the destination's name: in one step, with all of its bytes on the disk.
  func finish() throws(FileFailure) {
    if let own { return try own.commit() }
    try file.synchronize()
    try file.setPermissions(permissions)
    // While the lock is still on what has this name: after the move the name may be another call's.
    FileNames.remove(recordPath)
    try FileNames.move(path, to: destination.path)
  }

  /// Leaves the file and its record for the next call, or removes both.
  func leave(keeping isKept: Bool) {
    if isKept, isShared, let size = try? size(), size > 0 { return }
    FileNames.remove(recordPath)
    FileNames.remove(path)
  }

  /// Opens a file and locks it; nil if it is somebody else's.
  private static func locked(_ path: String) throws(FileFailure) -> OpenFile? {
    let flags = O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK
    for _ in 0..<3 {
      guard let file = try? OpenFile(path, flags, mode: 0o600), file.lock() else { return nil }
      let status = try file.status()
      // In a folder that others can write to, it may be there already, a link to a file of theirs.
      guard status.isRegular, status.isMine, status.links <= 1 else { return nil }
      // Who had the lock may have moved the file to its destination meanwhile: then it isn't to be
      // touched.
      guard FileStatus.at(path)?.identity == status.identity else { continue }
      try file.setPermissions(0o600)
      return file
    }
    return nil
  }
}
