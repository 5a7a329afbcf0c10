internal import HTTPTargets
internal import PlatformModules

/// A database file that only this user may read.
package struct PrivateFile {
  let path: String

  package init(path: String) {
    self.path = path
  }

  package var folder: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The size in bytes, including the write-ahead log.
  package var size: Int {
    ["", "-wal"].reduce(0) { $0 + Int(Self.status(path + $1)?.st_size ?? 0) }
  }

  /// Whether the disk is full. SQLite has an error code for that, but doesn't use it when it extends its shared memory
  /// or truncates a file.
  package var isOnFullDisk: Bool {
    var status = statvfs()
    return unsafe statvfs(path, &status) == 0 && status.f_bavail == 0
  }

  /// Whether the file system doesn't support locks. SQLite mistakes ENOLCK for another process's lock. This property
  /// tests another file, because closing this one would release this process's locks on it.
  package var isWithoutLocks: Bool {
    let probe = "\(path)-\(UInt64.random(in: 0 ... .max)).tmp"
    let descriptor = unsafe open(probe, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    defer {
      close(descriptor)
      unsafe unlink(probe)
    }
    var lock = flock()
    (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
    return unsafe fcntl(descriptor, F_SETLK, &lock) != 0 && errno == ENOLCK
  }

  /// The identity of a file, which distinguishes it from another file with the same name.
  package struct Identity: Equatable, Sendable {
    private let device: UInt64
    private let number: UInt64

    fileprivate init(_ status: stat) {
      device = UInt64(truncatingIfNeeded: status.st_dev)
      number = UInt64(status.st_ino)
    }
  }

  package var identity: Identity? { Self.status(path).map(Identity.init) }

  /// Locks the file if it has this identity and no other process has locked it. The lock follows a renamed file.
  /// Closing the lock releases all SQLite locks of this process on the file, so use it only for a database that is no
  /// longer in use.
  package func lock(as identity: Identity) -> FileLock? {
    guard self.identity == identity else { return nil }
    let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    let lock = FileLock(descriptor: descriptor)
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, self.identity == identity else { return nil }
    return lock
  }

  package final class FileLock: Sendable {
    private let descriptor: CInt

    fileprivate init(descriptor: CInt) { self.descriptor = descriptor }

    deinit { close(descriptor) }
  }

  /// Moves the file. Does nothing if it doesn't exist.
  package func move(to path: String) throws(PrivateFileFailure) {
    guard unsafe rename(self.path, path) == 0 || errno == ENOENT else {
      throw failure(errno: errno)
    }
  }

  /// The address for SQLite if it can't create its log next to the file; nil if it can:
  /// <https://www.sqlite.org/uri.html#uriimmutable>
  package var immutableAddress: String? {
    // Checks the effective user, because files are opened as that user.
    guard unsafe faccessat(AT_FDCWD, folder, W_OK, AT_EACCESS) != 0,
      (Self.status("\(path)-wal")?.st_size ?? 0) == 0
    else {
      return nil
    }
    var address = "file:"
    for character in path {
      switch character {
      case "%": address += "%25"
      case "?": address += "%3F"
      case "#": address += "%23"
      default: address.append(character)
      }
    }
    return "\(address)?immutable=1"
  }

  /// Creates the file unless it is read-only, and makes it private. Fails if other users may write to it.
  ///
  /// An existing file isn't opened: closing it would release this process's other locks on it
  /// (<https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_>).
  package func prepare(isReadOnly: Bool) throws(PrivateFileFailure) {
    if !isReadOnly, Self.status(folder) == nil {
      guard !FolderOwner.isInTheWay(of: folder) else {
        throw failure("root creates nothing in another user's folder: set XDG_DATA_HOME")
      }
      if let number = makeFolder() { throw failure("its folder can't be made", errno: number) }
    }
    guard let folderStatus = Self.status(folder) else { throw failure(errno: errno) }
    // In a sticky folder such as /tmp, other users can't replace our files.
    guard folderStatus.st_mode & 0o022 == 0 || folderStatus.st_mode & mode_t(S_ISVTX) != 0 else {
      throw failure("others may write to its folder")
    }
    // Another owner of the folder could replace the file, or put a link in its place.
    guard folderStatus.st_uid == geteuid() || folderStatus.st_uid == 0 else {
      throw failure("its folder belongs to another user")
    }
    guard let status = Self.status(path) else {
      guard errno == ENOENT else { throw failure(errno: errno) }
      var link = stat()
      // Another process may have created the file in the meantime.
      guard unsafe lstat(path, &link) != 0 || link.st_mode & S_IFMT != S_IFLNK else {
        throw failure("it is a dangling link")
      }
      guard !isReadOnly else { throw failure(errno: ENOENT) }
      // If several processes create it at once, one succeeds.
      let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else {
        if errno == EEXIST { return }
        throw failure("it can't be made", errno: errno)
      }
      close(descriptor)
      return
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw failure("it is not a regular file") }
    guard status.st_mode & 0o022 == 0 else { throw failure("others may write to it") }
    // Root may use the files of all users.
    guard [geteuid(), 0].contains(status.st_uid) || geteuid() == 0 else {
      throw failure("it belongs to another user")
    }
    // SQLite creates its other files with the same mode.
    for suffix in ["", "-wal", "-shm"] {
      guard let status = Self.status(path + suffix), status.st_uid == geteuid(),
        status.st_mode & 0o077 != 0
      else { continue }
      unsafe chmod(path + suffix, status.st_mode & 0o700)
    }
  }

  /// Creates the folder and its parent, but not a missing home folder. Returns an error number. The mode 0700 is
  /// required by XDG.
  private func makeFolder() -> CInt? {
    var paths = [folder, PrivateFile(path: folder).folder]
    // The default path has two more folders below the home folder.
    if folder.hasSuffix("/.local/share/issues") { paths.append(PrivateFile(path: paths[1]).folder) }
    for path in paths.reversed() where Self.status(path) == nil {
      guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { return errno }
    }
    return nil
  }

  private func failure(_ problem: String? = nil, errno number: CInt? = nil) -> PrivateFileFailure {
    let reason = number.map { unsafe String(cString: strerror($0)) }
    return PrivateFileFailure(reason: [problem, reason].compactMap(\.self).joined(separator: ": "))
  }

  private static func status(_ path: String) -> stat? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? status : nil
  }
}

package struct PrivateFileFailure: Error {
  /// The reason, without a capital letter and a period.
  package let reason: String
}
