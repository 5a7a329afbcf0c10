#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A folder of entries, open: the files that a ``DiskResponseStore`` knows by their names, and nothing else
/// that may be in there.
///
/// Every function waits for the disk. Files are opened by their names in the open folder, and a link is
/// not followed, so that nothing here leads out of it.
final class CacheFolder: Sendable {
  typealias Failure = DiskResponseStore.Failure

  /// A file of the cache.
  struct File {
    /// Its name.
    let name: String
    /// Its length in bytes.
    let size: Int
    /// When it was used, in nanoseconds since 1970.
    let lastUse: Int
    /// Whether it was to become an entry.
    let isTemporary: Bool
  }

  private let descriptor: CInt

  /// Opens a folder.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - isCreated: Whether it is made when it isn't there, and the one that it is to be in; not more,
  ///     so that no home comes into being that nobody has.
  /// - Throws: ``Failure`` when it can't be opened, or isn't this user's alone to write to.
  /// - Returns: Nil when it isn't there.
  static func open(_ path: String, isCreated: Bool) throws(Failure) -> CacheFolder? {
    if isCreated {
      guard !FolderOwner.isInTheWay(of: path) else {
        throw Failure("\(path) can't be used: root leaves nothing in another user's folder")
      }
      // XDG Base Directory Specification: a folder that is missing is made with 0700.
      let parent = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
      if !parent.isEmpty { mkdir(String(parent), 0o700) }
      mkdir(path, 0o700)
    }
    let descriptor = systemOpen(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      let reason = errno
      if reason == ENOENT, !isCreated { return nil }
      throw Failure("\(path) can't be used", errno: reason)
    }
    let folder = CacheFolder(descriptor: descriptor)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o022 == 0
    else { throw Failure("\(path) can't be used: others may write to it") }
    return folder
  }

  private init(descriptor: CInt) {
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Reads a file, and notes that it was used.
  ///
  /// - Returns: Nil when there is none.
  func read(_ name: String, maximumSize: Int) -> [UInt8]? {
    // O_NONBLOCK: a pipe of that name would wait for somebody to write.
    let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let size = Int(exactly: status.st_size), size <= maximumSize
    else { return [] }
    futimens(file, nil)
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      let bytes = UnsafeMutableRawBufferPointer(buffer)
      while count < size {
        let length = systemRead(file, UnsafeMutableRawBufferPointer(rebasing: bytes[count...]))
        if length > 0 {
          count += length
        } else if length == 0 || errno != EINTR {
          break
        }
      }
    }
  }

  /// Writes a file whole or not at all.
  ///
  /// Nothing is written through to the disk (fsync): a power failure that leaves half an entry is noticed
  /// by its checksum, and costs no more than a request.
  ///
  /// - Throws: ``Failure`` when the file can't be written.
  func write(_ name: String, _ parts: [UInt8], _ rest: Data) throws(Failure) {
    do throws(FileFailure) {
      let file = try AtomicFile(at: FileDestination(name, in: descriptor), mode: 0o600)
      try file.write(parts)
      try file.write(rest)
      do {
        try file.commit(isSynchronized: false)
      } catch  where error.code == ENOENT {
        // Another process has cleared the cache meanwhile. One answer isn't stored, that is all.
      }
    } catch {
      throw Failure("nothing can be stored: \(error.reason)")
    }
  }

  /// Removes a file.
  ///
  /// - Returns: Whether it was there, and is gone.
  @discardableResult
  func remove(_ name: String) -> Bool { unlinkat(descriptor, name, 0) == 0 }

  /// Lists the files of the cache.
  ///
  /// - Throws: ``Failure`` when the folder can't be read.
  func files() throws(Failure) -> [File] {
    var files: [File] = []
    for name in try names() {
      var status = stat()
      guard let kind = CacheFileName.Kind(name),
        fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
        status.st_mode & S_IFMT == S_IFREG
      else { continue }
      files.append(
        File(
          name: name, size: Int(status.st_size), lastUse: status.lastChange,
          isTemporary: kind == .temporary))
    }
    return files
  }

  private func names() throws(Failure) -> [String] {
    do {
      return try FileNames.all(of: ".", in: descriptor)
    } catch {
      throw Failure("the folder can't be read: \(error.reason)")
    }
  }

  /// Removes a temporary file whose writer is gone.
  func sweep(_ temporary: File) {
    AtomicFile.sweep(temporary.name, in: descriptor)
  }

  /// Whether a file begins as an entry does, or is the beginning of one that was cut short.
  func isEntry(_ name: String) -> Bool {
    let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return false }
    defer { close(file) }
    var start = [UInt8](repeating: 0, count: StoredResponse.magic.count)
    let count = start.withUnsafeMutableBytes { systemRead(file, $0) }
    return count >= 0 && StoredResponse.magic.starts(with: start.prefix(count))
  }
}

extension stat {
  /// The time of the last change, in nanoseconds since 1970.
  fileprivate var lastChange: Int {
    #if canImport(Darwin)
      let time = st_mtimespec
    #else
      let time = st_mtim
    #endif
    return Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec)
  }
}

// The methods' names would hide these.

private func systemOpen(_ path: String, _ flags: CInt) -> CInt { open(path, flags) }

private func systemRead(_ file: CInt, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
  read(file, bytes.baseAddress, bytes.count)
}

/// The names of the files in the folder of a cache.
enum CacheFileName {
  /// What a file is by its name.
  enum Kind: Hashable {
    /// An entry: 32 hexadecimal digits and `.response`.
    case entry
    /// What was to become one, as ``AtomicFile`` names it.
    case temporary

    /// Reads a name; nil for one that isn't the cache's.
    init?(_ name: String) {
      let final = AtomicFile.finalName(ofTemporary: name)
      let parts = (final ?? name[...]).split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 2, Self.isHexadecimal(parts[0], count: 32), parts[1] == "response"
      else { return nil }
      self = final == nil ? .entry : .temporary
    }

    private static func isHexadecimal(_ text: Substring, count: Int) -> Bool {
      text.utf8.count == count
        && text.utf8.allSatisfy {
          (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
        }
    }
  }

  /// The name of the entry under a key.
  static func entry(for key: ResponseKey) -> String { "\(key.name).response" }
}
