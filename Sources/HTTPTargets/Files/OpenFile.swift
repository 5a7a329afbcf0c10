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

/// An open file or folder, closed when it is dropped. Used by one task or thread at a time.
package final class OpenFile {
  let path: String
  private let descriptor: CInt

  /// Opens a file. A child process never inherits it.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - folder: The folder that the path starts in, open.
  ///   - flags: As open(2) takes them.
  ///   - mode: The permissions of a file that is made by this.
  /// - Throws: ``FileFailure`` when it can't be opened.
  init(
    _ path: String, in folder: CInt = AT_FDCWD, _ flags: CInt, mode: mode_t = 0
  ) throws(FileFailure) {
    self.path = path
    var result: CInt
    repeat {
      result = openat(folder, path, flags | O_CLOEXEC, mode)
    } while result < 0 && errno == EINTR
    guard result >= 0 else { throw FileFailure(path, errno) }
    descriptor = result
  }

  /// Opens a folder, for ``lock()``.
  ///
  /// - Throws: ``FileFailure``.
  package static func folder(_ path: String) throws(FileFailure) -> OpenFile {
    try OpenFile(path, O_RDONLY | O_DIRECTORY)
  }

  /// Opens a regular file for reading.
  ///
  /// - Throws: ``FileFailure``, also for what isn't a regular file: the size of a pipe is unknown, and
  ///   reading it can wait for ever.
  static func reading(_ path: String) throws(FileFailure) -> OpenFile {
    // Without O_NONBLOCK, opening a pipe would wait for a writer; on a regular file it does nothing.
    let file = try OpenFile(path, O_RDONLY | O_NONBLOCK)
    guard try file.status().isRegular else { throw FileFailure(path, "it is not a regular file") }
    return file
  }

  deinit { close(descriptor) }

  /// What the system knows of the open file.
  func status() throws(FileFailure) -> FileStatus {
    var result = stat()
    guard fstat(descriptor, &result) == 0 else { throw FileFailure(path, errno) }
    return FileStatus(result)
  }

  /// Reads bytes from a place of the file; 0 at its end.
  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(FileFailure) -> Int {
    while true {
      let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if count >= 0 { return count }
      guard errno == EINTR else { throw FileFailure(path, errno) }
    }
  }

  /// Writes all of the bytes, however many calls that takes.
  func write(_ data: some ContiguousBytes) throws(FileFailure) {
    let code = data.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: rest))
        if count > 0 {
          rest = rest.dropFirst(count)
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

  /// Cuts the file off.
  func truncate(to size: Int) throws(FileFailure) {
    guard ftruncate(descriptor, off_t(size)) == 0 else { throw FileFailure(path, errno) }
  }

  func setPermissions(_ mode: mode_t) throws(FileFailure) {
    guard fchmod(descriptor, mode) == 0 else { throw FileFailure(path, errno) }
  }

  /// Waits until the bytes are on the disk: some file systems find out only then that it is full.
  func synchronize() throws(FileFailure) {
    guard fsync(descriptor) == 0 else { throw FileFailure(path, errno) }
  }

  /// Takes the file for this process, as long as it is open; false if somebody else has it.
  package func lock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }
}

/// `write(2)`, which the method's name would hide.
private func systemWrite(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
