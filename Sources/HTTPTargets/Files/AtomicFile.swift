#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A file that appears under its name when it is complete, and has a temporary name beside its place until
/// then.
///
/// ```swift
/// let file = try AtomicFile(named: path, replaces: true)
/// try file.write(bytes)
/// try file.commit()
/// ```
///
/// The temporary name, `.NAME.RANDOM.tmp`, can't be predicted, and belongs to a new file: nothing that somebody
/// has put into the folder is written to. The file is locked while this object lives, so an unlocked one was
/// left by a killed process. A file that isn't committed is removed. Only one task or thread at a time may use
/// it.
package final class AtomicFile {
  /// The path of the file until it is complete.
  package let temporaryPath: String
  /// Its final permissions: those of this user's file that it replaces, else those of any new file there.
  let permissions: mode_t
  let file: OpenFile
  private let destination: FileDestination
  private let replaces: Bool
  private var isEnded = false

  /// Begins a file at a path that the user named, and removes what killed writers of it have left.
  ///
  /// - Parameters:
  ///   - path: The destination. A symbolic link there is replaced, not followed.
  ///   - replaces: Whether it takes the place of a file that is there.
  /// - Throws: ``FileFailure`` if nothing can be written there, or if a file there has to stay.
  package convenience init(named path: String, replaces: Bool) throws(FileFailure) {
    let destination = try FileDestination(named: path, replaces: replaces, followsLinks: false)
    try self.init(at: destination, replaces: replaces)
    Self.sweep(destination)
  }

  /// Begins a file of this program, for this user alone, and removes what killed writers of it have left.
  ///
  /// - Parameter path: The destination. Whatever is there is replaced.
  /// - Throws: ``FileFailure`` when nothing can be written there.
  package convenience init(private path: String) throws(FileFailure) {
    let destination = FileDestination(path)
    try self.init(at: destination, mode: 0o600)
    Self.sweep(destination)
  }

  /// Begins a file. Files of killed writers are left to ``sweep(_:in:)``.
  ///
  /// - Parameters:
  ///   - destination: Where it is to be.
  ///   - mode: The permissions of a file that replaces none, less the process's mask.
  ///   - replaces: Whether it takes the place of a file that is there.
  /// - Throws: ``FileFailure`` when nothing can be written there.
  init(
    at destination: FileDestination, mode: mode_t = 0o666, replaces: Bool = true
  ) throws(FileFailure) {
    let (path, file) = try Self.make(destination, mode)
    temporaryPath = path
    self.file = file
    self.destination = destination
    self.replaces = replaces
    do {
      // The process's umask can't be read without being set for all threads; a new file shows it.
      let made = try file.status().permissions
      permissions = destination.permissions ?? made
      try file.setPermissions(0o600)
    } catch {
      FileNames.remove(path, in: destination.folder)
      throw error
    }
  }

  deinit { abandon() }

  /// Appends bytes.
  ///
  /// - Throws: ``FileFailure``, for example if the disk is full.
  package func write(_ bytes: some ContiguousBytes) throws(FileFailure) {
    try file.write(bytes)
  }

  /// Moves the file to its place in one step.
  ///
  /// - Parameter isSynchronized: Whether to wait until its bytes are on the disk, so that a power failure
  ///   leaves either the old or the new file. That takes some milliseconds.
  /// - Throws: ``FileFailure`` if that fails; nothing is left of the file then.
  package func commit(isSynchronized: Bool = true) throws(FileFailure) {
    defer { abandon() }
    if isSynchronized { try file.synchronize() }
    try file.setPermissions(permissions)
    if replaces {
      try FileNames.move(temporaryPath, to: destination.path, in: destination.folder)
    } else {
      try FileNames.move(temporaryPath, toUnused: destination.path, in: destination.folder)
    }
    isEnded = true
  }

  /// Removes the file unless it is committed.
  package func abandon() {
    guard !isEnded else { return }
    isEnded = true
    FileNames.remove(temporaryPath, in: destination.folder)
  }

  /// Removes what killed writers of a file have left.
  package static func sweep(private path: String) {
    sweep(FileDestination(path))
  }

  /// Removes a temporary file whose writer is gone.
  static func sweep(_ temporaryPath: String, in folder: CInt) {
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
    guard let file = try? OpenFile(temporaryPath, in: folder, flags),
      let status = try? file.status(),
      status.isRegular, status.isMine, file.lock()
    else { return }
    FileNames.remove(temporaryPath, in: folder)
  }

  /// The final name of a temporary file; nil if the name isn't a temporary one.
  static func finalName(ofTemporary name: String) -> Substring? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard name.hasPrefix("."), parts.count >= 4, parts[parts.count - 1] == "tmp",
      isRandom(parts[parts.count - 2])
    else { return nil }
    return name.dropFirst().dropLast(".0123456789abcdef.tmp".count)
  }

  private static func sweep(_ destination: FileDestination) {
    let parent = destination.parent.isEmpty ? "." : String(destination.parent)
    guard let names = try? FileNames.all(of: parent, in: destination.folder) else { return }
    let name = destination.shortName[...]
    for temporary in names where finalName(ofTemporary: temporary) == name {
      sweep(destination.parent + temporary, in: destination.folder)
    }
  }

  /// Creates and locks the file.
  private static func make(
    _ destination: FileDestination, _ mode: mode_t
  ) throws(FileFailure) -> (String, OpenFile) {
    let flags = O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW
    var attempt = 1
    while true {
      let digits = String(UInt64.random(in: .min ... .max), radix: 16)
      let random = String(repeating: "0", count: 16 - digits.utf8.count) + digits
      let path = "\(destination.parent).\(destination.shortName).\(random).tmp"
      let file = try OpenFile(path, in: destination.folder, flags, mode: mode)
      let identity = try file.status().identity
      if file.lock(), FileStatus.at(path, in: destination.folder)?.identity == identity {
        return (path, file)
      }
      // Another process may have swept it before it was locked. Or files can't be locked here, and nobody
      // sweeps.
      if attempt == 3 { return (path, file) }
      FileNames.remove(path, in: destination.folder)
      attempt += 1
    }
  }

  private static func isRandom(_ text: Substring) -> Bool {
    text.utf8.count == 16
      && text.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }
}

/// The destination of a file that is written under a temporary name first.
struct FileDestination {
  /// The path, after links at its end were followed.
  let path: String
  /// The folder that the path starts in, open; `AT_FDCWD` for the working directory.
  let folder: CInt
  /// The permissions of this user's file that is there; nil if there is none.
  let permissions: mode_t?

  /// Uses a path of this program, where everything may be replaced.
  init(_ path: String, in folder: CInt = AT_FDCWD) {
    self.path = path
    self.folder = folder
    let replaced = FileStatus.at(path, in: folder)
    permissions = replaced.flatMap { $0.isRegular && $0.isMine ? $0.permissions : nil }
  }

  /// Uses a path that the user named, and checks what is there.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - replaces: Whether a file that is there may be replaced.
  ///   - followsLinks: Whether to follow a symbolic link of this user. Links of others are never followed: in a
  ///     folder such as `/tmp` they lead to this user's files.
  /// - Throws: ``FileFailure`` if no file can be put there.
  init(named path: String, replaces: Bool, followsLinks: Bool) throws(FileFailure) {
    self.init(try Self.destination(path, followsLinks: followsLinks))
    guard replaces || FileStatus.at(self.path) == nil else { throw FileFailure(path, EEXIST) }
  }

  /// The path of the file's folder, with a slash at its end; empty if the path has none.
  var parent: Substring {
    path[..<(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)]
  }

  /// The file's name, or a shorter stand-in that leaves room for a prefix and a suffix: a name has at most 255
  /// bytes.
  var shortName: String {
    let name = path[parent.endIndex...]
    guard name.utf8.count > 200 else { return String(name) }
    // FNV-1a keeps two long names apart.
    let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    var short = name.prefix(180)
    while short.utf8.count > 180 { short.removeLast() }
    return "\(short)-\(String(hash, radix: 36))"
  }

  private static func destination(
    _ path: String, followsLinks: Bool
  ) throws(FileFailure) -> String {
    guard let last = path.split(separator: "/", omittingEmptySubsequences: false).last,
      !["", ".", ".."].contains(last), !path.utf8.contains(0)
    else { throw FileFailure(path, "it is not the name of a file") }
    guard let status = FileStatus.at(path) else { return path }
    if status.isSymbolicLink {
      // Moving a file over `/dev/stdout` would replace that too.
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
    // Moving a file over `/dev/null` would replace it.
    guard status.isRegular else { throw FileFailure(path, "it is not a regular file") }
  }
}
