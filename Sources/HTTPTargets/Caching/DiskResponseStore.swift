internal import Dispatch
internal import Locking

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Keeps answers in a folder, a file each, for whoever runs the program next.
///
/// ```swift
/// let folder = DiskResponseStore.folder(named: "issues", in: ProcessInfo.processInfo.environment)
/// let store = folder.map { DiskResponseStore(folder: $0) }
/// ```
///
/// Any number of processes may use one folder at once, and end at any moment: a file is written under a
/// name of its own and then renamed, and what can't be read whole, checksum and all, isn't there. Files can
/// be read by this user only; a link in the folder is not followed.
///
/// When the files take more room than there is, those go first that were not used for the longest time. Two
/// processes that store at once may go beyond it by what one of them stores.
///
/// Where the folder can't be used, the store has nothing and keeps nothing; where it can't be written to,
/// because the disk is full or the folder read-only, it goes on giving what it has.
public final class DiskResponseStore: ResponseStore {
  /// What is in the folder.
  public struct Contents: Sendable, Hashable {
    /// How many files.
    public var files: Int
    /// How many bytes they are long, together.
    public var bytes: Int
  }

  /// Why the folder can't be used.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// What can't be done, and why.
    public let description: String

    init(_ description: String, errno: CInt? = nil) {
      self.description = description + (errno.map { ": \(String(cString: strerror($0)))" } ?? "")
    }
  }

  /// The folder.
  public let folder: String
  /// How many bytes of files are kept at most.
  public let capacity: Int

  /// Reading is in front of a request; what stores waits behind it.
  private let reading = DispatchQueue(label: "cache, reading")
  private let writing = DispatchQueue(label: "cache, writing")
  private let clock: any Clock<Duration>
  private let patience: Duration
  private let onProblem: (@Sendable (String) -> Void)?
  private let state = Locked(State())

  private struct State {
    var folder: CacheFolder?
    /// Whether the folder can't be used.
    var isOff = false
    /// Whether nothing can be written.
    var isReadOnly = false
    /// How much is in the folder as far as this process knows; nil before it looked.
    var usage: Int?
    /// How many bytes wait to be written.
    var pendingBytes = 0
    /// How many jobs are on the queue for writing.
    var pendingJobs = 0
  }

  /// A disk that hangs must not fill the memory: beyond this nothing more is taken on.
  private static let maximumPendingBytes = 64 << 20

  /// Creates a store; the folder is made when there is something to store.
  ///
  /// - Parameters:
  ///   - folder: The absolute path of the folder.
  ///   - capacity: How many bytes of files are kept at most; 50 MiB unless said otherwise.
  ///   - patience: How long ``flush()`` waits at most.
  ///   - clock: The clock that it waits by.
  ///   - onProblem: Is told, once, why the folder can't be used or written to.
  public init(
    folder: String, capacity: Int = 50 << 20, patience: Duration = .seconds(1),
    clock: any Clock<Duration> = ContinuousClock(),
    onProblem: (@Sendable (String) -> Void)? = nil
  ) {
    self.folder = folder
    self.capacity = capacity
    self.patience = patience
    self.clock = clock
    self.onProblem = onProblem
  }

  /// Returns what is stored under a key, and notes that it was used.
  public func response(for key: ResponseKey) async -> StoredResponse? {
    guard !isOff else { return nil }
    return await value(on: reading) { self.read(key) } ?? nil
  }

  /// Takes an answer on; it is written afterwards.
  public func store(_ response: StoredResponse, for key: ResponseKey) async {
    let size = response.body.count
    let isTaken = state.withLock { state in
      guard !state.isOff, !state.isReadOnly, state.pendingBytes + size <= Self.maximumPendingBytes
      else {
        return false
      }
      state.pendingBytes += size
      return true
    }
    guard isTaken else { return }
    enqueue {
      self.write(response, for: key)
      self.state.withLock { $0.pendingBytes -= size }
    }
  }

  /// Takes on to remove an answer.
  public func removeResponse(for key: ResponseKey) async {
    guard !isOff else { return }
    enqueue { self.remove(CacheFileName.entry(for: key)) }
  }

  /// Waits until what was taken on is done, but no longer than for the time of the initializer: the disk
  /// may hang.
  public func flush() async {
    guard state.withLock({ $0.pendingJobs > 0 }) else { return }
    let answer = OneAnswer<Void>()
    writing.async { answer.give(()) }
    let limit = Task { [clock, patience] in
      try? await clock.sleep(for: patience)
      answer.give(())
    }
    await answer.value(ifCancelled: ())
    limit.cancel()
  }

  /// Looks at the folder.
  ///
  /// - Returns: How many answers there are, and how long; none where the folder isn't there.
  /// - Throws: ``Failure`` when the folder can't be used.
  public func contents() async throws(Failure) -> Contents {
    try await contents(on: reading) { folder throws(Failure) in
      try folder.files().filter { !$0.isTemporary }
    }
  }

  /// Removes every answer, and what is left of some that were never finished; nothing else that may be in
  /// the folder, and not the folder.
  ///
  /// - Returns: What was removed.
  /// - Throws: ``Failure`` when the folder can't be used.
  public func removeAll() async throws(Failure) -> Contents {
    try await contents(on: writing) { folder throws(Failure) in
      try folder.files().filter { folder.isEntry($0.name) && folder.remove($0.name) }
    }
  }

  private func contents(
    on queue: DispatchQueue,
    of files: @escaping @Sendable (CacheFolder) throws(Failure) -> [CacheFolder.File]
  ) async throws(Failure) -> Contents {
    let outcome: Result<Contents, Failure>? = await value(on: queue) { [folder] in
      Result { () throws(Failure) in
        guard let folder = try CacheFolder.open(folder, isCreated: false) else {
          return Contents(files: 0, bytes: 0)
        }
        let files = try files(folder)
        return Contents(files: files.count, bytes: files.reduce(0) { $0 + $1.size })
      }
    }
    guard let outcome else { throw Failure("cancelled") }
    return try outcome.get()
  }

  private var isOff: Bool { state.withLock { $0.isOff } }

  /// Runs work on a queue; a caller that is cancelled doesn't wait for it, and gets nil.
  private func value<Value: Sendable>(
    on queue: DispatchQueue, _ work: @escaping @Sendable () -> Value
  ) async -> Value? {
    let answer = OneAnswer<Value?>()
    queue.async { answer.give(work()) }
    return await answer.value(ifCancelled: nil)
  }

  private func enqueue(_ job: @escaping @Sendable () -> Void) {
    state.withLock { $0.pendingJobs += 1 }
    writing.async {
      job()
      self.state.withLock { $0.pendingJobs -= 1 }
    }
  }

  // MARK: On the queue for reading

  private func read(_ key: ResponseKey) -> StoredResponse? {
    let name = CacheFileName.entry(for: key)
    guard let folder = openFolder(isCreated: false),
      let file = folder.read(name, maximumSize: capacity)
    else { return nil }
    switch StoredResponse.decode(file, for: key) {
    case .response(let response): return response
    case .otherKey: return nil
    case .damaged:
      folder.remove(name)
      return nil
    }
  }

  // MARK: On the queue for writing

  private func write(_ response: StoredResponse, for key: ResponseKey) {
    let name = CacheFileName.entry(for: key)
    // A page that is as long as half of the store would drive everything else out.
    guard let response = response.keepable(), let head = response.head(under: key),
      head.count + response.body.count <= capacity / 2
    else { return remove(name) }
    guard let folder = openFolder(isCreated: true) else { return }
    do throws(Failure) {
      try folder.write(name, head, response.body)
      try makeRoom(in: folder, for: head.count + response.body.count)
    } catch {
      report(error) { $0.isReadOnly = true }
    }
  }

  private func remove(_ name: String) {
    openFolder(isCreated: false)?.remove(name)
  }

  /// Counts what was written, and removes what there is no room for.
  ///
  /// The folder is looked at when this process first stores something, and when by its own count there
  /// may be too much; then a tenth more is removed than needed, so that it isn't each time from then on.
  private func makeRoom(in folder: CacheFolder, for size: Int) throws(Failure) {
    let usage = state.withLock { state in
      state.usage = state.usage.map { $0 + size }
      return state.usage
    }
    if let usage, usage <= capacity { return }
    var remaining = 0
    var entries: [CacheFolder.File] = []
    for file in try folder.files() {
      if file.isTemporary {
        folder.sweep(file)
      } else {
        entries.append(file)
        remaining += file.size
      }
    }
    if remaining > capacity {
      for file in entries.sorted(by: { $0.lastUse < $1.lastUse })
      where remaining > capacity / 10 * 9 && folder.remove(file.name) {
        remaining -= file.size
      }
    }
    let left = remaining
    state.withLock { $0.usage = left }
  }

  // MARK: On either

  private func openFolder(isCreated: Bool) -> CacheFolder? {
    let (open, isOff) = state.withLock { ($0.folder, $0.isOff) }
    guard open == nil, !isOff else { return isOff ? nil : open }
    do throws(Failure) {
      guard let opened = try CacheFolder.open(folder, isCreated: isCreated) else { return nil }
      return state.withLock { state in
        state.folder = state.folder ?? opened
        return state.folder
      }
    } catch {
      report(error) { $0.isOff = true }
      return nil
    }
  }

  /// Notes what doesn't work from now on, and tells why if nothing was told yet.
  private func report(_ failure: Failure, _ change: (inout State) -> Void) {
    let isFirst = state.withLock { state in
      defer { change(&state) }
      return !state.isOff && !state.isReadOnly
    }
    if isFirst { onProblem?(failure.description) }
  }
}

extension DiskResponseStore {
  /// Finds the folder for caches that belongs to a user, as the
  /// [XDG Base Directory Specification](https://specifications.freedesktop.org/basedir/latest/) says:
  /// in `$XDG_CACHE_HOME` if that is an absolute path, else in `~/.cache`.
  ///
  /// - Parameters:
  ///   - name: The folder's name, which is the program's.
  ///   - environment: The environment of the process.
  /// - Returns: The path; nil when neither variable names a folder.
  public static func folder(named name: String, in environment: [String: String]) -> String? {
    UserDirectory.cache.path(in: environment).map { "\($0)/\(name)" }
  }
}

/// An answer that is awaited at most once and given at most once that counts: by who works for it, or
/// by who gives it up.
final class OneAnswer<Value: Sendable>: Sendable {
  private enum State: Sendable {
    case pending
    case awaited(CheckedContinuation<Value, Never>)
    case given(Value)
    case taken
  }

  private let state = Locked(State.pending)

  /// Gives the answer; nothing happens if there is one.
  func give(_ value: Value) {
    let waiter = state.withLock { state -> CheckedContinuation<Value, Never>? in
      switch state {
      case .pending:
        state = .given(value)
        return nil
      case .awaited(let continuation):
        state = .taken
        return continuation
      case .given, .taken:
        return nil
      }
    }
    waiter?.resume(returning: value)
  }

  /// Waits for the answer, or for the task's cancellation.
  func value(ifCancelled cancelled: Value) async -> Value {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let value = state.withLock { state -> Value? in
          switch state {
          case .given(let value):
            state = .taken
            return value
          case .pending, .awaited, .taken:
            state = .awaited(continuation)
            return nil
          }
        }
        if let value { continuation.resume(returning: value) }
      }
    } onCancel: {
      give(cancelled)
    }
  }
}
