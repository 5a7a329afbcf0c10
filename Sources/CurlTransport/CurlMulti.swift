internal import CCurl
internal import HTTPTargets
internal import HTTPTypes

/// All transfers of a transport, on the curl thread.
actor CurlMulti {
  final class Arrivals {
    var heads: [Transfer] = []
    var finished: [(Transfer, NetworkError?)] = []
  }

  private let thread: CurlThread
  private let configuration: CurlTransport.Configuration
  private let share: UnsafeMutableRawPointer?
  private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]
  private var idle: [EasyHandle] = []
  private let arrivals = Arrivals()

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(configuration: CurlTransport.Configuration) throws(NetworkError) {
    self.configuration = configuration
    thread = try CurlThread()
    // Below 8.12 transfers don't share TLS sessions by themselves. Sharing connections, which the multi handle
    // does, wouldn't be thread-safe; HSTS would choose https for the caller.
    share = ccurl_share_init()
    if let share { ccurl_share_set_data(share, CURL_LOCK_DATA_SSL_SESSION) }
    let connections = configuration.maximumConnectionsPerHost
    ccurl_multi_set_long(thread.multi, CURLMOPT_MAX_HOST_CONNECTIONS, connections)
    // By default libcurl keeps only as many connections as transfers run, and reopens them all the time.
    ccurl_multi_set_long(thread.multi, CURLMOPT_MAXCONNECTS, max(connections, 16))
    try thread.start { [weak self] in self?.assumeIsolated { $0.turn() } ?? 0 }
  }

  isolated deinit {
    // A running transfer keeps this actor alive through its waiting task, so none is left.
    idle.removeAll()
    if let share { ccurl_share_cleanup(share) }
    thread.stop()
  }

  func head(
    of request: Request, _ exchange: Exchange, onSent: Transfer.SentObserver?
  ) async -> Exchange.Head {
    guard !exchange.isOver else { return .failure(.cancelled.beforeSending) }
    guard let easy = idle.popLast() ?? EasyHandle() else {
      return .failure(.outOfMemory.beforeSending)
    }
    let transfer = Transfer(
      request, easy: easy, exchange: exchange, arrivals: arrivals, onSent: onSent)
    do throws(NetworkError) {
      try easy.prepare(request, for: transfer, configuration: configuration, share: share)
    } catch {
      return .failure(error.beforeSending)
    }
    guard ccurl_multi_add_handle(thread.multi, easy.handle) == CURLM_OK else {
      return .failure(.outOfMemory.beforeSending)
    }
    transfers[easy.handle] = transfer
    return await withCheckedContinuation { exchange.waitForHead($0) }
  }

  func unpause(_ exchange: Exchange) {
    guard let transfer = transfer(of: exchange) else { return }
    ccurl_easy_pause(transfer.easy.handle, CURLPAUSE_CONT)
  }

  func abandon(_ exchange: Exchange) {
    guard let transfer = transfer(of: exchange) else { return }
    release(transfer)
  }

  private func transfer(of exchange: Exchange) -> Transfer? {
    transfers.values.first { $0.exchange === exchange }
  }

  /// Lets libcurl work once, even without transfers, since it may have connections to close. Returns the most
  /// milliseconds until the next turn; libcurl's own next time-out may shorten them.
  func turn() -> Int32 {
    var running: Int32 = 0
    // Twice: before 8.14 one call can leave HTTP/2 frames unread until the next time-out.
    ccurl_multi_perform(thread.multi, &running)
    ccurl_multi_perform(thread.multi, &running)

    var remaining: Int32 = 0
    while let message = ccurl_multi_info_read(thread.multi, &remaining) {
      guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle,
        let transfer = transfers[handle]
      else { continue }
      let failure = transfer.failure(message.pointee.data.result)
      release(transfer)
      arrivals.finished.append((transfer, failure))
    }
    let wait = endOverdue()
    // After the bodies that came with them, so that a small response wakes its reader once.
    for transfer in arrivals.heads { transfer.publishHead() }
    arrivals.heads.removeAll(keepingCapacity: true)
    for (transfer, failure) in arrivals.finished { transfer.exchange.finish(failure) }
    arrivals.finished.removeAll(keepingCapacity: true)
    return wait
  }

  /// Ends overdue transfers, since libcurl's total time-out ignores those that wait for a connection or that
  /// nobody reads. Returns the milliseconds until the next one is due, a minute at most.
  private func endOverdue() -> Int32 {
    let now = ContinuousClock.now
    var wait = Duration.seconds(60)
    for transfer in transfers.values {
      guard let deadline = transfer.deadline else { continue }
      if deadline > now {
        wait = min(wait, now.duration(to: deadline))
      } else {
        let failure = transfer.overdue
        release(transfer)
        arrivals.finished.append((transfer, failure))
      }
    }
    // Rounded up: the last fraction of a millisecond would be a busy loop.
    return Int32(clamping: wait.milliseconds + 1)
  }

  private func release(_ transfer: Transfer) {
    transfers[transfer.easy.handle] = nil
    ccurl_multi_remove_handle(thread.multi, transfer.easy.handle)
    transfer.easy.reset()
    if idle.count < 16 { idle.append(transfer.easy) }
  }
}

extension NetworkError {
  fileprivate var beforeSending: NetworkError {
    var error = self
    error.bytesSent = 0
    return error
  }
}
