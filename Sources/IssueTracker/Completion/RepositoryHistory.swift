internal import ConcurrencyPrimitives
public import GitHubAPI
internal import HTTPTargets
internal import PlatformModules

/// The repositories that a user looked at, newest first. They are stored in a file with one repository per line.
///
/// ```swift
/// let history = RepositoryHistory(environment: ProcessInfo.processInfo.environment)
/// await history?.record(RepositoryHistory.Entry(server: .github, name: name))
/// ```
///
/// Any number of processes may share the file, and may be killed at any time: a process locks the folder and replaces
/// the file atomically. If two processes write at the same time, one of them may drop its entry. Only ``clear()``
/// reports failures. An unreadable file counts as empty, and an unwritable file stays unchanged.
public actor RepositoryHistory {
  /// A repository, with the host of its server.
  public struct Entry: Identifiable, Hashable, Sendable, Codable, LosslessStringConvertible {
    /// The host, as in ``/GitHubAPI/GitHubServer/host``.
    public let host: String
    /// The repository, preferably as the server spells it.
    public let name: RepositoryName

    /// Creates an entry.
    public init(server: GitHubServer, name: RepositoryName) {
      host = server.host
      self.name = name
    }

    /// Parses a line of the file; nil if it is invalid.
    public init?(_ line: String) {
      let parts = line.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2 || parts.count == 3,
        let name = RepositoryName(parts.suffix(2).joined(separator: "/"))
      else { return nil }
      let server = parts.count == 2 ? .github : try? GitHubServer(host: parts[0])
      guard let server else { return nil }
      self.init(server: server, name: name)
    }

    /// The line: `OWNER/REPO` on github.com, `HOST/OWNER/REPO` on other servers.
    public var description: String {
      host == GitHubServer.github.host ? "\(name)" : "\(host)/\(name)"
    }

    /// The line.
    public var id: String { description }

    /// Decodes a line.
    public init(from decoder: any Decoder) throws {
      self = try decoder.decodeText { Entry($0) }
    }

    /// Encodes the line.
    public func encode(to encoder: any Encoder) throws {
      try encoder.encodeText(self)
    }
  }

  /// The error of a file that can't be removed.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// The file and the reason.
    public let description: String
  }

  /// The file.
  public nonisolated let path: String
  /// The most entries to keep.
  public nonisolated let capacity: Int
  /// The actor uses a separate queue, because file operations block.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe queue.asUnownedSerialExecutor()
  }

  private nonisolated let queue = BlockingQueue(label: "history")
  private nonisolated let folder: String
  /// The number of parent folders at the end of ``folder`` that are created if missing.
  private nonisolated let madeFolders: Int

  private var maximumSize: Int { capacity * 512 }

  /// Creates a history in a folder. The folder and its parent are created with the first entry.
  ///
  /// - Parameters:
  ///   - folder: The absolute path of the folder.
  ///   - capacity: The most entries to keep.
  public init(folder: String, capacity: Int = 500) {
    self.init(folder: folder, capacity: capacity, madeFolders: 2)
  }

  /// Creates a user's history in the state folder of the [XDG Base Directory
  /// Specification](https://specifications.freedesktop.org/basedir/latest/): `$XDG_STATE_HOME/issues` if that is an
  /// absolute path, otherwise `~/.local/state/issues`. Nil if neither variable contains a folder.
  ///
  /// - Parameter environment: The environment of the process.
  public init?(environment: [String: String]) {
    guard let state = UserDirectory.state.path(in: environment) else { return nil }
    // The default path must not create the home folder.
    let isNamed = UserDirectory.state.named(in: environment) != nil
    self.init(folder: "\(state)/issues", capacity: 500, madeFolders: isNamed ? .max : 3)
  }

  private init(folder: String, capacity: Int, madeFolders: Int) {
    self.folder = folder
    self.capacity = capacity
    self.madeFolders = madeFolders
    path = "\(folder)/repositories"
  }

  /// Returns the entries, newest first; empty if the file doesn't exist. Invalid lines are skipped.
  public func entries() -> [Entry] {
    // This compares bytes, because CR LF is a single `Character`.
    let lines = (contents() ?? "").utf8.split(separator: UInt8(ascii: "\n"))
    return Array(lines.lazy.compactMap { Entry(String(Substring($0))) }.prefix(capacity))
  }

  /// Moves an entry to the front, ignoring case like GitHub.
  ///
  /// - Returns: Whether the entry is now first. If it was already first, the file isn't changed.
  @discardableResult
  public func record(_ entry: Entry) -> Bool {
    if contents()?.utf8.starts(with: "\(entry)\n".utf8) == true { return true }
    return replaceFile {
      let key = entry.description.lowercased()
      let others = entries().filter { $0.description.lowercased() != key }
      let lines = ([entry] + others.prefix(capacity - 1)).map(\.description)
      return lines.joined(separator: "\n") + "\n"
    }
  }

  /// Removes all entries, including partial files from killed processes.
  ///
  /// - Throws: ``Failure`` if the file exists and can't be removed.
  public func clear() throws(Failure) {
    // A process that is currently writing drops its entry. The file is removed even without the lock.
    let lock = lock()
    defer { withExtendedLifetime(lock) {} }
    AtomicFile.sweep(private: path)
    guard unsafe unlink(path) != 0, errno != ENOENT, errno != ENOTDIR else { return }
    throw Failure(
      description: unsafe "\(path) can't be removed: \(String(cString: strerror(errno)))")
  }

  private func contents() -> String? {
    // Without O_NONBLOCK, opening a pipe would wait for a writer.
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let size = Int(exactly: status.st_size), size <= maximumSize
    else { return nil }
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let length = unsafe read(file, buffer.baseAddress?.advanced(by: count), size - count)
        if length > 0 {
          count += length
        } else if length == 0 || errno != EINTR {
          break
        }
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Locks the folder against other processes until the result is released; nil if another process has locked it.
  private func lock() -> OpenFile? {
    guard let folder = try? OpenFile.folder(folder), folder.lock() else { return nil }
    return folder
  }

  /// Replaces the file atomically. `text` runs while other processes can't write.
  private func replaceFile(_ text: () -> String) -> Bool {
    // Root would create a file that the folder's owner can't write to.
    guard !FolderOwner.isInTheWay(of: folder) else { return false }
    makeFolders()
    guard let lock = lock() else { return false }
    defer { withExtendedLifetime(lock) {} }
    do {
      let file = try AtomicFile(private: path)
      try file.write(Array(text().utf8))
      try file.commit(isSynchronized: false)
      return true
    } catch {
      return false
    }
  }

  /// Creates folders with mode 0700, as the XDG Base Directory Specification requires.
  private func makeFolders() {
    var paths: [String] = []
    var path = folder[...]
    while paths.count < madeFolders, !path.isEmpty {
      paths.append(String(path))
      path = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
    }
    for path in paths.reversed() { unsafe mkdir(path, 0o700) }
  }
}
