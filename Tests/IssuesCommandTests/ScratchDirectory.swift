#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A directory of its own for one test, gone with the test.
final class ScratchDirectory: Sendable {
  static let temporary = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"

  let path: String

  init() throws {
    var template = Array("\(Self.temporary)/issues-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw PseudoTerminal.Failure(errno: errno) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }
}
