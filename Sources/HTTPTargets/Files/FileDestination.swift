#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Where a file is to be that is written under another name first.
struct FileDestination {
  /// The path, behind the links at its end that are followed.
  let path: String
  /// The folder that the path starts in, open; `AT_FDCWD` for the working directory.
  let folder: CInt
  /// Who may do what with this user's file that is there; nil where there is none.
  let permissions: mode_t?

  /// Takes a path that is this program's own: whatever is there may be replaced.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - folder: The folder that it starts in, open.
  init(_ path: String, in folder: CInt = AT_FDCWD) {
    self.path = path
    self.folder = folder
    let replaced = FileStatus.at(path, in: folder)
    permissions = replaced.flatMap { $0.isRegular && $0.isMine ? $0.permissions : nil }
  }

  /// Takes a path that somebody has named, and looks at what is there.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - replaces: Whether a file that is there may be replaced.
  ///   - followsLinks: Whether the destination is what a symbolic link of this user's leads to, instead of the
  ///     link. Those of others are never followed: in a folder such as `/tmp` they lead to this user's files.
  /// - Throws: ``FileFailure`` when no file can be put there.
  init(named path: String, replaces: Bool, followsLinks: Bool) throws(FileFailure) {
    self.init(try Self.destination(path, followsLinks: followsLinks))
    guard replaces || FileStatus.at(self.path) == nil else { throw FileFailure(path, EEXIST) }
  }

  /// The path of the folder that the file is in, with a slash at its end; empty for that where the path starts.
  var parent: Substring {
    path[..<(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)]
  }

  /// The file's name, or one that stands for it and leaves room for what is put around it: 255 bytes are the
  /// most that a name has.
  var shortName: String {
    let name = path[parent.endIndex...]
    guard name.utf8.count > 200 else { return String(name) }
    // FNV-1a, so that two long names stay two.
    let hash = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    var short = name.prefix(180)
    while short.utf8.count > 180 { short.removeLast() }
    return "\(short)-\(String(hash, radix: 36))"
  }

  private static func destination(
    _ path: String, followsLinks: Bool
  ) throws(FileFailure) -> String {
    guard let last = path.split(separator: "/", omittingEmptySubsequences: false).last,
      !["", ".", ".."].contains(last), !path.utf8.contains(0)
    else { throw FileFailure(path, "it is not the name of a file") }
    guard let status = FileStatus.at(path) else { return path }
    if status.isSymbolicLink {
      // To move a file over `/dev/stdout` would be the end of that too.
      if let target = FileStatus.behind(path) { try checkReplaceable(target, at: path) }
      guard followsLinks, status.isMine, let target = FileNames.resolved(path) else { return path }
      return try destination(target, followsLinks: true)
    }
    try checkReplaceable(status, at: path)
    return path
  }

  private static func checkReplaceable(
    _ status: FileStatus, at path: String
  ) throws(FileFailure) {
    guard !status.isDirectory else { throw FileFailure(path, "it is a folder") }
    // To move a file over `/dev/null` would be the end of it.
    guard status.isRegular else { throw FileFailure(path, "it is not a regular file") }
  }
}
