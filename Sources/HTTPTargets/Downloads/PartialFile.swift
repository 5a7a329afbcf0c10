#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif
#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The file that a download, or whatever else is to be whole or not there, is written to until it is, and a
/// download's record beside it.
///
/// `.NAME.partial` belongs to who holds its lock; who finds it locked takes a name of its own. Used by
/// one task at a time.
package final class PartialFile {
  private let destination: String
  /// Where it is meanwhile.
  package let path: String
  private let recordPath: String
  private let replaces: Bool
  /// The permissions that the destination will have: those of this user's file that it takes the place of, else
  /// those of any file that is made there.
  private let permissions: mode_t
  private let file: OpenFile
  /// Whether it is the one that another call would find.
  let isShared: Bool

  /// Opens the file, or makes it.
  ///
  /// - Parameters:
  ///   - path: Where it is to be in the end.
  ///   - replaces: Whether it takes the place of a file that is there then.
  ///   - followsLinks: Whether it takes the place of what a symbolic link of this user's leads to, instead of the
  ///     link's. Those of others are never followed: in a folder such as `/tmp` they lead to this user's files.
  /// - Throws: ``FileFailure`` when nothing can be written there, or something is there and is to stay.
  package init(
    for path: String, replaces: Bool = true, followsLinks: Bool = true
  ) throws(FileFailure) {
    let destination = try Self.destination(path, followsLinks: followsLinks)
    let replaced = FileStatus.at(destination)
    guard replaces || replaced == nil else { throw FileFailure(path, EEXIST) }
    self.destination = destination
    self.replaces = replaces
    let slash = destination.lastIndex(of: "/").map { destination.index(after: $0) }
    let folder = destination[..<(slash ?? destination.startIndex)]
    let name = Self.shortened(destination[(slash ?? destination.startIndex)...])
    let shared = "\(folder).\(name).partial"
    let own = "\(shared).\(String(UInt64.random(in: .min ... .max), radix: 36))"

    // The process's mask of permissions can't be asked for without being set, for all threads; a new
    // file shows it.
    let probe = try OpenFile(own, O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o666)
    do {
      let made = try probe.status().permissions
      permissions = replaced.flatMap { $0.isRegular && $0.isMine ? $0.permissions : nil } ?? made
    } catch {
      FileNames.remove(own)
      throw error
    }
    if let file = try Self.locked(shared) {
      FileNames.remove(own)
      self.file = file
      self.path = shared
      isShared = true
    } else {
      do {
        try probe.setPermissions(0o600)
      } catch {
        FileNames.remove(own)
        throw error
      }
      file = probe
      self.path = own
      isShared = false
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

  /// Drops what is there.
  package func start() throws(FileFailure) {
    try start(nil)
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
  package func append(_ data: Data) throws(FileFailure) {
    try file.write(data)
  }

  /// Gives the file the destination's name: in one step, with all of its bytes on the disk.
  package func finish() throws(FileFailure) {
    try file.synchronize()
    try file.setPermissions(permissions)
    // While the lock is still on what has this name: after the move the name may be another call's.
    FileNames.remove(recordPath)
    if replaces {
      try FileNames.move(path, to: destination)
    } else {
      try FileNames.move(path, toUnused: destination)
    }
  }

  /// Leaves the file and its record for the next call, or removes both.
  package func leave(keeping isKept: Bool) {
    if isKept, isShared, let size = try? size(), size > 0 { return }
    FileNames.remove(recordPath)
    FileNames.remove(path)
  }

  /// The file that a path means.
  private static func destination(
    _ path: String, followsLinks: Bool
  ) throws(FileFailure) -> String {
    guard let last = path.split(separator: "/", omittingEmptySubsequences: false).last,
      !["", ".", ".."].contains(last), !path.utf8.contains(0)
    else { throw FileFailure(path, "it is not the name of a file") }
    guard let status = FileStatus.at(path) else { return path }
    if status.isSymbolicLink {
      // To move a file over `/dev/stdout` would be the end of that too.
      if let target = FileStatus.behind(path) { try checkReplaceable(target, at: path) }
      guard followsLinks, status.isMine, let target = FileNames.resolved(path) else { return path }
      return try destination(target, followsLinks: true)
    }
    try checkReplaceable(status, at: path)
    return path
  }

  private static func checkReplaceable(
    _ status: FileStatus, at path: String
  ) throws(FileFailure) {
    guard !status.isDirectory else { throw FileFailure(path, "it is a folder") }
    // To move a file over `/dev/null` would be the end of it.
    guard status.isRegular else { throw FileFailure(path, "it is not a regular file") }
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

  /// A name that leaves room for what is put around it: 255 bytes are the most that a name has.
  private static func shortened(_ name: Substring) -> String {
    guard name.utf8.count > 200 else { return String(name) }
    // FNV-1a, so that two long names stay two.
    let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    var short = name.prefix(180)
    while short.utf8.count > 180 { short.removeLast() }
    return "\(short)-\(String(hash, radix: 36))"
  }
}
