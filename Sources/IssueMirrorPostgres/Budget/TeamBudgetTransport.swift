internal import ConcurrencyPrimitives
internal import GitHubAPI
public import IssueMirror
public import PlatformModules

/// Sends requests within the budget of a server and token, shared by all users of a team's mirror.
///
/// ```swift
/// var configuration = GitHub.Configuration(token: token)
/// configuration.transport = TeamBudgetTransport(
///   configuration.transport, mirror: mirror, server: configuration.server)
/// ```
///
/// Requests are reserved in blocks, and the header fields of the responses update the known limit. A request that the
/// server would certainly refuse isn't sent. Instead, the transport creates the same response as the server, so that a
/// ``/GitHubAPI/RateLimitInterceptor`` waits, or fails with the end of the limit. If nothing has changed since a
/// request's entity tag, the server doesn't count the request, and it doesn't use this quota either.
///
/// All users together spend at most 900 points in any minute, which is GitHub's [secondary
/// limit](https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits).
/// Reading costs one point, writing five. Requests above the limit wait.
///
/// The database stores a digest of the server and the token, never the token itself. A ``MirrorWorker`` creates its own
/// transport of this type.
public struct TeamBudgetTransport: Transport {
  private struct Account: Sendable {
    let account: BudgetAccount
    let state = Watched(State())
  }

  private struct State: Sendable {
    var block = BudgetBlock()
    /// Whether a task is querying the database.
    var isExchanging = false
    /// The time by the stopwatch until which the block doesn't have to be reported.
    var freshUntil = Duration.zero
    /// The database's refusal, and its end by the stopwatch. The database is asked again before the end of a window,
    /// because other workers may have given back requests.
    var refusal: (grant: BudgetLedger.Grant, until: Duration, asksAgainAt: Duration)?
  }

  private struct Key: Hashable {
    var authorization: String?
    var resource: String
  }

  /// The interval of reports, much shorter than the lifetime of a block.
  private static let freshness = Duration.seconds(20)
  /// The shortest time between two checks of a budget that other workers hold.
  private static let shortestPause = Duration.milliseconds(10)
  private static let longestPause = Duration.milliseconds(500)
  /// The time after which a refusal is checked again.
  private static let patience = Duration.seconds(15)

  private let transport: any Transport
  private let mirror: PostgresMirror
  private let server: GitHubServer
  private let pointsPerMinute: Int
  private let worker = Int64.random(in: 1...Int64.max)
  private let clock: any Clock<Duration>
  private let elapsed: @Sendable () -> Duration
  private let now: @Sendable () -> Date
  private let accounts = Locked<[Key: Account]>([:])

  /// Creates a transport.
  ///
  /// - Parameters:
  ///   - transport: The transport that sends the requests.
  ///   - mirror: The mirror whose users share the budget.
  ///   - server: The server of the budget. Requests to other servers, after a redirect, are sent immediately.
  ///   - pointsPerMinute: The points that all users may spend in a minute.
  ///   - clock: The clock for waits while other workers hold the rest of the budget.
  ///   - now: The local time, for the end of a limit.
  public init(
    _ transport: any Transport, mirror: PostgresMirror, server: GitHubServer,
    pointsPerMinute: Int = 900, clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.transport = transport
    self.mirror = mirror
    self.server = server
    self.pointsPerMinute = pointsPerMinute
    self.clock = clock
    elapsed = clock.stopwatch()
    self.now = now
  }

  /// Sends a request as soon as it is reserved.
  public func send(
    _ request: TargetRequest, onSent: SentObserver?
  ) async throws(NetworkError) -> TransportReply {
    guard request.origin == server.origin, let resource = RateLimitResource.name(of: request.url)
    else { return try await transport.send(request, onSent: onSent) }
    let account = account(of: request, resource)
    let points = request.idempotency == .safe ? 1 : 5
    switch try await admission(of: points, to: account) {
    case .granted, .full: break
    case .spent(let seconds): return refusal(of: request, forLackOf: resource, for: seconds)
    case .paused(let seconds): return refusal(of: request, forLackOf: nil, for: seconds)
    }
    do throws(NetworkError) {
      let reply = try await transport.send(request, onSent: onSent)
      var answer = QuotaAnswer(reply, to: request, now: now())
      // A response that counts against an unexpected quota doesn't apply to this one.
      if answer.resource ?? resource != resource { answer.quota = nil }
      // This requires a token: https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api
      let isFree = reply.status == .notModified && request.headers[.authorization] != nil
      let noted = answer
      let isUrgent = account.state.update { state in
        state.block.finish(isFree ? .free : .counted, points: points, noted)
        return state.block.hasUrgentNews
      }
      if isUrgent { await settle(account, .reporting) }
      return reply
    } catch {
      account.state.update {
        $0.block.finish(error.isNetworkAway ? .unsent : .counted, points: points, nil)
      }
      throw error
    }
  }

  /// Gives back unsent reservations, and reports the responses. Call this when a worker is idle or about to end.
  public func giveBack() async {
    for account in accounts.withLock({ Array($0.values) }) {
      await settle(account, .givingBack)
    }
  }

  /// Waits while other workers hold the rest of the budget.
  private func admission(
    of points: Int, to account: Account
  ) async throws(NetworkError) -> BudgetLedger.Grant {
    var pause = Self.shortestPause
    while true {
      let time = elapsed()
      enum Step {
        case go
        case refused(BudgetLedger.Grant)
        case wait
        case exchange(BudgetBlock.Report)
      }
      let step = account.state.update { state -> Step in
        if let refusal = state.refusal {
          let rest = refusal.until - time
          if time < refusal.asksAgainAt { return .refused(refusal.grant.left(rest)) }
          if !state.isExchanging { state.refusal = nil }
        }
        if time < state.freshUntil, state.block.send(points: points) { return .go }
        guard !state.isExchanging else { return .wait }
        state.isExchanging = true
        return .exchange(state.block.report())
      }
      switch step {
      case .go: return .granted(1)
      case .refused(let grant): return grant
      case .wait: await account.state.wait { !$0.isExchanging }
      case .exchange(let report):
        let grant = try await exchange(account, report, .reserving(points))
        switch grant {
        case .granted, nil: break
        case .spent, .paused: continue
        case .full:
          do {
            try await clock.sleep(for: pause)
          } catch {
            throw .cancelled
          }
          pause = min(pause * 2, Self.longestPause)
        }
      }
      if Task.isCancelled { throw .cancelled }
    }
  }

  private func exchange(
    _ account: Account, _ report: BudgetBlock.Report, _ purpose: BudgetAccount.Purpose
  ) async throws(NetworkError) -> BudgetLedger.Grant? {
    let began = elapsed()
    do throws(MirrorFailure) {
      let reply = try await account.account.exchange(report, purpose)
      account.state.update { state in
        state.isExchanging = false
        if reply.isBlockLost { state.block.lose() }
        switch reply.grant {
        case .granted(let count): state.block.add(count, points: reply.points)
        case .spent(let seconds), .paused(let seconds):
          let end = began + .seconds(seconds)
          if let grant = reply.grant {
            state.refusal = (grant, end, min(end, began + Self.patience))
          }
        case .full, nil: break
        }
        state.freshUntil = began + Self.freshness
      }
      return reply.grant
    } catch {
      account.state.update { state in
        state.isExchanging = false
        state.block.takeBack(report)
      }
      if error.code == .cancelled { throw .cancelled }
      throw NetworkError(
        .underlying, "the team's budget of requests can't be read: \(error.message)",
        underlying: error)
    }
  }

  /// Runs even if the task is canceled, because other workers wait for the requests.
  private func settle(_ account: Account, _ purpose: BudgetAccount.Purpose) async {
    await Task {
      var report: BudgetBlock.Report?
      while report == nil {
        report = account.state.update { state in
          guard !state.isExchanging else { return nil }
          state.isExchanging = true
          var report = state.block.report()
          // Removes them from the block, so that no other task sends them during the exchange.
          if purpose == .givingBack { state.block.takeUnsent(into: &report) }
          return report
        }
        if report == nil { await account.state.wait { !$0.isExchanging } }
      }
      guard let report else { return }
      if report.isEmpty {
        account.state.update { $0.isExchanging = false }
      } else {
        // If the database can't be reached, the block expires.
        _ = try? await exchange(account, report, purpose)
      }
    }.value
  }

  private func refusal(
    of request: TargetRequest, forLackOf resource: String?, for seconds: Double
  ) -> TransportReply {
    let now = now()
    return TransportReply(
      refusing: request, forLackOf: resource, until: now.addingTimeInterval(seconds), now: now)
  }

  private func account(of request: TargetRequest, _ resource: String) -> Account {
    let key = Key(authorization: request.headers[.authorization], resource: resource)
    return accounts.withLock { accounts in
      if let known = accounts[key] { return known }
      let digest = Fingerprint([
        "\(server.origin)", key.authorization.map { "token \($0)" } ?? "anonymous",
      ])
      let account = Account(
        account: BudgetAccount(
          mirror: mirror, key: digest.text, host: server.host, resource: resource, worker: worker,
          pointsPerMinute: pointsPerMinute))
      accounts[key] = account
      return account
    }
  }
}

extension BudgetLedger.Grant {
  /// The same refusal with another remaining time.
  fileprivate func left(_ time: Duration) -> Self {
    let seconds = max(time / .seconds(1), 0)
    return switch self {
    case .spent: .spent(seconds)
    case .paused: .paused(seconds)
    case .granted, .full: self
    }
  }
}
