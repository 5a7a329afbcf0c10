#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Why something can't be done with a file.
package struct FileFailure: Error, CustomStringConvertible {
  /// The file.
  package let path: String
  /// What the system says, or what is wrong with the file.
  package let reason: String
  /// Whether all that is wrong is that there is a file of the name.
  package let isNameTaken: Bool

  init(_ path: String, _ reason: String) {
    self.path = path
    self.reason = reason
    isNameTaken = false
  }

  init(_ path: String, _ code: CInt) {
    self.path = path
    reason = String(cString: strerror(code))
    isNameTaken = code == EEXIST
  }

  package var description: String { "“\(path)”: \(reason)" }
}
