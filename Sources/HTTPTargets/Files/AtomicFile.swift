package import PlatformModules

/// A file that appears under its name only when it is complete.
///
/// ```swift
/// let file = try AtomicFile(named: path, replaces: true)
/// try file.write(bytes)
/// try file.commit()
/// ```
///
/// Until then, a new file next to it, `.NAME.RANDOM.tmp`, holds the bytes. The name is unpredictable, so another user
/// can't prepare a file under this name. The file is locked during the lifetime of this object, so a killed process
/// leaves an unlocked file. Use this object from one task or thread at a time.
package final class AtomicFile {
  package let temporaryPath: String
  /// The permissions of the replaced file if it belongs to this user, or else those of a new file.
  let permissions: mode_t
  let file: OpenFile
  private let destination: FileDestination
  private let replaces: Bool
  private var isEnded = false

  /// Creates a file for a path that the user specified. A symbolic link is replaced, not followed. Removes the
  /// temporary files of killed writers, unless `isOneOfMany`: ``sweep(in:where:)`` removes those of many files at once.
  package convenience init(
    named path: String, replaces: Bool, isOneOfMany: Bool = false
  ) throws(FileFailure) {
    let destination = try FileDestination(named: path, replaces: replaces, followsLinks: false)
    try self.init(at: destination, replaces: replaces)
    if !isOneOfMany { Self.sweep(destination) }
  }

  /// Creates a file of this program, which only this user can read. Removes the temporary files of killed writers.
  package convenience init(private path: String) throws(FileFailure) {
    let destination = FileDestination(path)
    try self.init(at: destination, mode: 0o600)
    Self.sweep(destination)
  }

  /// Creates a file. `mode`, minus the umask, applies if the file doesn't replace another one.
  init(
    at destination: FileDestination, mode: mode_t = 0o666, replaces: Bool = true
  ) throws(FileFailure) {
    let (path, file) = try Self.make(destination, mode)
    temporaryPath = path
    self.file = file
    self.destination = destination
    self.replaces = replaces
    do {
      // The permissions of a new file reveal the umask. It can't be read directly without setting it for all threads.
      let made = try file.status().permissions
      permissions = destination.permissions ?? made
      try file.setPermissions(0o600)
    } catch {
      FileNames.remove(path, in: destination.folder)
      throw error
    }
  }

  deinit { abandon() }

  package func write(_ bytes: some ContiguousBytes) throws(FileFailure) {
    try file.write(bytes)
  }

  /// Moves the file to its destination in one step; if that fails, removes it. With `isSynchronized`, which takes a few
  /// milliseconds, a power failure leaves either the old or the new file.
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

  package func abandon() {
    guard !isEnded else { return }
    isEnded = true
    FileNames.remove(temporaryPath, in: destination.folder)
  }

  /// Removes the temporary files that killed writers of this file left behind.
  package static func sweep(private path: String) {
    sweep(FileDestination(path))
  }

  /// Removes a temporary file if its writer no longer runs.
  static func sweep(_ temporaryPath: String, in folder: CInt) {
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
    guard let file = try? OpenFile(temporaryPath, in: folder, flags),
      let status = try? file.status(),
      status.isRegular, status.isMine, file.lock()
    else { return }
    FileNames.remove(temporaryPath, in: folder)
  }

  static func finalName(ofTemporary name: String) -> Substring? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard name.hasPrefix("."), parts.count >= 4, parts[parts.count - 1] == "tmp",
      isRandom(parts[parts.count - 2])
    else { return nil }
    return name.dropFirst().dropLast(".0123456789abcdef.tmp".count)
  }

  /// Removes the temporary files that killed writers of some files in a folder left behind.
  package static func sweep(in folder: String, where isSwept: (String) -> Bool) {
    sweep("\(folder)/", in: AT_FDCWD, where: isSwept)
  }

  private static func sweep(_ destination: FileDestination) {
    let name = destination.shortName
    sweep(destination.parent, in: destination.folder) { $0 == name }
  }

  private static func sweep(
    _ parent: some StringProtocol, in folder: CInt, where isSwept: (String) -> Bool
  ) {
    guard let names = try? FileNames.all(of: parent.isEmpty ? "." : String(parent), in: folder)
    else { return }
    for temporary in names
    where finalName(ofTemporary: temporary).map({ isSwept(String($0)) }) == true {
      sweep(parent + temporary, in: folder)
    }
  }

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
      // Another process removed the file before it was locked, or the file system doesn't support locks. In the latter
      // case, other processes don't remove the file either.
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

struct FileDestination {
  let path: String
  /// The folder that the path is relative to; `AT_FDCWD` for the working directory.
  let folder: CInt
  /// The permissions of the replaced file; nil unless it belongs to this user.
  let permissions: mode_t?

  /// Creates a destination for a file of this program, which may replace any file.
  init(_ path: String, in folder: CInt = AT_FDCWD) {
    self.path = path
    self.folder = folder
    let replaced = FileStatus.at(path, in: folder)
    permissions = replaced.flatMap { $0.isRegular && $0.isMine ? $0.permissions : nil }
  }

  /// Creates a destination that the user specified. Another user's link is never followed, because in `/tmp` it may
  /// lead to this user's files.
  init(named path: String, replaces: Bool, followsLinks: Bool) throws(FileFailure) {
    self.init(try Self.destination(path, followsLinks: followsLinks))
    guard replaces || FileStatus.at(self.path) == nil else { throw FileFailure(path, EEXIST) }
  }

  /// The path of the folder with a slash at its end, or an empty string.
  var parent: Substring {
    path[..<(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)]
  }

  /// A name short enough for a prefix and a suffix within the limit of 255 bytes.
  var shortName: String {
    let name = path[parent.endIndex...]
    guard name.utf8.count > 200 else { return String(name) }
    // FNV-1a distinguishes two long names.
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
    else { throw FileFailure(path, "it is not a file name") }
    guard let status = FileStatus.at(path) else { return path }
    if status.isSymbolicLink {
      // Moving a file to `/dev/stdout` would replace that link.
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
    // Moving a file to `/dev/null` would replace the device.
    guard status.isRegular else { throw FileFailure(path, "it is not a regular file") }
  }
}
