package import PlatformModules

/// A private copy of a file that the user specified, which nobody can exchange for another file later.
package struct FileCopy {
  /// The size in bytes.
  package let size: Int
  /// The first bytes, at most 4,096.
  package let head: Data

  /// Copies a regular file that isn't empty. A symbolic link isn't followed, because it may lead to a file that the user
  /// doesn't mean. `accepts` receives the first bytes before anything is written, and throws for a wrong file.
  package init(
    of path: String, to destination: String, upTo limit: Int,
    accepts: (Data) throws(FileFailure) -> Void
  ) throws(FileFailure) {
    if FileStatus.at(path)?.isSymbolicLink == true {
      throw FileFailure(path, "it is a symbolic link: name the file itself")
    }
    // Nonblocking, because opening a pipe would wait for a writer otherwise.
    let file = try OpenFile(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW)
    let status = try file.status()
    guard status.isRegular else { throw FileFailure(path, "it is not a regular file") }
    guard status.size > 0 else { throw FileFailure(path, "it is empty") }
    guard status.size <= limit else {
      throw FileFailure(path, "it has more than \(limit / 1_000_000) MB")
    }
    let copy = try AtomicFile(private: destination)
    var head = Data()
    var size = 0
    var buffer = Data(count: 1 << 16)
    while true {
      let count = try Self.read(file, at: size, into: &buffer)
      guard count > 0 else { break }
      if size == 0 {
        head = Data(buffer.prefix(min(count, 4_096)))
        try accepts(head)
      }
      try copy.write(buffer.prefix(count))
      size += count
      guard size <= status.size else { break }
    }
    let after = try file.status()
    guard size == status.size, after.size == size, after.changed == status.changed else {
      throw FileFailure(path, "it changed while it was read: try again")
    }
    try copy.commit()
    (self.size, self.head) = (size, head)
  }

  private static func read(
    _ file: OpenFile, at offset: Int, into buffer: inout Data
  ) throws(FileFailure) -> Int {
    let result = unsafe buffer.withUnsafeMutableBytes { bytes in
      Result { () throws(FileFailure) in try unsafe file.read(into: bytes, at: offset) }
    }
    return try result.get()
  }
}
