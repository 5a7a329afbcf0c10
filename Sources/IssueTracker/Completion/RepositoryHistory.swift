public import GitHubAPI
internal import HTTPTargets
internal import Locking

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The repositories that a user looked at last, newest first, in a file: one a line.
///
/// ```swift
/// let history = RepositoryHistory(environment: ProcessInfo.processInfo.environment)
/// await history?.record(RepositoryHistory.Entry(server: .github, name: name))
/// ```
///
/// Any number of processes may use one file at once, and end at any moment: a list is an `AtomicFile`, written by
/// who has locked the folder. Of two that write at the same moment one may leave its entry
/// out. Nothing here fails but ``clear()``: where the file can't be read there are no entries, and where it
/// can't be written it stays as it was.
public actor RepositoryHistory {
  /// A repository, and the host of the server that has it.
  public struct Entry: Hashable, Sendable, LosslessStringConvertible {
    /// The host, as ``GitHubAPI/GitHubServer/host`` has it.
    public let host: String
    /// The repository, best as the server spells it.
    public let name: RepositoryName

    /// Creates an entry.
    public init(server: GitHubServer, name: RepositoryName) {
      host = server.host
      self.name = name
    }

    /// Reads a line of the file, or gives nil when it is none.
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

  /// Why the file can't be removed.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// The file, and why.
    public let description: String
  }

  /// The file.
  public nonisolated let path: String
  /// How many entries are kept.
  public nonisolated let capacity: Int
  /// Files are waited for where that holds nobody up.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    queue.asUnownedSerialExecutor()
  }

  private nonisolated let queue = BlockingQueue(label: "history")
  private nonisolated let folder: String
  /// How many folders at the end of ``folder`` are made where they are missing.
  private nonisolated let madeFolders: Int

  /// The longest file that is read, in bytes: more than so many entries take.
  private var maximumSize: Int { capacity * 512 }

  /// Creates a history in a folder, which is made when there is something to write, and the one that it
  /// is to be in.
  ///
  /// - Parameters:
  ///   - folder: The absolute path of the folder.
  ///   - capacity: How many entries are kept.
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
    guard let state = UserFolder.state.path(in: environment) else { return nil }
    // Below the home, but not the home itself: no home comes into being that nobody has.
    let madeFolders = UserFolder.state.named(in: environment) == nil ? 3 : Int.max
    self.init(folder: "\(state)/issues", capacity: 500, madeFolders: madeFolders)
  }

  private init(folder: String, capacity: Int, madeFolders: Int) {
    self.folder = folder
    self.capacity = capacity
    self.madeFolders = madeFolders
    path = "\(folder)/repositories"
  }

  /// Returns the entries, newest first; none where there is no file. Lines that are no entries are left out.
  public func entries() -> [Entry] {
    // By bytes: a carriage return and a line feed are one character.
    let lines = (contents() ?? "").utf8.split(separator: UInt8(ascii: "\n"))
    return Array(lines.lazy.compactMap { Entry(String(Substring($0))) }.prefix(capacity))
  }

  /// Puts an entry first, and away from where it was; GitHub ignores case in names.
  ///
  /// - Returns: Whether it is first now. The file isn't touched when it was already.
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

  /// Forgets all entries, also those that a killed process has left half written.
  ///
  /// - Throws: ``Failure`` when the file is there and can't be removed.
  public func clear() throws(Failure) {
    // Whoever else writes now leaves its entry out. Where the lock can't be had the entries go all the same.
    let lock = lock()
    defer { withExtendedLifetime(lock) {} }
    AtomicFile.sweep(private: path)
    guard unlink(path) != 0, errno != ENOENT, errno != ENOTDIR else { return }
    throw Failure(description: "\(path) can't be removed: \(String(cString: strerror(errno)))")
  }

  private func contents() -> String? {
    // O_NONBLOCK: a pipe of that name would wait for somebody to write.
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

  /// Takes the folder for this process, as long as the result lives; nil if somebody else has it.
  private func lock() -> OpenFile? {
    guard let folder = try? OpenFile.folder(folder), folder.lock() else { return nil }
    return folder
  }

  /// Writes another file in the place of this one, whole or not at all.
  ///
  /// - Parameter text: Makes what is written, when nobody else can write.
  /// - Returns: Whether it was written.
  private func replaceFile(_ text: () -> String) -> Bool {
    // As root it would be a file that the folder's user can't write to any more.
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

  /// Makes what is missing of the folder, with 0700 as the XDG Base Directory Specification says.
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
