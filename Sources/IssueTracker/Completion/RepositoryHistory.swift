internal import ConcurrencyPrimitives
public import GitHubAPI
internal import HTTPTargets

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The repositories that a user looked at last, newest first, in a file with one to a line.
///
/// ```swift
/// let history = RepositoryHistory(environment: ProcessInfo.processInfo.environment)
/// await history?.record(RepositoryHistory.Entry(server: .github, name: name))
/// ```
///
/// Any number of processes may share a file, and end at any moment: each list is an `AtomicFile`, written by
/// the process that has locked the folder. If two write at the same moment, one may drop its entry. Only
/// ``clear()`` reports failures: an unreadable file has no entries, and an unwritable one stays as it was.
public actor RepositoryHistory {
  /// A repository, and the host of the server that has it.
  public struct Entry: Hashable, Sendable, LosslessStringConvertible {
    /// The host, as ``GitHubAPI/GitHubServer/host`` has it.
    public let host: String
    /// The repository, preferably in the server's spelling.
    public let name: RepositoryName

    /// Creates an entry.
    public init(server: GitHubServer, name: RepositoryName) {
      host = server.host
      self.name = name
    }

    /// Reads a line of the file; nil for anything else.
    public init?(_ line: String) {
      let parts = line.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2 || parts.count == 3,
        let name = RepositoryName(parts.suffix(2).joined(separator: "/"))
      else { return nil }
      let server = parts.count == 2 ? .github : try? GitHubServer(host: parts[0])
      guard let server else { return nil }
      self.init(server: server, name: name)
    }

    /// The line: `OWNER/REPO` on github.com, `HOST/OWNER/REPO` elsewhere.
    public var description: String {
      host == GitHubServer.github.host ? "\(name)" : "\(host)/\(name)"
    }
  }

  /// The reason why the file can't be removed.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// The file, and why.
    public let description: String
  }

  /// The file.
  public nonisolated let path: String
  /// How many entries are kept.
  public nonisolated let capacity: Int
  /// A separate queue waits for files.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    queue.asUnownedSerialExecutor()
  }

  private nonisolated let queue = BlockingQueue(label: "history")
  private nonisolated let folder: String
  /// The number of folders at the end of ``folder`` to make if they are missing.
  private nonisolated let madeFolders: Int

  /// The longest file to read, in bytes: more than `capacity` entries take.
  private var maximumSize: Int { capacity * 512 }

  /// Creates a history in a folder. The folder and its parent are made when the first entry is written.
  ///
  /// - Parameters:
  ///   - folder: The absolute path of the folder.
  ///   - capacity: The most entries to keep.
  public init(folder: String, capacity: Int = 500) {
    self.init(folder: folder, capacity: capacity, madeFolders: 2)
  }

  /// Creates the history of a user, as the
  /// [XDG Base Directory Specification](https://specifications.freedesktop.org/basedir/latest/) says: in
  /// `$XDG_STATE_HOME/issues` if that is an absolute path, else in `~/.local/state/issues`; nil when neither
  /// variable names a folder.
  ///
  /// - Parameter environment: The environment of the process.
  public init?(environment: [String: String]) {
    guard let state = UserDirectory.state.path(in: environment) else { return nil }
    // In the default path the home itself isn't made.
    let isNamed = UserDirectory.state.named(in: environment) != nil
    self.init(folder: "\(state)/issues", capacity: 500, madeFolders: isNamed ? .max : 3)
  }

  private init(folder: String, capacity: Int, madeFolders: Int) {
    self.folder = folder
    self.capacity = capacity
    self.madeFolders = madeFolders
    path = "\(folder)/repositories"
  }

  /// Returns the entries, newest first; none without a file. Invalid lines are skipped.
  public func entries() -> [Entry] {
    // By bytes, because a carriage return and a line feed form one character.
    let lines = (contents() ?? "").utf8.split(separator: UInt8(ascii: "\n"))
    return Array(lines.lazy.compactMap { Entry(String(Substring($0))) }.prefix(capacity))
  }

  /// Moves an entry to the front. GitHub ignores case in names.
  ///
  /// - Returns: Whether it is first now. If it already was, the file isn't changed.
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

  /// Removes all entries, including half-written files of killed processes.
  ///
  /// - Throws: ``Failure`` if there is a file that can't be removed.
  public func clear() throws(Failure) {
    // Another process that writes now drops its entry. Without the lock the entries are removed all the same.
    let lock = lock()
    defer { withExtendedLifetime(lock) {} }
    AtomicFile.sweep(private: path)
    guard unlink(path) != 0, errno != ENOENT, errno != ENOTDIR else { return }
    throw Failure(description: "\(path) can't be removed: \(String(cString: strerror(errno)))")
  }

  private func contents() -> String? {
    // O_NONBLOCK: opening a pipe of that name would wait for a writer.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let size = Int(exactly: status.st_size), size <= maximumSize
    else { return nil }
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let length = read(file, buffer.baseAddress?.advanced(by: count), size - count)
        if length > 0 {
          count += length
        } else if length == 0 || errno != EINTR {
          break
        }
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Locks the folder for this process while the result lives; nil if another process has locked it.
  private func lock() -> OpenFile? {
    guard let folder = try? OpenFile.folder(folder), folder.lock() else { return nil }
    return folder
  }

  /// Replaces the file, completely or not at all.
  ///
  /// - Parameter text: Creates the contents while no other process can write.
  /// - Returns: Whether it was written.
  private func replaceFile(_ text: () -> String) -> Bool {
    // As root this would leave a file that the folder's owner can't write to.
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

  /// Makes missing folders with 0700, as the XDG Base Directory Specification says.
  private func makeFolders() {
    var paths: [String] = []
    var path = folder[...]
    while paths.count < madeFolders, !path.isEmpty {
      paths.append(String(path))
      path = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
    }
    for path in paths.reversed() { mkdir(path, 0o700) }
  }
}
