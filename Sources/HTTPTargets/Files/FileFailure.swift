#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Why something can't be done with a file.
struct FileFailure: Error, CustomStringConvertible {
  let path: String
  let reason: String

  init(_ path: String, _ reason: String) {
    self.path = path
    self.reason = reason
  }

  init(_ path: String, _ code: CInt) {
    self.init(path, String(cString: strerror(code)))
  }

  var description: String { "“\(path)”: \(reason)" }
}
