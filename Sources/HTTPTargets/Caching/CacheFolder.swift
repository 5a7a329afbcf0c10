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

/// An open folder of entries: the files that a ``DiskResponseStore`` knows by their names, and no others.
///
/// Every function waits for the disk. Files are opened by name in the open folder, and links aren't followed,
/// so nothing here leads out of the folder.
final class CacheFolder: Sendable {
  typealias Failure = DiskResponseStore.Failure

  struct File {
    let name: String
    let size: Int
    /// Its last use, in nanoseconds since 1970.
    let lastUse: Int
    /// Whether it is an unfinished entry.
    let isTemporary: Bool
  }

  private let descriptor: CInt

  /// Opens a folder.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - isCreated: Whether to make the folder and its parent if they are missing. Nothing above is made, so no
  ///     home comes into being.
  /// - Throws: ``Failure`` if it can't be opened, or if others may write to it.
  /// - Returns: The folder; nil if it doesn't exist.
  static func open(_ path: String, isCreated: Bool) throws(Failure) -> CacheFolder? {
    if isCreated {
      guard !FolderOwner.isInTheWay(of: path) else {
        throw Failure("\(path) can't be used: root writes nothing to another user's folder")
      }
      // XDG Base Directory Specification: missing folders are made with 0700.
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

  /// Reads a file, and marks it as used.
  ///
  /// - Returns: The bytes; nil if there is no such file.
  func read(_ name: String, maximumSize: Int) -> [UInt8]? {
    // O_NONBLOCK: opening a pipe of that name would wait for a writer.
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
  /// The bytes aren't synchronized (fsync): if a power failure leaves half an entry, its checksum shows that,
  /// at the cost of one request.
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
        // Another process has cleared the cache meanwhile. This answer isn't stored.
      }
    } catch {
      throw Failure("nothing can be stored: \(error.reason)")
    }
  }

  /// Removes a file.
  ///
  /// - Returns: Whether it existed and is gone.
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

  /// Whether a file begins like an entry, or is the truncated beginning of one.
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

/// The names of the files in a cache folder.
enum CacheFileName {
  /// The kind of a file, by its name.
  enum Kind: Hashable {
    /// An entry: 32 hexadecimal digits and `.response`.
    case entry
    /// An unfinished entry, as ``AtomicFile`` names it.
    case temporary

    /// Reads a name; nil if it isn't the cache's.
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
