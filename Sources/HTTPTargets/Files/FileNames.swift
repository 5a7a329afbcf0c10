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
