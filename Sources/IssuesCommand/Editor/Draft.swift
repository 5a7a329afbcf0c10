internal import ConcurrencyPrimitives
internal import IssueTracker
internal import PlatformModules

/// Text that is being written, in a file that outlives the program and the editor.
///
/// A second file describes the subject of the text. The program locks it, so that an abandoned draft can be recognized.
/// The text itself can't be locked, because editors replace the file.
final class Draft: Sendable {
  struct Subject: Codable, Hashable, Sendable {
    enum Kind: String, Codable, Sendable {
      case newIssue
      case issue
      case newComment
      case comment
      /// A change in the outbox, by its ID.
      case change
    }

    let kind: Kind
    /// The server and the repository.
    let place: String
    /// A number, `new-1`, or the ID of a comment; nil for a new issue.
    var name: String?

    /// The line that names the issue in the editor: a comment in Markdown. It isn't part of the text.
    fileprivate var headLine: String? {
      guard kind == .newComment, let name else { return nil }
      let issues = name.split(separator: ",").map { Int($0) == nil ? "\($0)" : "#\($0)" }
      return "<!-- Your comment on \(issues.joined(separator: ", ")) of \(place). "
        + "This line isn't sent. -->"
    }

    /// The file name. It is short, because messages contain it.
    fileprivate var fileName: String {
      String(Fingerprint([kind.rawValue, place, name ?? ""]).text.prefix(12))
    }
  }

  /// The template to resume.
  struct Template: Codable, Hashable, Sendable {
    /// The file name of the template.
    var file: String
    /// The answers to a form by the IDs of its questions, including empty ones; nil for free text.
    var answers: [String: [String]]?
  }

  private struct Record: Codable, Sendable {
    var subject: Subject
    var title: String?
    var template: Template?
    /// The initial text.
    var base: String?
    /// The state of the text when an editor was left open.
    var leftOpen: Stamp?
  }

  /// The version of the file, which changes with each save.
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

    fileprivate func isOlder(than other: Stamp) -> Bool {
      (seconds, nanoseconds) < (other.seconds, other.nanoseconds)
    }
  }

  /// The maximum size. GitHub accepts 65,536 characters.
  private static let maximumBytes = 4 << 20
  /// The time in seconds for which a draft without text waits for an editor that is still open.
  private static let patience = 7 * 86_400.0

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

  var title: String? { record.withLock { $0.title } }

  var template: Template? { record.withLock { $0.template } }

  /// The initial text; nil if there is none.
  var base: String? { record.withLock { $0.base } }

  /// The text with LF line endings, and without a byte order mark and the line that names the issue.
  func text() throws(CommandFailure) -> String {
    let descriptor = systemOpen(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw CommandFailure(
        .failed, unsafe "cannot read the draft “\(path)”: \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    guard let bytes = Self.contents(of: descriptor, limit: Self.maximumBytes) else {
      throw CommandFailure(
        .failed, "cannot read the draft “\(path)”: it must be a regular file of at most 4 MB")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CommandFailure(.failed, "“\(path)” isn't UTF-8 text")
    }
    let written = text.withoutByteOrderMark.withLineFeeds
    guard let headLine = record.withLock({ $0.subject.headLine }) else { return written }
    guard written.contains(headLine) else { return written }
    return String(written.replacing(headLine, with: "").drop { $0 == "\n" })
  }

  /// The content of a file; nil if it isn't a regular file, or if it is too long.
  private static func contents(of descriptor: CInt, limit: Int) -> [UInt8]? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    // One extra byte shows that the file is longer.
    var bytes = [UInt8](repeating: 0, count: min(limit, Int(status.st_size)) + 1)
    let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
    return (0...limit).contains(count) ? Array(bytes.prefix(count)) : nil
  }

  var stamp: Stamp? {
    var status = stat()
    return unsafe lstat(path, &status) == 0 ? Stamp(status) : nil
  }

  var isEmpty: Bool {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_size > 0 else { return true }
    return (try? text())?.allSatisfy(\.isWhitespace) == true
  }

  var changed: Date { stamp?.date ?? .distantPast }

  /// Leaves the draft to an editor that may still be open. The draft is offered again once its text has changed.
  func leaveOpen() {
    let copy = record.withLock { record in
      record.leftOpen = stamp
      return record
    }
    // If that fails, the draft is offered too early.
    try? Self.write(copy, to: descriptor, recordPath)
  }

  private var isUntouched: Bool {
    record.withLock { $0.leftOpen }.map { $0 == stamp } ?? false
  }

  private var isUnused: Bool { isUntouched || isEmpty && title == nil }

  func keep(title: String, of template: Template? = nil) throws(CommandFailure) {
    let copy = record.withLock { record in
      (record.title, record.template) = (title, template)
      return record
    }
    try Self.write(copy, to: descriptor, recordPath)
  }

  func keep(text: String) throws(CommandFailure) {
    do throws(FileFailure) {
      let file = try AtomicFile(private: path)
      try file.write(Data(text.utf8))
      try file.commit()
    } catch {
      throw CommandFailure(.output, "cannot keep a draft: \(error)")
    }
  }

  func discard() {
    // This is the swap file of text that vim has recovered. While the text is empty, it may be the only copy.
    if !isEmpty, let slash = path.lastIndex(of: "/") {
      unsafe unlink("\(path[...slash]).\(path[slash...].dropFirst()).swp")
    }
    unsafe unlink(path)
    unsafe unlink(recordPath)
  }

  // MARK: The folder

  /// Begins a draft in `$XDG_DATA_HOME/issues/drafts`.
  ///
  /// The file name is derived from the subject, because an editor finds its recovery files of an interrupted text by
  /// the name.
  static func begin(
    _ subject: Subject, text: String, environment: [String: String]
  ) throws(CommandFailure) -> Draft {
    guard let folder = folder(in: environment) else {
      throw CommandFailure(
        .output, "there is no place for a draft: neither XDG_DATA_HOME nor HOME names a folder")
    }
    guard !FolderOwner.isInTheWay(of: folder) else {
      throw CommandFailure(
        .output,
        "root doesn't write a draft into another user's folder: \(folder)\nSet XDG_DATA_HOME, or HOME."
      )
    }
    UserDirectory.data.makeIfNamed(in: environment)
    var made = ""
    for name in folder.split(separator: "/") {
      made += "/\(name)"
      unsafe mkdir(made, 0o700)
    }
    var (name, number) = ("\(folder)/\(subject.fileName)", 1)
    while true {
      if let draft = try begin(subject, text, named: name) { return draft }
      number += 1
      name = "\(folder)/\(subject.fileName)-\(number)"
    }
  }

  /// Begins a draft; nil if the name is in use.
  private static func begin(
    _ subject: Subject, _ text: String, named name: String
  ) throws(CommandFailure) -> Draft? {
    let (path, recordPath) = ("\(name).md", "\(name).json")
    let record = Record(subject: subject, base: text.isEmpty ? nil : text)
    let descriptor = try create(recordPath, O_NOFOLLOW)
    var status = stat()
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(descriptor)
      if code == EWOULDBLOCK { return nil }
      throw failure(recordPath, code)
    }
    // Another process may have discarded it in the meantime.
    guard unsafe fstat(descriptor, &status) == 0, status.st_nlink > 0 else {
      close(descriptor)
      return nil
    }
    if unsafe lstat(path, &status) == 0 {
      guard let former = Draft(locked: descriptor, path, recordPath) else { return nil }
      guard former.record.withLock({ $0.subject == subject }), former.isUnused,
        (try? former.text()) == text
      else { return nil }
      former.record.withLock { $0 = record }
      try write(record, to: descriptor, recordPath)
      return former
    }
    let draft = Draft(
      path: path, recordPath: recordPath, descriptor: descriptor, record: record)
    do throws(CommandFailure) {
      try write(record, to: descriptor, recordPath)
      let file = try create(path, O_EXCL)
      defer { close(file) }
      // As in git's template, the cursor is on an empty line.
      let head = subject.headLine.map { "\n\n\($0)\n" } ?? ""
      let code = DescriptorWriter.write("\(text)\(head)".utf8, to: file)
      guard code == 0 else { throw failure(path, code) }
    } catch {
      draft.discard()
      throw error
    }
    return draft
  }

  /// The drafts that no process is working on, newest first.
  static func abandoned(_ subject: Subject, environment: [String: String]) -> [Draft] {
    guard let folder = folder(in: environment),
      let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
    else { return [] }
    var found: [Draft] = []
    for name in names where name.hasSuffix(".json") {
      guard let draft = open(named: "\(folder)/\(name.dropLast(".json".count))") else { continue }
      if draft.isUnused {
        if draft.changed.timeIntervalSinceNow < -patience { draft.discard() }
      } else if draft.record.withLock({ $0.subject == subject }) {
        found.append(draft)
      }
    }
    return found.sorted { $0.changed > $1.changed }
  }

  /// Opens a draft; nil if another process is working on it, or if there is no text.
  private static func open(named name: String) -> Draft? {
    let (path, recordPath) = ("\(name).md", "\(name).json")
    let descriptor = systemOpen(recordPath, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, unsafe access(path, R_OK) == 0 else {
      close(descriptor)
      return nil
    }
    takeEmergencyCopy(of: path)
    return Draft(locked: descriptor, path, recordPath)
  }

  /// Reads the record, or closes its descriptor if the record is invalid.
  private convenience init?(locked descriptor: CInt, _ path: String, _ recordPath: String) {
    guard let bytes = Self.contents(of: descriptor, limit: Self.maximumBytes),
      let record = try? JSONDecoder().decode(Record.self, from: Data(bytes))
    else {
      close(descriptor)
      return nil
    }
    self.init(path: path, recordPath: recordPath, descriptor: descriptor, record: record)
  }

  /// Uses nano's emergency copy: when nano loses its terminal, it saves the text to another file, and doesn't recover
  /// it.
  private static func takeEmergencyCopy(of path: String) {
    var (own, copy) = (stat(), stat())
    guard unsafe lstat("\(path).save", &copy) == 0, copy.st_mode & S_IFMT == S_IFREG,
      unsafe lstat(path, &own) == 0, !Stamp(copy).isOlder(than: Stamp(own))
    else { return }
    unsafe rename("\(path).save", path)
  }

  private static func folder(in environment: [String: String]) -> String? {
    UserDirectory.data.path(in: environment).map { "\($0)/issues/drafts" }
  }

  private static func create(_ path: String, _ flag: CInt) throws(CommandFailure) -> CInt {
    let descriptor = systemOpen(path, O_RDWR | O_CREAT | O_CLOEXEC | flag, 0o600)
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
      .output, unsafe "cannot keep a draft in “\(path)”: \(String(cString: strerror(code)))")
  }
}

/// Calls `open(2)`, whose name is hidden by a method.
private func systemOpen(_ path: String, _ flags: CInt, _ mode: mode_t = 0) -> CInt {
  unsafe open(path, flags, mode)
}
