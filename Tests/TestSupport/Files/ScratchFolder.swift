public import PlatformModules

/// A folder for one test, deleted with it.
public final class ScratchFolder: Sendable {
  /// The system's error if the folder can't be made.
  public struct Failure: Error {
    /// The system's number.
    public let errno: CInt
  }

  /// The parent of all these folders.
  public static let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"

  /// The folder, without a slash at the end.
  public let path: String

  /// Makes the folder.
  ///
  /// - Throws: ``Failure`` if it can't be made.
  public init() throws {
    var template = Array("\(Self.parent)/issues-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure(errno: errno) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    Self.remove(path)
  }

  /// Removes a folder with its contents.
  public static func remove(_ path: String) {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of a file in the folder, whether it exists or not.
  public subscript(name: String) -> String { "\(path)/\(name)" }

  /// The names of the folder's entries, sorted.
  public var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  /// The sorted names in a subfolder; empty if there is none.
  public func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: self[folder])) ?? []).sorted()
  }

  /// The contents of all files in a subfolder, by name.
  public func files(in folder: String) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in names(in: folder) {
      files[name] = contents("\(folder)/\(name)").map { [UInt8]($0) }
    }
    return files
  }

  /// A file's contents; nil if there is none.
  public func contents(_ name: String) -> Data? {
    FileManager.default.contents(atPath: self[name])
  }

  /// Writes a file.
  ///
  /// - Returns: Its path.
  /// - Throws: An error if it can't be written.
  @discardableResult
  public func write(_ data: Data, to name: String) throws -> String {
    try data.write(to: URL(fileURLWithPath: self[name]))
    return self[name]
  }

  /// Sets the length of a file, which needn't exist. The added bytes take no space on the disk.
  ///
  /// - Returns: Its path.
  /// - Throws: ``Failure`` if the file system can't do that.
  @discardableResult
  public func resize(_ name: String, to size: Int) throws -> String {
    let descriptor = open(self[name], O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Failure(errno: errno) }
    defer { close(descriptor) }
    guard ftruncate(descriptor, off_t(size)) == 0 else { throw Failure(errno: errno) }
    return self[name]
  }

  /// A file's permission bits; nil if there is none.
  public func permissions(_ name: String) -> Int? {
    var status = stat()
    return stat(self[name], &status) == 0 ? Int(status.st_mode & 0o777) : nil
  }
}
