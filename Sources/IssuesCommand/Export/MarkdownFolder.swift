internal import ConcurrencyPrimitives
internal import HTTPTargets
internal import IssueMirror
internal import PlatformModules

/// The folder of a repository's issues, with a Markdown file for each.
///
/// A file belongs to the export if its name is a number and it begins with the ``mark`` of the repository. Other files
/// are never changed, unless the user says so. Symbolic links aren't followed. A file with the same content isn't
/// written, so it keeps its time.
actor MarkdownFolder {
  private enum Existing {
    case none
    case own([UInt8])
    case foreign
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe queue.asUnownedSerialExecutor() }

  /// The second line of each file. It has the repository's ID, because its name can change.
  nonisolated let mark: String
  private nonisolated let queue = BlockingQueue(label: "markdown")
  private let path: String
  private let replaces: Bool
  /// The files of issues before this export, without those that it has kept or written.
  private var rest: Set<String> = []
  private(set) var count = 0
  private(set) var writtenCount = 0

  private init(_ path: String, of repository: MirroredRepository, replaces: Bool) {
    self.path = path
    self.replaces = replaces
    mark =
      "# Written by 'issues export' from repository \(repository.serverID) of \(repository.host): changes are lost."
  }

  /// Creates the folder, within another one if `subfolder` isn't empty, and looks at its files.
  static func prepared(
    _ path: String, subfolder: String, of repository: MirroredRepository, replaces: Bool
  ) async throws -> MarkdownFolder {
    let whole = subfolder.isEmpty ? path : "\(path)/\(subfolder)"
    let folder = MarkdownFolder(whole, of: repository, replaces: replaces)
    try await folder.prepare(path, subfolder)
    return folder
  }

  private func prepare(_ base: String, _ subfolder: String) throws(CommandFailure) {
    try Self.create(base, mayBeLink: true)
    var path = base
    for part in subfolder.split(separator: "/") {
      path += "/\(part)"
      try Self.create(path, mayBeLink: false)
    }
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      throw CommandFailure(.output, "cannot read the folder “\(path)”")
    }
    rest = Set(names.filter(Self.isNumbered))
    AtomicFile.sweep(in: path, where: Self.isNumbered)
  }

  /// Writes an issue unless its file has this content.
  func write(_ issue: MarkdownIssue, number: Int) async throws {
    let name = Self.name(of: number)
    let file = "\(path)/\(name)"
    let bytes = Array(issue.text.utf8)
    count += 1
    rest.remove(name)
    switch existing(file) {
    case .own(bytes): return
    case .foreign where !replaces:
      throw CommandFailure(
        .output,
        """
        “\(file)” wasn't written by an export of this repository
        Name another folder, or replace it with --force.
        """)
    case .none, .own, .foreign: break
    }
    try await ExportFile.write(at: file, replaces: true, isOneOfMany: true) { file in
      try await file.write(bytes)
    }
    writtenCount += 1
  }

  /// Removes the files of other issues, and returns their number.
  func removeRest() throws(CommandFailure) -> Int {
    var removedCount = 0
    for name in rest {
      guard case .own = existing("\(path)/\(name)") else { continue }
      guard unsafe unlink("\(path)/\(name)") == 0 || errno == ENOENT else {
        throw Self.failure("remove", "\(path)/\(name)", errno)
      }
      removedCount += 1
    }
    return removedCount
  }

  private func existing(_ file: String) -> Existing {
    let descriptor = unsafe open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return errno == ENOENT ? .none : .foreign }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return .foreign
    }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var count = 0
    while count < bytes.count {
      let read = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe pread(
          descriptor, buffer.baseAddress.map { unsafe $0 + count }, buffer.count - count,
          off_t(count))
      }
      guard read > 0 else { return .foreign }
      count += read
    }
    return bytes.starts(with: "---\n\(mark)\n".utf8) ? .own(bytes) : .foreign
  }

  /// The name of an issue's file, which sorts by number and doesn't depend on the title.
  private static func name(of number: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: max(0, 5 - digits.utf8.count)) + digits + ".md"
  }

  private static func isNumbered(_ name: String) -> Bool {
    guard name.hasSuffix(".md"), let number = Int(name.dropLast(3)) else { return false }
    return Self.name(of: number) == name
  }

  private static func create(_ path: String, mayBeLink: Bool) throws(CommandFailure) {
    var status = stat()
    if unsafe mkdir(path, 0o777) == 0 { return }
    let code = errno
    let isThere =
      unsafe (mayBeLink ? stat(path, &status) : lstat(path, &status)) == 0
      && status.st_mode & S_IFMT == S_IFDIR
    guard !isThere else { return }
    guard code == EEXIST else { throw failure("create", path, code) }
    throw CommandFailure(.output, "“\(path)” isn't a folder")
  }

  private static func failure(_ verb: String, _ path: String, _ code: CInt) -> CommandFailure {
    CommandFailure(
      .output, unsafe "cannot \(verb) “\(path)”: \(String(cString: strerror(code)))")
  }
}
