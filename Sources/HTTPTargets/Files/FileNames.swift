#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The file systems' operations on names.
enum FileNames {
  /// Gives a file a name, whatever had it before. Both paths start in an open folder.
  static func move(
    _ path: String, to destination: String, in folder: CInt = AT_FDCWD
  ) throws(FileFailure) {
    guard renameat(folder, path, folder, destination) == 0 else {
      throw FileFailure(destination, errno)
    }
  }

  /// Gives a file a name that no file has.
  ///
  /// A second name is made and the first one taken away, because rename(2) would replace what comes there
  /// meanwhile. File systems without second names are asked whether the name is free.
  static func move(
    _ path: String, toUnused destination: String, in folder: CInt = AT_FDCWD
  ) throws(FileFailure) {
    if linkat(folder, path, folder, destination, 0) == 0 { return remove(path, in: folder) }
    let code = errno
    guard [EPERM, EOPNOTSUPP, ENOTSUP, ENOSYS].contains(code) else {
      throw FileFailure(destination, code)
    }
    guard FileStatus.at(destination, in: folder) == nil else {
      throw FileFailure(destination, EEXIST)
    }
    try move(path, to: destination, in: folder)
  }

  /// Removes a file; no harm done if there is none.
  static func remove(_ path: String, in folder: CInt = AT_FDCWD) {
    unlinkat(folder, path, 0)
  }

  /// What is in a folder, in no order, with the folder itself and the one above it.
  static func all(of path: String, in folder: CInt = AT_FDCWD) throws(FileFailure) -> [String] {
    // A descriptor of its own: it has a position.
    let descriptor = openat(folder, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0, let directory = fdopendir(descriptor) else {
      let reason = errno
      if descriptor >= 0 { close(descriptor) }
      throw FileFailure(path, reason)
    }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) { name in
          name.withMemoryRebound(
            to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)
          ) { String(cString: $0) }
        })
    }
    return names
  }

  /// Where a symbolic link leads in the end; nil if nowhere.
  static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
