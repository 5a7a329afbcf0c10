internal import ConcurrencyPrimitives
internal import GitHubAPI
internal import IssueTracker
internal import PlatformModules

/// Sends a server's requests within the budget that all processes on this machine share (``SharedBudget``).
///
/// A request that is certain to be refused isn't sent. Instead, it gets the response that the server would send. It
/// then waits, or fails with the end time, as in a process that hit the limit itself (``RateLimitInterceptor``).
struct SharedBudgetTransport: Transport {
  /// The minimum pause between two checks of a full budget.
  private static let shortestPause = Duration.milliseconds(5)
  private static let longestPause = Duration.milliseconds(100)

  private let transport: any Transport
  private let origin: Origin
  private let folder: SharedBudgetFolder
  private let pointsPerMinute: Int
  private let clock: any Clock<Duration>
  private let now: @Sendable () -> Date
  /// A function to call for each request that isn't sent or that waits. In a log, its response would look like the
  /// server's.
  private let onDelay: @Sendable (String) -> Void
  /// The files, by credentials.
  private let files = Locked<[String?: SharedBudgetFile]>([:])

  init(
    _ transport: any Transport, for origin: Origin, in folder: SharedBudgetFolder,
    pointsPerMinute: Int = SharedBudget.mostPointsInMinute,
    clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() },
    onDelay: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.transport = transport
    self.origin = origin
    self.folder = folder
    self.pointsPerMinute = pointsPerMinute
    self.clock = clock
    self.now = now
    self.onDelay = onDelay
  }

  func send(
    _ request: TargetRequest, onSent: SentObserver?
  ) async throws(NetworkError) -> TransportReply {
    // A redirect may lead to another server, which has other limits.
    guard request.origin == origin, let resource = RateLimitResource.name(of: request.url) else {
      return try await transport.send(request, onSent: onSent)
    }
    let file = file(for: request.headers[.authorization])
    let id: UInt64
    switch try await reservation(of: resource, for: request, in: file) {
    case .granted(let granted): id = granted
    case .spent(let end): return refusal(of: request, resource, until: end, isQuota: true)
    case .paused(let end): return refusal(of: request, resource, until: end, isQuota: false)
    case .full, .unknown: return try await transport.send(request, onSent: onSent)
    }
    do throws(NetworkError) {
      let reply = try await transport.send(request, onSent: onSent)
      await file.finish(id, resource, QuotaAnswer(reply, to: request, now: now()), at: now())
      return reply
    } catch {
      await file.finish(
        id, resource, QuotaAnswer(), mayHaveArrived: !error.isNetworkAway, at: now())
      throw error
    }
  }

  private func reservation(
    of resource: String, for request: TargetRequest, in file: SharedBudgetFile
  ) async throws(NetworkError) -> BudgetReservation {
    var pause = Self.shortestPause
    while true {
      let reservation = await file.reserve(
        resource, points: request.idempotency == .safe ? 1 : 5, ofMinute: pointsPerMinute, at: now()
      )
      guard reservation == .full else { return reservation }
      if pause < Self.longestPause, pause * 2 >= Self.longestPause {
        onDelay("Waiting for other requests on this machine, which share the server's limits.")
      }
      do {
        try await clock.sleep(for: pause)
      } catch {
        throw .cancelled
      }
      pause = min(pause * 2, Self.longestPause)
    }
  }

  private func refusal(
    of request: TargetRequest, _ resource: String, until end: Date, isQuota: Bool
  ) -> TransportReply {
    let reason =
      isQuota
      ? "the quota '\(resource)' is used up by all processes on this machine"
      : "the server asked another process on this machine to wait"
    onDelay("Not sent, because \(reason), until \(Timestamp.string(from: end)).")
    return TransportReply(
      refusing: request, forLackOf: isQuota ? resource : nil, until: end, now: now())
  }

  private func file(for authorization: String?) -> SharedBudgetFile {
    files.withLock { files in
      if let known = files[authorization] { return known }
      let file = folder.file(for: origin, authorization)
      files[authorization] = file
      return file
    }
  }
}
