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
  /// The system's number of it, if the system says it.
  let code: CInt?

  init(_ path: String, _ reason: String) {
    self.path = path
    self.reason = reason
    code = nil
  }

  init(_ path: String, _ code: CInt) {
    self.path = path
    reason = String(cString: strerror(code))
    self.code = code
  }

  /// Whether all that is wrong is that there is a file of the name.
  package var isNameTaken: Bool { code == EEXIST }

  package var description: String { "“\(path)”: \(reason)" }
}
