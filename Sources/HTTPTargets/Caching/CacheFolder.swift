internal import PlatformModules

/// The open folder of a ``DiskResponseStore``. Its files are opened without following links, so no name can lead out of
/// the folder.
final class CacheFolder: Sendable {
  typealias Failure = DiskResponseStore.Failure

  struct File {
    let name: String
    let size: Int
    /// The time of the last use, in nanoseconds since 1970.
    let lastUse: Int
    let isTemporary: Bool
  }

  private let descriptor: CInt

  /// Opens the folder; nil if it doesn't exist. `isCreated` creates the folder and its parent, but not the folders
  /// above, so a missing home folder isn't created.
  static func open(_ path: String, isCreated: Bool) throws(Failure) -> CacheFolder? {
    if isCreated {
      guard !FolderOwner.isInTheWay(of: path) else {
        throw Failure("\(path) can't be used: root doesn't write to another user's folder")
      }
      let parent = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
      if !parent.isEmpty { unsafe mkdir(String(parent), 0o700) }
      unsafe mkdir(path, 0o700)
    }
    let descriptor = systemOpen(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      let reason = errno
      if reason == ENOENT, !isCreated { return nil }
      throw Failure("\(path) can't be used", errno: reason)
    }
    let folder = CacheFolder(descriptor: descriptor)
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_uid == geteuid(),
      status.st_mode & 0o022 == 0
    else { throw Failure("\(path) can't be used: others may write to it") }
    return folder
  }

  private init(descriptor: CInt) {
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Reads a file and marks it as used.
  func read(_ name: String, maximumSize: Int) -> [UInt8]? {
    // Nonblocking, because opening a pipe with this name would wait for a writer otherwise.
    let file = unsafe openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let size = Int(exactly: status.st_size), size <= maximumSize
    else { return [] }
    futimens(file, nil)
    return unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      let bytes = UnsafeMutableRawBufferPointer(buffer)
      while count < size {
        let length = unsafe systemRead(
          file, UnsafeMutableRawBufferPointer(rebasing: bytes[count...]))
        if length > 0 {
          count += length
        } else if length == 0 || errno != EINTR {
          break
        }
      }
    }
  }

  /// Writes a file without fsync. After a power failure, a checksum reveals a partial file, which costs only one
  /// request.
  func write(_ name: String, _ parts: [UInt8], _ rest: Data) throws(Failure) {
    do throws(FileFailure) {
      let file = try AtomicFile(at: FileDestination(name, in: descriptor), mode: 0o600)
      try file.write(parts)
      try file.write(rest)
      do {
        try file.commit(isSynchronized: false)
      } catch  where error.code == ENOENT {
        // Another process has cleared the cache, so this response isn't stored.
      }
    } catch {
      throw Failure("nothing can be stored: \(error.reason)")
    }
  }

  @discardableResult
  func remove(_ name: String) -> Bool { unsafe unlinkat(descriptor, name, 0) == 0 }

  func files() throws(Failure) -> [File] {
    var files: [File] = []
    for name in try names() {
      var status = stat()
      guard let kind = CacheFileName.Kind(name),
        unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
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

  func sweep(_ temporary: File) {
    AtomicFile.sweep(temporary.name, in: descriptor)
  }

  /// Whether a file begins like a stored response, even a truncated one.
  func isEntry(_ name: String) -> Bool {
    let file = unsafe openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return false }
    defer { close(file) }
    var start = [UInt8](repeating: 0, count: StoredResponse.magic.count)
    let count = unsafe start.withUnsafeMutableBytes { unsafe systemRead(file, $0) }
    return count >= 0 && StoredResponse.magic.starts(with: start.prefix(count))
  }
}

extension stat {
  fileprivate var lastChange: Int {
    #if canImport(Darwin)
      let time = st_mtimespec
    #else
      let time = st_mtim
    #endif
    return Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec)
  }
}

// These functions have other names, because the methods would hide them.

private func systemOpen(_ path: String, _ flags: CInt) -> CInt { unsafe open(path, flags) }

private func systemRead(_ file: CInt, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
  unsafe read(file, bytes.baseAddress, bytes.count)
}

enum CacheFileName {
  enum Kind: Hashable {
    case entry
    case temporary

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

  static func entry(for key: ResponseKey) -> String { "\(key.name).response" }
}
