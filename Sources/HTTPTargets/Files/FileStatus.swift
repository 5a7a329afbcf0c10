#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// What a file is, as stat(2) tells it.
struct FileStatus {
  let size: Int
  let mode: mode_t
  let owner: uid_t
  let links: Int
  /// Which file it is, whatever its name.
  let identity: [UInt64]

  init(_ status: stat) {
    size = Int(status.st_size)
    mode = status.st_mode
    owner = status.st_uid
    links = Int(status.st_nlink)
    identity = [UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino)]
  }

  /// Looks at a path without following a symbolic link at its end; nil if nothing is there.
  static func at(_ path: String, in folder: CInt = AT_FDCWD) -> FileStatus? {
    var result = stat()
    return fstatat(folder, path, &result, AT_SYMLINK_NOFOLLOW) == 0 ? FileStatus(result) : nil
  }

  /// Looks at what a path leads to in the end; nil if nothing is there.
  static func behind(_ path: String) -> FileStatus? {
    var result = stat()
    return stat(path, &result) == 0 ? FileStatus(result) : nil
  }

  var isRegular: Bool { mode & S_IFMT == S_IFREG }
  var isDirectory: Bool { mode & S_IFMT == S_IFDIR }
  var isSymbolicLink: Bool { mode & S_IFMT == S_IFLNK }
  var isMine: Bool { owner == geteuid() }
  /// Who may do what with it.
  var permissions: mode_t { mode & 0o777 }
}
