internal import CCurl
internal import HTTPTargets
internal import HTTPTypes

/// All transfers of a transport, on the curl thread.
actor CurlMulti {
  /// The heads and ends of the current turn, published when the turn is over.
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
    // Below 8.12 easy handles don't share their TLS sessions. Connections aren't in the share: the multi handle
    // shares them, and libcurl's share of them isn't safe. HSTS isn't either: the caller decides between http
    // and https.
    share = ccurl_share_init()
    if let share { ccurl_share_set_data(share, CURL_LOCK_DATA_SSL_SESSION) }
    let connections = configuration.maximumConnectionsPerHost
    ccurl_multi_set_long(thread.multi, CURLMOPT_MAX_HOST_CONNECTIONS, connections)
    // Without it the connection cache has the size of the running transfers, and connections are closed and
    // opened all the time.
    ccurl_multi_set_long(thread.multi, CURLMOPT_MAXCONNECTS, max(connections, 16))
    try thread.start { [weak self] in self?.assumeIsolated { $0.turn() } ?? 0 }
  }

  isolated deinit {
    // A running transfer keeps this actor alive through the task that waits for it, so none is left.
    idle.removeAll()
    if let share { ccurl_share_cleanup(share) }
    thread.stop()
  }

  /// Starts a transfer and waits for the head of its answer.
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

  /// Resumes a transfer that was paused because nobody read.
  func unpause(_ exchange: Exchange) {
    guard let transfer = transfer(of: exchange) else { return }
    ccurl_easy_pause(transfer.easy.handle, CURLPAUSE_CONT)
  }

  /// Ends a transfer whose answer is no longer wanted.
  func abandon(_ exchange: Exchange) {
    guard let transfer = transfer(of: exchange) else { return }
    release(transfer)
  }

  private func transfer(of exchange: Exchange) -> Transfer? {
    transfers.values.first { $0.exchange === exchange }
  }

  /// Lets libcurl work once, and publishes the results.
  ///
  /// It runs without transfers too, because libcurl may have connections to close.
  ///
  /// - Returns: The most milliseconds until the next turn if nothing happens. libcurl shortens that to its own
  ///   next time-out.
  func turn() -> Int32 {
    var running: Int32 = 0
    // Twice: before 8.14 a single call can leave HTTP/2 frames unread until the next time-out.
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
    // Heads are published at the end of a turn, after the bodies that came with them, so that a small answer
    // wakes its reader once, not twice.
    for transfer in arrivals.heads { transfer.publishHead() }
    arrivals.heads.removeAll(keepingCapacity: true)
    for (transfer, failure) in arrivals.finished { transfer.exchange.finish(failure) }
    arrivals.finished.removeAll(keepingCapacity: true)
    return wait
  }

  /// Ends the transfers whose total time is over.
  ///
  /// libcurl's own total time-out ignores transfers that wait for a connection behind others that hang or that
  /// nobody reads.
  ///
  /// - Returns: The milliseconds until the next one is over, a minute at most.
  private func endOverdue() -> Int32 {
    let now = ContinuousClock.now
    var wait = Duration.seconds(60)
    for transfer in transfers.values {
      guard let deadline = transfer.deadline else { continue }
      if deadline > now {
        wait = min(wait, now.duration(to: deadline))
      } else {
        // Before its handle is reset.
        let failure = transfer.overdue
        release(transfer)
        arrivals.finished.append((transfer, failure))
      }
    }
    // Rounded up, because the last fraction of a millisecond would be a busy loop.
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
  /// The same error of a request that libcurl never got.
  fileprivate var beforeSending: NetworkError {
    var error = self
    error.bytesSent = 0
    return error
  }
}
