internal import CCurl
internal import ConcurrencyPrimitives
internal import HTTPTargets
internal import HTTPTypes

/// All transfers of a multi handle, used only by the curl thread. ``AdmissionStateMachine`` decides which of them go to
/// libcurl.
// @safe: ``close()`` frees its handles, and libcurl no longer uses them then.
@safe
struct CurlTransfers {
  private struct Deadline: Comparable {
    let instant: Instant
    let id: ObjectIdentifier

    /// The transfer of this deadline; nil if it has ended.
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
  /// The commands of this turn. Its memory is used again.
  private var commands: [CurlMulti.Command] = []
  /// The waiting and running transfers, by the identity of their submissions.
  private var transfers: [ObjectIdentifier: Transfer] = [:]
  private var runningHTTP2 = 0
  private var admission: AdmissionStateMachine<Transfer>
  /// The deadlines of transfers. Those of ended transfers stay until they reach the top or outnumber the others.
  private var deadlines = BinaryHeap<Deadline>()
  private var idle: [EasyHandle] = []
  private let arrivals: CurlMulti.Arrivals
  private var wakes: [ExchangeStateMachine.Action] = []

  init(inbox: CurlMulti.Inbox, configuration: CurlTransport.Configuration) {
    self.configuration = configuration
    thread = inbox.thread
    arrivals = CurlMulti.Arrivals(inbox: inbox)
    // Before 8.1, HTTP/2 can stall for seconds. Before 8.0, a truncated body can look complete.
    canUseHTTP2 =
      ccurl_has_http2() != 0
      && (ccurl_runtime_version() >= 0x080100 || configuration.usesHTTP2BelowMinimum)
    performsTwice = ccurl_runtime_version() < 0x080e00
    // Before 8.12, transfers don't share TLS sessions by default. Connections aren't in the share: the multi handle
    // shares them already, and a share isn't thread-safe for them. HSTS isn't in the share either, because it would
    // replace the caller's http by https.
    unsafe share = ccurl_share_init()
    if let share = unsafe share {
      unsafe ccurl_share_set_data(share, CURL_LOCK_DATA_SSL_SESSION)
      if configuration.keepsCookies { unsafe ccurl_share_set_data(share, CURL_LOCK_DATA_COOKIE) }
    }
    let connections = configuration.maximumConnectionsPerHost
    admission = AdmissionStateMachine(connectionsPerOrigin: connections)
    unsafe ccurl_multi_set_long(thread.multi, CURLMOPT_MAX_HOST_CONNECTIONS, connections)
    // By default, libcurl keeps only a few connections per running transfer, and reopens them all the time.
    unsafe ccurl_multi_set_long(thread.multi, CURLMOPT_MAXCONNECTS, max(connections, 16))
  }

  var count: Int { transfers.count }

  private var running: [Transfer] { transfers.values.filter { $0.easy != nil } }

  mutating func close() {
    for transfer in running { release(transfer) }
    idle.removeAll()
    if let share = unsafe share { unsafe ccurl_share_cleanup(share) }
  }

  /// Lets libcurl work once after a wait with this outcome, even without transfers, because libcurl may have
  /// connections to close. Returns the maximum number of milliseconds until the next turn, or 0 for no wait. libcurl's
  /// own next timeout may end the wait earlier.
  mutating func turn(_ problem: CURLMcode) -> Int32 {
    carryOutCommands()
    admit()
    let problem = problem == CURLM_OK ? perform() : problem
    for transfer in arrivals.heads where transfer.usesHTTP2 {
      guard let multiplexes = transfer.easy?.connectedWithHTTP2 else { continue }
      if let place = transfer.place { admission.connected(place, multiplexes: multiplexes) }
    }
    if problem == CURLM_OK { takeCompleted() } else { endAll(.multi(problem)) }
    watchPaused()
    let wait = endOverdue()
    // Published late, so that a small response wakes its reader only once, after its body and its end.
    for transfer in arrivals.heads { wakes.append(transfer.publishHead()) }
    arrivals.heads.removeAll(keepingCapacity: true)
    for transfer in arrivals.bodies { wakes.append(transfer.wakeReader()) }
    arrivals.bodies.removeAll(keepingCapacity: true)
    for (transfer, failure) in arrivals.finished { transfer.exchange.finish(failure) }
    arrivals.finished.removeAll(keepingCapacity: true)
    for wake in wakes { wake.carryOut() }
    wakes.removeAll(keepingCapacity: true)
    return admit() ? 0 : wait
  }

  private mutating func carryOutCommands() {
    arrivals.inbox.empty(into: &commands)
    for command in commands {
      switch command {
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
    commands.removeAll(keepingCapacity: true)
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

  /// Gives the next requests to libcurl. Returns whether libcurl got any.
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
    // Before 8.14, a single call can leave HTTP/2 frames unread until the next timeout.
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
      // Retained here, because the end of the transfer removes it from `transfers`.
      let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
      transfer.settle()
      unsafe end(transfer, transfer.failure(message.pointee.data.result))
    }
  }

  /// Ends all transfers. Otherwise a persistent failure would keep the thread busy and the transfers waiting.
  private mutating func endAll(_ failure: NetworkError) {
    for transfer in running { end(transfer, transfer.counted(failure)) }
  }

  /// Sets the deadline of each paused transfer, because it keeps its connection: it ends if its body isn't read within
  /// its idle timeout while other requests wait for the connection.
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

  /// Ends overdue transfers, because libcurl's total timeout ignores transfers that wait for a connection or aren't
  /// being read. Returns the number of milliseconds until the next deadline, at most one minute.
  private mutating func endOverdue() -> Int32 {
    if transfers.isEmpty { deadlines.removeAll() }
    let now = Instant.now
    while let next = deadlines.first {
      // Rounded up, because otherwise the last fraction of a millisecond would be a busy loop.
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
      unsafe "libcurl can't continue: \(String(cString: ccurl_multi_strerror(code)))")
  }

  var beforeSending: NetworkError {
    var error = self
    error.bytesSent = 0
    return error
  }
}
