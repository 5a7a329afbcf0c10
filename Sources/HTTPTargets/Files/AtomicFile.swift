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

/// A file that is there when it is whole, and until then under another name beside its place.
///
/// ```swift
/// let file = try AtomicFile(named: path, replaces: true)
/// try file.write(bytes)
/// try file.commit()
/// ```
///
/// The other name, `.NAME.RANDOM.tmp`, can't be foreseen, and is given to a file that is made by this: nothing that
/// somebody has put into the folder is written to. It is locked as long as this lives: one that isn't locked is what
/// a killed process has left. What isn't committed is removed. Used by one task or thread at a time.
package final class AtomicFile {
  /// Where the file is until it is whole.
  package let temporaryPath: String
  /// The permissions that it will have: those of this user's file that it takes the place of, else those of
  /// any file that is made there.
  let permissions: mode_t
  let file: OpenFile
  private let destination: FileDestination
  private let replaces: Bool
  private var isEnded = false

  /// Begins a file at a path that somebody has named, and removes what killed writers of it have left.
  ///
  /// - Parameters:
  ///   - path: Where it is to be. A symbolic link there is replaced, and not followed.
  ///   - replaces: Whether it takes the place of a file that is there.
  /// - Throws: ``FileFailure`` when nothing can be written there, or something is there that is to stay.
  package convenience init(named path: String, replaces: Bool) throws(FileFailure) {
    let destination = try FileDestination(named: path, replaces: replaces, followsLinks: false)
    try self.init(at: destination, replaces: replaces)
    Self.sweep(destination)
  }

  /// Begins a file of this program's own, for this user alone, and removes what killed writers of it have left.
  ///
  /// - Parameter path: Where it is to be. Whatever is there is replaced.
  /// - Throws: ``FileFailure`` when nothing can be written there.
  package convenience init(private path: String) throws(FileFailure) {
    let destination = FileDestination(path)
    try self.init(at: destination, mode: 0o600)
    Self.sweep(destination)
  }

  /// Begins a file, and leaves those of killed writers to ``sweep(_:in:)``.
  ///
  /// - Parameters:
  ///   - destination: Where it is to be.
  ///   - mode: The permissions that it has where it takes no file's place, less the process's mask.
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
      // The process's mask of permissions can't be asked for without being set, for all threads; a new file shows it.
      let made = try file.status().permissions
      permissions = destination.permissions ?? made
      try file.setPermissions(0o600)
    } catch {
      FileNames.remove(path, in: destination.folder)
      throw error
    }
  }

  deinit { abandon() }

  /// Writes behind what is there.
  ///
  /// - Throws: ``FileFailure``, for example where the disk is full.
  package func write(_ bytes: some ContiguousBytes) throws(FileFailure) {
    try file.write(bytes)
  }

  /// Puts the file in its place, in one step.
  ///
  /// - Parameter isSynchronized: Whether its bytes are on the disk before, so that a power failure leaves one or the
  ///   other. It takes some milliseconds.
  /// - Throws: ``FileFailure`` when that can't be done; nothing is left of it then.
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

  /// Removes what isn't committed.
  package func abandon() {
    guard !isEnded else { return }
    isEnded = true
    FileNames.remove(temporaryPath, in: destination.folder)
  }

  /// Removes what killed writers of a file have left.
  ///
  /// - Parameter path: Where the file was to be.
  package static func sweep(private path: String) {
    sweep(FileDestination(path))
  }

  /// Removes a temporary file, if its writer is gone.
  static func sweep(_ temporaryPath: String, in folder: CInt) {
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
    guard let file = try? OpenFile(temporaryPath, in: folder, flags),
      let status = try? file.status(),
      status.isRegular, status.isMine, file.lock()
    else { return }
    FileNames.remove(temporaryPath, in: folder)
  }

  /// The name that a temporary file was to have in the end; nil for what can't be one.
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

  /// Makes the file, and locks it.
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
      // Who sweeps has found it before it was locked; or files can't be locked here, and nobody sweeps.
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

/// Where a file is to be that is written under another name first.
struct FileDestination {
  /// The path, behind the links at its end that are followed.
  let path: String
  /// The folder that the path starts in, open; `AT_FDCWD` for the working directory.
  let folder: CInt
  /// Who may do what with this user's file that is there; nil where there is none.
  let permissions: mode_t?

  /// Takes a path that is this program's own: whatever is there may be replaced.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - folder: The folder that it starts in, open.
  init(_ path: String, in folder: CInt = AT_FDCWD) {
    self.path = path
    self.folder = folder
    let replaced = FileStatus.at(path, in: folder)
    permissions = replaced.flatMap { $0.isRegular && $0.isMine ? $0.permissions : nil }
  }

  /// Takes a path that somebody has named, and looks at what is there.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - replaces: Whether a file that is there may be replaced.
  ///   - followsLinks: Whether the destination is what a symbolic link of this user's leads to, instead of the
  ///     link. Those of others are never followed: in a folder such as `/tmp` they lead to this user's files.
  /// - Throws: ``FileFailure`` when no file can be put there.
  init(named path: String, replaces: Bool, followsLinks: Bool) throws(FileFailure) {
    self.init(try Self.destination(path, followsLinks: followsLinks))
    guard replaces || FileStatus.at(self.path) == nil else { throw FileFailure(path, EEXIST) }
  }

  /// The path of the folder that the file is in, with a slash at its end; empty for that where the path starts.
  var parent: Substring {
    path[..<(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)]
  }

  /// The file's name, or one that stands for it and leaves room for what is put around it: 255 bytes are the
  /// most that a name has.
  var shortName: String {
    let name = path[parent.endIndex...]
    guard name.utf8.count > 200 else { return String(name) }
    // FNV-1a, so that two long names stay two.
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
}
