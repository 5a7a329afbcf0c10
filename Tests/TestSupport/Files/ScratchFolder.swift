#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A folder of its own for one test, gone with the test.
public final class ScratchFolder: Sendable {
  /// What the system says when it can't be made.
  public struct Failure: Error {
    /// The system's number.
    public let errno: CInt
  }

  /// The folder that all of them are in.
  public static let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"

  /// The folder, without a slash at the end.
  public let path: String

  /// Makes the folder.
  ///
  /// - Throws: ``Failure`` when it can't be made.
  public init() throws {
    var template = Array("\(Self.parent)/issues-test-XXXXXX".utf8CString)
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

  /// The path of a file in the folder, whether it is there or not.
  public subscript(name: String) -> String { "\(path)/\(name)" }

  /// The names of everything in the folder, in order.
  public var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  /// The names of what is in a folder below this one, in order; empty where there is none.
  public func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: self[folder])) ?? []).sorted()
  }

  /// What all files in a folder below this one hold, by name.
  public func files(in folder: String) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in names(in: folder) {
      files[name] = contents("\(folder)/\(name)").map { [UInt8]($0) }
    }
    return files
  }

  /// What a file holds; nil if there is none.
  public func contents(_ name: String) -> Data? {
    FileManager.default.contents(atPath: self[name])
  }

  /// Makes a file.
  ///
  /// - Returns: Its path.
  /// - Throws: When it can't be written.
  @discardableResult
  public func write(_ data: Data, to name: String) throws -> String {
    try data.write(to: URL(fileURLWithPath: self[name]))
    return self[name]
  }

  /// Sets the length of a file, which is made if need be: what it grows by takes no room on the disk.
  ///
  /// - Returns: Its path.
  /// - Throws: ``Failure`` when the file system doesn't do that.
  @discardableResult
  public func resize(_ name: String, to size: Int) throws -> String {
    let descriptor = open(self[name], O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Failure(errno: errno) }
    defer { close(descriptor) }
    guard ftruncate(descriptor, off_t(size)) == 0 else { throw Failure(errno: errno) }
    return self[name]
  }

  /// Who may do what with a file.
  public func permissions(_ name: String) -> Int? {
    var status = stat()
    return stat(self[name], &status) == 0 ? Int(status.st_mode & 0o777) : nil
  }
}
