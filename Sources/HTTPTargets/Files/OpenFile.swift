internal import PlatformModules

/// An open file or folder, which is closed when this object is released. Use it from one task or thread at a time.
package final class OpenFile {
  let path: String
  private let descriptor: CInt

  /// Opens a file, which child processes never inherit.
  init(
    _ path: String, in folder: CInt = AT_FDCWD, _ flags: CInt, mode: mode_t = 0
  ) throws(FileFailure) {
    self.path = path
    var result: CInt
    repeat {
      result = unsafe openat(folder, path, flags | O_CLOEXEC, mode)
    } while result < 0 && errno == EINTR
    guard result >= 0 else { throw FileFailure(path, errno) }
    descriptor = result
  }

  package static func folder(_ path: String) throws(FileFailure) -> OpenFile {
    try OpenFile(path, O_RDONLY | O_DIRECTORY)
  }

  /// Opens a file for reading. Throws for a pipe, because it has no size and may never end.
  static func reading(_ path: String) throws(FileFailure) -> OpenFile {
    // Nonblocking, because opening a pipe would wait for a writer otherwise.
    let file = try OpenFile(path, O_RDONLY | O_NONBLOCK)
    guard try file.status().isRegular else { throw FileFailure(path, "it is not a regular file") }
    return file
  }

  deinit { close(descriptor) }

  func status() throws(FileFailure) -> FileStatus {
    var result = stat()
    guard unsafe fstat(descriptor, &result) == 0 else { throw FileFailure(path, errno) }
    return FileStatus(result)
  }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(FileFailure) -> Int {
    while true {
      let count = unsafe pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if count >= 0 { return count }
      guard errno == EINTR else { throw FileFailure(path, errno) }
    }
  }

  func write(_ data: some ContiguousBytes) throws(FileFailure) {
    let code = unsafe data.withUnsafeBytes { bytes in
      var rest = unsafe bytes[...]
      while unsafe !rest.isEmpty {
        let count = unsafe systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: rest))
        if count > 0 {
          unsafe rest = rest.dropFirst(count)
        } else if count == 0 {
          return ENOSPC
        } else if errno != EINTR {
          return errno
        }
      }
      return 0
    }
    guard code == 0 else { throw FileFailure(path, code) }
  }

  func truncate(to size: Int) throws(FileFailure) {
    guard ftruncate(descriptor, off_t(size)) == 0 else { throw FileFailure(path, errno) }
  }

  func setPermissions(_ mode: mode_t) throws(FileFailure) {
    guard fchmod(descriptor, mode) == 0 else { throw FileFailure(path, errno) }
  }

  /// Waits until the bytes are on the disk. Some file systems report a full disk only then.
  func synchronize() throws(FileFailure) {
    guard fsync(descriptor) == 0 else { throw FileFailure(path, errno) }
  }

  /// Locks the file until it is closed. Returns false if it is locked already.
  package func lock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }
}

/// `write(2)` under another name, because the method would hide it.
private func systemWrite(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
  unsafe write(descriptor, bytes.baseAddress, bytes.count)
}

struct FileStatus {
  let size: Int
  let mode: mode_t
  let owner: uid_t
  let links: Int
  let identity: [UInt64]
  /// The time of the last change, in seconds and nanoseconds.
  let changed: [Int]

  init(_ status: stat) {
    size = Int(status.st_size)
    mode = status.st_mode
    owner = status.st_uid
    links = Int(status.st_nlink)
    identity = [UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino)]
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    changed = [Int(time.tv_sec), Int(time.tv_nsec)]
  }

  /// The status of a file. A symbolic link at the end of the path isn't followed.
  static func at(_ path: String, in folder: CInt = AT_FDCWD) -> FileStatus? {
    var result = stat()
    return unsafe fstatat(folder, path, &result, AT_SYMLINK_NOFOLLOW) == 0
      ? FileStatus(result) : nil
  }

  static func behind(_ path: String) -> FileStatus? {
    var result = stat()
    return unsafe stat(path, &result) == 0 ? FileStatus(result) : nil
  }

  var isRegular: Bool { mode & S_IFMT == S_IFREG }
  var isDirectory: Bool { mode & S_IFMT == S_IFDIR }
  var isSymbolicLink: Bool { mode & S_IFMT == S_IFLNK }
  var isMine: Bool { owner == geteuid() }
  var permissions: mode_t { mode & 0o777 }
}

package enum FileNames {
  static func move(
    _ path: String, to destination: String, in folder: CInt = AT_FDCWD
  ) throws(FileFailure) {
    guard unsafe renameat(folder, path, folder, destination) == 0 else {
      throw FileFailure(destination, errno)
    }
  }

  /// Moves a file by link(2) and unlink(2), because rename(2) would replace a file that appears in the meantime. If the
  /// file system doesn't support hard links, it checks for an existing file first.
  static func move(
    _ path: String, toUnused destination: String, in folder: CInt = AT_FDCWD
  ) throws(FileFailure) {
    if unsafe linkat(folder, path, folder, destination, 0) == 0 { return remove(path, in: folder) }
    let code = errno
    guard [EPERM, EOPNOTSUPP, ENOTSUP, ENOSYS].contains(code) else {
      throw FileFailure(destination, code)
    }
    guard FileStatus.at(destination, in: folder) == nil else {
      throw FileFailure(destination, EEXIST)
    }
    try move(path, to: destination, in: folder)
  }

  package static func remove(_ path: String, in folder: CInt = AT_FDCWD) {
    unsafe unlinkat(folder, path, 0)
  }

  /// The names in a folder, including `.` and `..`.
  package static func all(
    of path: String, in folder: CInt = AT_FDCWD
  ) throws(FileFailure) -> [String] {
    // A separate descriptor, because reading changes its position.
    let descriptor = unsafe openat(folder, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0, let directory = unsafe fdopendir(descriptor) else {
      let reason = errno
      if descriptor >= 0 { close(descriptor) }
      throw FileFailure(path, reason)
    }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      unsafe names.append(
        withUnsafePointer(to: &entry.pointee.d_name) { name in
          unsafe name.withMemoryRebound(
            to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)
          ) { unsafe String(cString: $0) }
        })
    }
    return names
  }

  static func resolved(_ path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }
}

package struct FileFailure: Error, CustomStringConvertible {
  package let path: String
  package let reason: String
  let code: CInt?

  package init(_ path: String, _ reason: String) {
    self.path = path
    self.reason = reason
    code = nil
  }

  init(_ path: String, _ code: CInt) {
    self.path = path
    reason = unsafe String(cString: strerror(code))
    self.code = code
  }

  package var isNameTaken: Bool { code == EEXIST }

  package var description: String { "“\(path)”: \(reason)" }
}
