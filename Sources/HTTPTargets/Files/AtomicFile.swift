package import PlatformModules

/// A file that appears under its name when it is complete.
///
/// ```swift
/// let file = try AtomicFile(named: path, replaces: true)
/// try file.write(bytes)
/// try file.commit()
/// ```
///
/// Until then, a new file beside it, `.NAME.RANDOM.tmp`, holds the bytes. The name is unpredictable, so files that
/// others put into the folder aren't written to. The file is locked while this object lives, so a killed process leaves
/// an unlocked one. For one task or thread at a time.
package final class AtomicFile {
  package let temporaryPath: String
  /// The replaced file's if it is this user's, else a new file's.
  let permissions: mode_t
  let file: OpenFile
  private let destination: FileDestination
  private let replaces: Bool
  private var isEnded = false

  /// For a path that the user named. A symbolic link there is replaced, not followed. Removes files left by killed
  /// writers.
  package convenience init(named path: String, replaces: Bool) throws(FileFailure) {
    let destination = try FileDestination(named: path, replaces: replaces, followsLinks: false)
    try self.init(at: destination, replaces: replaces)
    Self.sweep(destination)
  }

  /// For a file of this program, readable by this user alone. Removes files left by killed writers.
  package convenience init(private path: String) throws(FileFailure) {
    let destination = FileDestination(path)
    try self.init(at: destination, mode: 0o600)
    Self.sweep(destination)
  }

  /// `mode`, less the process's mask, is for a file that replaces none.
  init(
    at destination: FileDestination, mode: mode_t = 0o666, replaces: Bool = true
  ) throws(FileFailure) {
    let (path, file) = try Self.make(destination, mode)
    temporaryPath = path
    self.file = file
    self.destination = destination
    self.replaces = replaces
    do {
      // A new file shows the umask, which can't be read without setting it for all threads.
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

  /// Moves the file to its place in one step, or removes it. With `isSynchronized`, a power failure leaves either
  /// the old or the new file; that takes some milliseconds.
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

  /// Removes the temporary files of a file's killed writers.
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
      // A sweep came before the lock, or files can't be locked here and no process sweeps.
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
  /// The folder that the path starts from; `AT_FDCWD` for the working directory.
  let folder: CInt
  /// Only of a file of this user's.
  let permissions: mode_t?

  /// For a path of this program, where every file may be replaced.
  init(_ path: String, in folder: CInt = AT_FDCWD) {
    self.path = path
    self.folder = folder
    let replaced = FileStatus.at(path, in: folder)
    permissions = replaced.flatMap { $0.isRegular && $0.isMine ? $0.permissions : nil }
  }

  /// Another user's link is never followed: in `/tmp` it may lead to this user's files.
  init(named path: String, replaces: Bool, followsLinks: Bool) throws(FileFailure) {
    self.init(try Self.destination(path, followsLinks: followsLinks))
    guard replaces || FileStatus.at(self.path) == nil else { throw FileFailure(path, EEXIST) }
  }

  /// With a slash at its end, or empty.
  var parent: Substring {
    path[..<(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)]
  }

  /// Leaves space for a prefix and a suffix in the 255 bytes of a name.
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
    else { throw FileFailure(path, "it is not a file name") }
    guard let status = FileStatus.at(path) else { return path }
    if status.isSymbolicLink {
      // Moving a file over `/dev/stdout` would replace it.
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
    // Likewise `/dev/null`.
    guard status.isRegular else { throw FileFailure(path, "it is not a regular file") }
  }
}
