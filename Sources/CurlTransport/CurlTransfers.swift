internal import CCurl
internal import ConcurrencyPrimitives
internal import HTTPTargets
internal import HTTPTypes

/// All transfers of a multi handle, for the curl thread alone. ``AdmissionStateMachine`` decides which of them libcurl
/// has.
// @safe: ``close()`` frees its handles, and libcurl has them no longer then.
@safe
struct CurlTransfers {
  private struct Deadline: Comparable {
    let instant: Instant
    let id: ObjectIdentifier

    /// The transfer that it still refers to.
    func transfer(in transfers: [ObjectIdentifier: Transfer]) -> Transfer? {
      guard let transfer = transfers[id],
        transfer.deadline == instant || transfer.readBy == instant
      else { return nil }
      return transfer
    }

    static func < (left: Deadline, right: Deadline) -> Bool { left.instant < right.instant }
  }

  private let thread: CurlThread
  private let configuration: CurlTransport.Configuration
  private let share: UnsafeMutableRawPointer?
  private let canUseHTTP2: Bool
  private let performsTwice: Bool
  /// Commands from the inbox, the next one last.
  private var commands: [CurlMulti.Command] = []
  /// Waiting and running transfers, by their submissions.
  private var transfers: [ObjectIdentifier: Transfer] = [:]
  private var runningHTTP2 = 0
  private var admission: AdmissionStateMachine<Transfer>
  /// Includes deadlines of ended transfers, until they come up or outnumber the others.
  private var deadlines = BinaryHeap<Deadline>()
  private var idle: [EasyHandle] = []
  private let arrivals: CurlMulti.Arrivals
  private var wakes: [ExchangeStateMachine.Action] = []

  init(inbox: CurlMulti.Inbox, configuration: CurlTransport.Configuration) {
    self.configuration = configuration
    thread = inbox.thread
    arrivals = CurlMulti.Arrivals(inbox: inbox)
    // Below 8.1 HTTP/2 can stall for seconds, and below 8.0 a truncated body can look complete.
    canUseHTTP2 =
      ccurl_has_http2() != 0
      && (ccurl_runtime_version() >= 0x080100 || configuration.usesHTTP2BelowMinimum)
    performsTwice = ccurl_runtime_version() < 0x080e00
    // Below 8.12 transfers don't share TLS sessions by themselves. Sharing connections, which the multi handle
    // does, wouldn't be thread-safe; HSTS would choose https for the caller.
    unsafe share = ccurl_share_init()
    if let share = unsafe share {
      unsafe ccurl_share_set_data(share, CURL_LOCK_DATA_SSL_SESSION)
      if configuration.keepsCookies { unsafe ccurl_share_set_data(share, CURL_LOCK_DATA_COOKIE) }
    }
    let connections = configuration.maximumConnectionsPerHost
    admission = AdmissionStateMachine(connectionsPerOrigin: connections)
    unsafe ccurl_multi_set_long(thread.multi, CURLMOPT_MAX_HOST_CONNECTIONS, connections)
    // By default libcurl keeps only as many connections as transfers run, and reopens them all the time.
    unsafe ccurl_multi_set_long(thread.multi, CURLMOPT_MAXCONNECTS, max(connections, 16))
  }

  var count: Int { transfers.count }

  private var running: [Transfer] { transfers.values.filter { $0.easy != nil } }

  mutating func close() {
    for transfer in running { release(transfer) }
    idle.removeAll()
    if let share = unsafe share { unsafe ccurl_share_cleanup(share) }
  }

  /// Lets libcurl work once, after a wait with that outcome, and even without transfers, since it may have
  /// connections to close. Returns the most milliseconds until the next turn, 0 for no wait; libcurl's own next
  /// time-out may shorten them.
  mutating func turn(_ problem: CURLMcode) -> Int32 {
    let isBehind = carryOutCommands()
    admit()
    let problem = problem == CURLM_OK ? perform() : problem
    for transfer in arrivals.heads where transfer.usesHTTP2 {
      guard let multiplexes = transfer.easy?.connectedWithHTTP2 else { continue }
      if let place = transfer.place { admission.connected(place, multiplexes: multiplexes) }
    }
    if problem == CURLM_OK { takeCompleted() } else { endAll(.multi(problem)) }
    watchPaused()
    let wait = endOverdue()
    // A small response wakes its reader once: after its body and its end.
    for transfer in arrivals.heads { wakes.append(transfer.publishHead()) }
    arrivals.heads.removeAll(keepingCapacity: true)
    for (transfer, failure) in arrivals.finished { transfer.exchange.finish(failure) }
    arrivals.finished.removeAll(keepingCapacity: true)
    for wake in wakes { wake.carryOut() }
    wakes.removeAll(keepingCapacity: true)
    return admit() || isBehind ? 0 : wait
  }

  /// Returns whether more are left: a thousand arrivals mustn't hold up the answers.
  private mutating func carryOutCommands() -> Bool {
    if commands.isEmpty {
      arrivals.inbox.empty(into: &commands)
      commands.reverse()
    }
    for _ in 0..<min(commands.count, 256) {
      switch commands.removeLast() {
      case .start(let submission): queue(submission)
      case .unpause(let submission):
        guard let transfer = transfers[submission.id], let easy = transfer.easy
        else { continue }
        transfer.readBy = nil
        unsafe ccurl_easy_pause(easy.handle, CURLPAUSE_CONT)
      case .sendOn(let submission):
        guard let transfer = transfers[submission.id], let easy = transfer.easy
        else { continue }
        let stays = transfer.readBy == nil ? CURLPAUSE_CONT : CURLPAUSE_RECV
        unsafe ccurl_easy_pause(easy.handle, stays)
      case .abandon(let submission):
        guard let transfer = transfers[submission.id] else { continue }
        release(transfer)
      }
    }
    return !commands.isEmpty
  }

  private mutating func queue(_ submission: CurlMulti.Submission) {
    guard !submission.exchange.isOver else { return }
    let transfer = Transfer(
      submission, usesHTTP2: canUseHTTP2 && submission.mayUseHTTP2,
      credentials: configuration.credentials(
        for: submission.request, to: submission.origin), arrivals: arrivals)
    transfers[transfer.id] = transfer
    transfer.place = admission.arrived(
      transfer, for: submission.origin, priority: submission.priority,
      needsConnection: !transfer.usesHTTP2)
    if let deadline = submission.deadline { expect(transfer, deadline) }
  }

  private mutating func expect(_ transfer: Transfer, _ instant: Instant) {
    deadlines.insert(Deadline(instant: instant, id: transfer.id))
    if deadlines.count > 4 * transfers.count + 64 {
      deadlines.removeAll { [transfers] in $0.transfer(in: transfers) == nil }
    }
  }

  /// Returns whether libcurl got any.
  @discardableResult
  private mutating func admit() -> Bool {
    var isAny = false
    while let transfer = admission.next() {
      do throws(NetworkError) {
        try start(transfer)
        isAny = true
      } catch {
        release(transfer)
        transfer.exchange.finish(error.beforeSending)
      }
    }
    return isAny
  }

  private mutating func start(_ transfer: Transfer) throws(NetworkError) {
    guard let easy = idle.popLast() ?? EasyHandle() else { throw .outOfMemory }
    transfer.begin(on: easy)
    if transfer.usesHTTP2 { runningHTTP2 += 1 }
    try unsafe easy.prepare(transfer, configuration: configuration, share: share)
    guard unsafe ccurl_multi_add_handle(thread.multi, easy.handle) == CURLM_OK else {
      throw .outOfMemory
    }
  }

  private mutating func perform() -> CURLMcode {
    var count: Int32 = 0
    let code = unsafe ccurl_multi_perform(thread.multi, &count)
    // Before 8.14 one call can leave HTTP/2 frames unread until the next time-out.
    guard code == CURLM_OK, performsTwice, runningHTTP2 > 0 else { return code }
    return unsafe ccurl_multi_perform(thread.multi, &count)
  }

  private mutating func takeCompleted() {
    var remaining: Int32 = 0
    while let message = unsafe ccurl_multi_info_read(thread.multi, &remaining) {
      guard unsafe message.pointee.msg == CURLMSG_DONE,
        let handle = unsafe message.pointee.easy_handle,
        let context = unsafe ccurl_easy_get_private(handle)
      else { continue }
      // Retained, because its end takes it out of `transfers`.
      let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
      transfer.settle()
      unsafe end(transfer, transfer.failure(message.pointee.data.result))
    }
  }

  /// Without this, a persistent failure would keep the thread busy, and the transfers waiting.
  private mutating func endAll(_ failure: NetworkError) {
    for transfer in running { end(transfer, transfer.counted(failure)) }
  }

  /// A paused transfer keeps its connection. So it ends if it isn't read for its idle time-out while others wait for
  /// the connection.
  private mutating func watchPaused() {
    for transfer in arrivals.paused where transfer.easy != nil {
      expectReader(of: transfer, within: min(transfer.request.timeouts.idle, .longest))
    }
    arrivals.paused.removeAll(keepingCapacity: true)
  }

  private mutating func expectReader(of transfer: Transfer, within duration: Duration) {
    let instant = Instant.now.advanced(by: duration)
    transfer.readBy = instant
    expect(transfer, instant)
  }

  /// Ends overdue transfers, since libcurl's total time-out ignores transfers that wait for a connection or aren't
  /// being read. Returns the milliseconds until the next one is due, a minute at most.
  private mutating func endOverdue() -> Int32 {
    if transfers.isEmpty { deadlines.removeAll() }
    let now = Instant.now
    while let next = deadlines.first {
      // Rounded up: the last fraction of a millisecond would be a busy loop.
      guard next.instant <= now else {
        return Int32(min(now.duration(to: next.instant).milliseconds + 1, 60_000))
      }
      deadlines.removeFirst()
      guard let transfer = next.transfer(in: transfers) else { continue }
      if transfer.deadline == next.instant {
        end(transfer, transfer.overdue)
      } else if let place = transfer.place, admission.isWaitedFor(place) {
        end(transfer, transfer.unread)
      } else {
        expectReader(of: transfer, within: .seconds(1))
      }
    }
    return 60_000
  }

  private mutating func end(_ transfer: Transfer, _ failure: NetworkError?) {
    release(transfer)
    arrivals.finished.append((transfer, failure))
  }

  private mutating func release(_ transfer: Transfer) {
    transfers[transfer.id] = nil
    if let place = transfer.place { admission.left(place) }
    guard let easy = transfer.easy else { return }
    transfer.easy = nil
    if transfer.usesHTTP2 { runningHTTP2 -= 1 }
    unsafe ccurl_multi_remove_handle(thread.multi, easy.handle)
    easy.finish()
    if idle.count < max(configuration.maximumConnectionsPerHost, 16) { idle.append(easy) }
  }
}

extension NetworkError {
  /// Translates a [CURLMcode](https://curl.se/libcurl/c/libcurl-errors.html).
  fileprivate static func multi(_ code: CURLMcode) -> NetworkError {
    .transport(
      TransportFailure(.other, code: Int(code.rawValue)),
      unsafe "libcurl can't go on: \(String(cString: ccurl_multi_strerror(code)))")
  }

  var beforeSending: NetworkError {
    var error = self
    error.bytesSent = 0
    return error
  }
}
