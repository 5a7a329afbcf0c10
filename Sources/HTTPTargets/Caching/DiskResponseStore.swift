internal import ConcurrencyPrimitives
internal import Dispatch
internal import PlatformModules

/// Keeps responses in a folder for the next run of the program, with one file per response.
///
/// ```swift
/// let folder = DiskResponseStore.folder(named: "issues", in: ProcessInfo.processInfo.environment)
/// let store = folder.map { DiskResponseStore(folder: $0) }
/// ```
///
/// Any number of processes may share a folder, and may exit at any moment. A file is written under a temporary name and
/// then renamed. An incomplete file or one with a wrong checksum counts as missing. Only this user can read the files.
/// Links in the folder aren't followed.
///
/// When the store exceeds its capacity, it removes the least recently used files. If two processes store responses at
/// the same time, the folder may exceed the capacity by as much as one of them stores.
///
/// If the folder can't be used, the store is empty and doesn't keep responses. If the disk is full or the folder is
/// read-only, the store still returns its existing responses.
public final class DiskResponseStore: ResponseStore {
  /// The size of the store.
  public struct Contents: Sendable, Hashable {
    /// The number of files.
    public var files: Int
    /// The total length of the files in bytes.
    public var bytes: Int
  }

  /// The reason that the folder can't be used.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// The operation that failed, and the reason.
    public let description: String

    init(_ description: String, errno: CInt? = nil) {
      self.description =
        description + (errno.map { unsafe ": \(String(cString: strerror($0)))" } ?? "")
    }
  }

  /// The path of the folder.
  public let folder: String
  /// The maximum number of bytes to keep in files.
  public let capacity: Int

  /// Separate from the queue for writing, because requests wait for reads but never for writes.
  private let reading = DispatchQueue(label: "cache, reading")
  private let writing = DispatchQueue(label: "cache, writing")
  private let clock: any Clock<Duration>
  private let patience: Duration
  private let onProblem: (@Sendable (String) -> Void)?
  private let state = Locked(State())

  private struct State {
    var folder: CacheFolder?
    var isOff = false
    var isReadOnly = false
    /// The total size of the files as known to this process; nil before the first measurement.
    var usage: Int?
    var pendingBytes = 0
    var pendingJobs = 0
  }

  /// The maximum size of unwritten responses, so that a stalled disk doesn't fill the memory.
  private static let maximumPendingBytes = 64 << 20

  /// Creates a store. The folder is created when the first response is stored.
  ///
  /// - Parameters:
  ///   - folder: The absolute path of the folder.
  ///   - capacity: The maximum number of bytes to keep in files; 50 MiB by default.
  ///   - patience: The maximum wait in ``flush()``.
  ///   - clock: The clock for that wait.
  ///   - onProblem: Called once with the reason if the folder can't be used or written to.
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

  /// Returns the response stored under a key, and marks it as used.
  public func response(for key: ResponseKey) async -> StoredResponse? {
    guard !isOff else { return nil }
    return await value(on: reading) { self.read(key) } ?? nil
  }

  /// Accepts a response and returns immediately. The response is written later.
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

  /// Schedules the removal of a response.
  public func removeResponse(for key: ResponseKey) async {
    guard !isOff else { return }
    enqueue { self.remove(CacheFileName.entry(for: key)) }
  }

  /// Waits for scheduled writes and removals, at most for the `patience` of the initializer, because the disk may hang.
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

  /// Measures the store. The size is zero if the folder doesn't exist.
  ///
  /// - Throws: ``Failure`` when the folder can't be used.
  public func contents() async throws(Failure) -> Contents {
    try await contents(on: reading) { folder throws(Failure) in
      try folder.files().filter { !$0.isTemporary }
    }
  }

  /// Removes all responses and unfinished files, but not the folder or other files in it.
  ///
  /// - Returns: The size of the removed files.
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

  /// Runs work on a queue and returns its result. Returns nil immediately if the caller's task is canceled.
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

  private func write(_ response: StoredResponse, for key: ResponseKey) {
    let name = CacheFileName.entry(for: key)
    // A response of half the capacity would displace all the others.
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

  /// If the store exceeds its capacity, removes files until it uses at most nine tenths of it, so that not every write
  /// lists the folder.
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

  private func report(_ failure: Failure, _ change: (inout State) -> Void) {
    let isFirst = state.withLock { state in
      defer { change(&state) }
      return !state.isOff && !state.isReadOnly
    }
    if isFirst { onProblem?(failure.description) }
  }
}

extension DiskResponseStore {
  /// Returns the cache folder of a program: in `$XDG_CACHE_HOME` if it is an absolute path, or else in `~/.cache` ([XDG
  /// Base Directory Specification](https://specifications.freedesktop.org/basedir/latest/)).
  ///
  /// - Parameters:
  ///   - name: The name of the folder, usually that of the program.
  ///   - environment: The environment of the process.
  /// - Returns: The path; nil if neither `XDG_CACHE_HOME` nor `HOME` names a folder.
  public static func folder(named name: String, in environment: [String: String]) -> String? {
    UserDirectory.cache.path(in: environment).map { "\($0)/\(name)" }
  }
}

/// A value for one waiting task. Only the first value counts, either from the work or from the cancellation.
final class OneAnswer<Value: Sendable>: Sendable {
  private enum State: Sendable {
    case pending
    case awaited(CheckedContinuation<Value, Never>)
    case given(Value)
    case taken
  }

  private let state = Locked(State.pending)

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
