internal import ConcurrencyPrimitives
internal import IssueTracker

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A text that is being written, in a file that outlives whatever happens to the program and the editor.
///
/// A second file beside it says what the text is for. It is locked as long as the program runs, so that a draft that
/// nobody works on any more is recognised. The text's own file can't be locked: editors replace it.
final class Draft: Sendable {
  /// What a text is for.
  struct Subject: Codable, Hashable, Sendable {
    enum Kind: String, Codable, Sendable {
      case newIssue
      case issue
      case newComment
      case comment
      /// A change in the outbox, by its id.
      case change
    }

    let kind: Kind
    /// The server and the repository.
    let place: String
    /// The number of the issue, `new-1` of one in the outbox, or the id of the comment; nil for a new issue.
    var name: String?
  }

  private struct Record: Codable, Sendable {
    var subject: Subject
    var title: String?
    /// The text as an editor that may still be open found it: until it changes, nobody has written anything.
    var leftOpen: Stamp?
  }

  /// What changes with each save.
  struct Stamp: Codable, Hashable, Sendable {
    private let file: UInt64
    private let size: Int64
    private let seconds: Int64
    private let nanoseconds: Int64

    fileprivate init(_ status: stat) {
      (file, size) = (UInt64(status.st_ino), Int64(status.st_size))
      #if canImport(Darwin)
        let time = status.st_mtimespec
      #else
        let time = status.st_mtim
      #endif
      (seconds, nanoseconds) = (Int64(time.tv_sec), Int64(time.tv_nsec))
    }

    fileprivate var date: Date { Date(timeIntervalSince1970: Double(seconds)) }
  }

  /// GitHub takes 65,536 characters.
  private static let maximumBytes = 4 << 20
  /// How long a draft that nobody has written anything into stays for an editor that is still open.
  private static let patience = 7 * 86_400.0

  /// The path of the text.
  let path: String

  private let recordPath: String
  private let descriptor: CInt
  private let record: Locked<Record>

  private init(path: String, recordPath: String, descriptor: CInt, record: Record) {
    self.path = path
    self.recordPath = recordPath
    self.descriptor = descriptor
    self.record = Locked(record)
  }

  deinit { close(descriptor) }

  /// The title of a new issue, where it was asked for already.
  var title: String? { record.withLock { $0.title } }

  /// The text as it is now.
  ///
  /// - Throws: ``CommandFailure`` where it can't be read.
  func text() throws(CommandFailure) -> String {
    let descriptor = systemOpen(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw CommandFailure(
        .failed, "cannot read the draft “\(path)”: \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    guard let bytes = Self.contents(of: descriptor, limit: Self.maximumBytes) else {
      throw CommandFailure(
        .failed, "cannot read the draft “\(path)”: it isn't a file of at most 4 MB")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CommandFailure(.failed, "“\(path)” isn't text in UTF-8")
    }
    return text
  }

  /// The bytes of a regular file that has no more than so many; nil for any other.
  private static func contents(of descriptor: CInt, limit: Int) -> [UInt8]? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= limit
    else { return nil }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= limit {
      let count = pread(descriptor, &buffer, buffer.count, off_t(bytes.count))
      if count == 0 { return bytes }
      if count > 0 {
        bytes += buffer[..<count]
      } else if errno != EINTR {
        return nil
      }
    }
    return nil
  }

  /// The state of the text's file; nil where there is none.
  var stamp: Stamp? {
    var status = stat()
    return lstat(path, &status) == 0 ? Stamp(status) : nil
  }

  /// Whether nothing has been written.
  var isEmpty: Bool {
    var status = stat()
    return lstat(path, &status) != 0 || status.st_size == 0
  }

  /// When somebody last worked on the text.
  var changed: Date { stamp?.date ?? .distantPast }

  /// Leaves the draft to an editor that may still be open. It is offered once there is another text in it.
  func leaveOpen() {
    let copy = record.withLock { record in
      record.leftOpen = stamp
      return record
    }
    // If that fails, the draft is offered too early.
    try? Self.write(copy, to: descriptor, recordPath)
  }

  /// Whether nobody has written anything since it was left to an editor.
  private var isUntouched: Bool {
    record.withLock { $0.leftOpen }.map { $0 == stamp } ?? false
  }

  /// Keeps the title beside the text.
  ///
  /// - Throws: ``CommandFailure`` where it can't be written.
  func keep(title: String) throws(CommandFailure) {
    let copy = record.withLock { record in
      record.title = title
      return record
    }
    try Self.write(copy, to: descriptor, recordPath)
  }

  /// Replaces the text.
  ///
  /// - Throws: ``CommandFailure`` where it can't be written.
  func keep(text: String) throws(CommandFailure) {
    do throws(FileFailure) {
      let file = try AtomicFile(private: path)
      try file.write(Data(text.utf8))
      try file.commit()
    } catch {
      throw CommandFailure(.output, "cannot keep a draft: \(error)")
    }
  }

  /// Removes it: the text is kept elsewhere, or nobody wants it.
  func discard() {
    unlink(path)
    unlink(recordPath)
  }

  // MARK: The folder

  /// Begins a draft.
  ///
  /// - Parameters:
  ///   - subject: What it is for.
  ///   - text: What it begins with.
  ///   - environment: The environment, which names the folder: `$XDG_DATA_HOME/issues/drafts`.
  /// - Returns: The draft.
  /// - Throws: ``CommandFailure`` where no draft can be kept.
  static func begin(
    _ subject: Subject, text: String, environment: [String: String]
  ) throws(CommandFailure) -> Draft {
    guard let folder = folder(in: environment) else {
      throw CommandFailure(
        .output, "there is no place for a draft: neither XDG_DATA_HOME nor HOME names a folder")
    }
    UserDirectory.data.makeIfNamed(in: environment)
    var made = ""
    for name in folder.split(separator: "/") {
      made += "/\(name)"
      mkdir(made, 0o700)
    }
    let name = "\(folder)/\(String(UInt64.random(in: 0 ... .max), radix: 36))"
    let (path, recordPath) = ("\(name).md", "\(name).json")
    let descriptor = try create(recordPath)
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw failure(recordPath, errno) }
    let draft = Draft(
      path: path, recordPath: recordPath, descriptor: descriptor, record: Record(subject: subject))
    do throws(CommandFailure) {
      try write(Record(subject: subject), to: descriptor, recordPath)
      let file = try create(path)
      defer { close(file) }
      let code = DescriptorWriter.write(text.utf8, to: file)
      guard code == 0 else { throw failure(path, code) }
    } catch {
      draft.discard()
      throw error
    }
    return draft
  }

  /// The drafts for something that nobody works on any more, the newest first.
  static func abandoned(_ subject: Subject, environment: [String: String]) -> [Draft] {
    guard let folder = folder(in: environment),
      let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
    else { return [] }
    var found: [Draft] = []
    for name in names where name.hasSuffix(".json") {
      guard let draft = open(named: "\(folder)/\(name.dropLast(".json".count))") else { continue }
      if draft.isUntouched {
        if draft.changed.timeIntervalSinceNow < -patience { draft.discard() }
      } else if draft.record.withLock({ $0.subject == subject }),
        draft.title != nil || !draft.isEmpty
      {
        found.append(draft)
      }
    }
    return found.sorted { $0.changed > $1.changed }
  }

  /// Opens a draft that nobody works on; nil where somebody does, or there is no text.
  private static func open(named name: String) -> Draft? {
    let (path, recordPath) = ("\(name).md", "\(name).json")
    let descriptor = systemOpen(recordPath, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, access(path, R_OK) == 0,
      let bytes = contents(of: descriptor, limit: 1 << 16),
      let record = try? JSONDecoder().decode(Record.self, from: Data(bytes))
    else {
      close(descriptor)
      return nil
    }
    return Draft(path: path, recordPath: recordPath, descriptor: descriptor, record: record)
  }

  private static func folder(in environment: [String: String]) -> String? {
    UserDirectory.data.path(in: environment).map { "\($0)/issues/drafts" }
  }

  private static func create(_ path: String) throws(CommandFailure) -> CInt {
    let descriptor = systemOpen(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(path, errno) }
    return descriptor
  }

  private static func write(
    _ record: Record, to descriptor: CInt, _ path: String
  ) throws(CommandFailure) {
    guard let data = try? JSONEncoder().encode(record), ftruncate(descriptor, 0) == 0,
      lseek(descriptor, 0, SEEK_SET) == 0
    else { throw failure(path, errno) }
    let code = DescriptorWriter.write(data, to: descriptor)
    guard code == 0 else { throw failure(path, code) }
  }

  private static func failure(_ path: String, _ code: CInt) -> CommandFailure {
    CommandFailure(
      .output, "cannot keep a draft in “\(path)”: \(String(cString: strerror(code)))")
  }
}

/// `open(2)`, which a method's name hides.
private func systemOpen(_ path: String, _ flags: CInt, _ mode: mode_t = 0) -> CInt {
  open(path, flags, mode)
}
