#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The file systems' operations on names.
enum FileNames {
  static func move(_ path: String, to destination: String) throws(FileFailure) {
    guard rename(path, destination) == 0 else { throw FileFailure(destination, errno) }
  }

  /// Gives a file a name that no file has.
  ///
  /// A second name is made and the first one taken away, because rename(2) would replace what comes there
  /// meanwhile. File systems without second names are asked whether the name is free.
  static func move(_ path: String, toUnused destination: String) throws(FileFailure) {
    if link(path, destination) == 0 { return remove(path) }
    let code = errno
    guard [EPERM, EOPNOTSUPP, ENOTSUP, ENOSYS].contains(code) else {
      throw FileFailure(destination, code)
    }
    guard FileStatus.at(destination) == nil else { throw FileFailure(destination, EEXIST) }
    try move(path, to: destination)
  }

  /// Removes a file; no harm done if there is none.
  static func remove(_ path: String) {
    unlink(path)
  }

  /// Where a symbolic link leads in the end; nil if nowhere.
  static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
