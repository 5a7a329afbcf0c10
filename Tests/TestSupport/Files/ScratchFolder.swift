#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A folder of its own for one test, gone with the last reference to it.
public final class ScratchFolder: Sendable {
  /// A folder can't be made.
  public struct Failure: Error {
    /// The system's reason.
    public var errno: Int32
  }

  /// The folder's path.
  public let path: String

  /// Makes a folder that nobody else has.
  ///
  /// - Throws: ``Failure`` when the system refuses.
  public init() throws {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/issues-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure(errno: errno) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    Self.remove(path)
  }

  /// Removes a folder and what is in it.
  public static func remove(_ path: String) {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The names of what is in a folder below this one, in order; empty where there is none.
  public func names(in folder: String = "") -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)")
    return (names ?? []).sorted()
  }

  /// What all files in a folder below this one hold, by name.
  public func files(in folder: String = "") -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in names(in: folder) {
      let path = "\(path)/\(folder)/\(name)"
      files[name] = FileManager.default.contents(atPath: path).map { [UInt8]($0) }
    }
    return files
  }
}
