import PlatformModules
import TestSupport

/// A file or directory of its own for one test, gone with the test.
final class ScratchFile {
  let path: String
  let descriptor: CInt

  init() throws {
    var template = Array("\(ScratchFolder.parent)/issues-test-XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw PseudoTerminal.Failure(errno: errno) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    close(descriptor)
    unlink(path)
  }

  /// The contents of the file.
  var contents: String {
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = pread(descriptor, &buffer, buffer.count, off_t(result.count))
      guard count > 0 else { return String(decoding: result, as: UTF8.self) }
      result += buffer[..<count]
    }
  }
}
