#if canImport(Darwin)
  package import Darwin
#elseif canImport(Musl)
  package import Musl
#else
  package import Glibc
#endif

/// Whose a folder is that something is to be made in.
package enum FolderOwner {
  /// Whether what root makes in a folder would be in the way of the user whose it is.
  ///
  /// `sudo -E` and `su` leave `HOME` as it is. What is made there then belongs to root, and the user can't
  /// write to it any more, nor read it. What is stored for speed alone is better left out.
  ///
  /// - Parameters:
  ///   - path: The folder; where it isn't there, the one counts that it would be made in.
  ///   - user: Who makes something there.
  /// - Returns: Whether the user is root and the folder isn't.
  package static func isInTheWay(of path: String, for user: uid_t = geteuid()) -> Bool {
    guard user == 0 else { return false }
    var path = path[...]
    while !path.isEmpty {
      var status = stat()
      if stat(String(path), &status) == 0 { return status.st_uid != user }
      path = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
    }
    return false
  }
}
