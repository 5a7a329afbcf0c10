internal import ConcurrencyPrimitives
internal import HTTPTypes
internal import IssueMirrorPostgres
internal import IssueTracker
internal import PlatformModules

/// The endpoints of a worker: `GET /healthz`, `GET /metrics`, and, with a secret, `POST /webhook`.
struct WorkerEndpoints {
  typealias Response = RequestConnection.Response

  /// The maximum size of a delivery in bytes, which is GitHub's
  /// (<https://docs.github.com/en/webhooks/webhook-events-and-payloads#payload-cap>).
  static let mostBytes = 25 << 20
  /// The most deliveries at a time, because each is in memory before its signature can be checked.
  static let mostAtOnce = 4

  enum Outcome: String, CaseIterable {
    case stored, noted, ignored, refused, limited, failed
  }

  private struct State: Sendable {
    var rate = DeliveryRate()
    var busy = 0
    var counts: [Outcome: Int] = [:]
  }

  private let mirror: PostgresMirror
  private let server: GitHubServer
  private let secret: WebhookSecret?
  private let isLoopback: Bool
  private let elapsed: @Sendable () -> Duration
  private let state = Locked(State())

  init(
    _ mirror: PostgresMirror, on server: GitHubServer, secret: WebhookSecret?, isLoopback: Bool,
    clock: any Clock<Duration>
  ) {
    self.mirror = mirror
    self.server = server
    self.secret = secret
    self.isLoopback = isLoopback
    elapsed = clock.stopwatch()
  }

  /// The secret of the webhooks, in the environment; nil if there is none.
  static func secret(in environment: [String: String]) throws(CommandFailure) -> WebhookSecret? {
    let text = try SecretFile.text(
      in: "ISSUES_WEBHOOK_SECRET", orFileIn: "ISSUES_WEBHOOK_SECRET_FILE", environment)
    guard var text else { return nil }
    if text.last?.isNewline == true { text.removeLast() }
    guard !text.isEmpty else {
      throw CommandFailure(.badCredentials, "the secret of the webhooks is empty")
    }
    return WebhookSecret(text: Data(text.utf8), crypto: try SystemCrypto())
  }

  var hasWebhook: Bool { secret != nil }

  func respond(
    to request: HTTPRequest, _ connection: inout RequestConnection
  ) async throws -> Response {
    if path(of: request) == "/webhook", request.method == .post, secret != nil {
      return try await webhook(request, &connection)
    }
    return await answer(request)
  }

  private func field(_ name: String, of request: HTTPRequest) -> String {
    HTTPField.Name(name).flatMap { request.headerFields[$0] } ?? ""
  }

  private func path(of request: HTTPRequest) -> String {
    String(request.path?.prefix { $0 != "?" } ?? "")
  }

  private func answer(_ request: HTTPRequest) async -> Response {
    let path = path(of: request)
    switch (path, request.method) {
    case ("/metrics", .get), ("/metrics", .head), ("/healthz", .get), ("/healthz", .head):
      // The request may come from a web page in a browser on this machine, whose host name resolves to 127.0.0.1.
      guard !isLoopback || isOwn(request.authority ?? "") else {
        return reply(.forbidden, "Use the address of this machine as Host.")
      }
      return path == "/metrics" ? await metrics() : await health()
    case ("/metrics", _), ("/healthz", _): return reply(.methodNotAllowed, "Use GET.")
    case ("/webhook", _) where secret != nil: return reply(.methodNotAllowed, "Use POST.")
    default: return reply(.notFound, "There are /healthz, /metrics, and /webhook with a secret.")
    }
  }

  private func isOwn(_ host: String) -> Bool {
    let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
    return ["127.0.0.1", "localhost", "[::1]"].contains(name.lowercased())
  }

  private func metrics() async -> Response {
    do throws(MirrorFailure) {
      let text =
        try await mirror.workerStatus().metrics
        + (hasWebhook ? Self.metrics(of: state.withLock { $0.counts }) : "")
      var response = Response(status: .ok, text: text)
      response.fields[.contentType] = "text/plain; version=0.0.4; charset=utf-8"
      return response
    } catch {
      return reply(.serviceUnavailable, CommandFailure(error).sentences)
    }
  }

  /// The metrics of deliveries, in the format of the others (``WorkerStatus/metrics``).
  static func metrics(of counts: [Outcome: Int]) -> String {
    let name = "issues_webhook_deliveries_total"
    return "# HELP \(name) Deliveries of webhooks to this worker since its start.\n"
      + "# TYPE \(name) counter\n"
      + Outcome.allCases.map { "\(name){outcome=\"\($0.rawValue)\"} \(counts[$0] ?? 0)\n" }.joined()
  }

  private func health() async -> Response {
    do throws(MirrorFailure) {
      try await mirror.checkConnection()
      return reply(.ok, "ok")
    } catch {
      return reply(.serviceUnavailable, CommandFailure(error).sentences)
    }
  }

  // MARK: Webhooks

  private func webhook(
    _ request: HTTPRequest, _ connection: inout RequestConnection
  ) async throws -> Response {
    enum Admission { case free, busy, tooMany }
    let time = elapsed()
    let admission = state.withLock { state -> Admission in
      guard state.rate.admits(at: time) else { return .tooMany }
      guard state.busy < Self.mostAtOnce else { return .busy }
      state.busy += 1
      return .free
    }
    switch admission {
    case .tooMany: return end(.limited, .tooManyRequests, "Too many deliveries in a minute.")
    case .busy: return end(.limited, .serviceUnavailable, "Too many deliveries at once.")
    case .free: break
    }
    defer { state.withLock { $0.busy -= 1 } }
    guard let body = try await connection.body(atMost: Self.mostBytes) else {
      return end(.refused, .contentTooLarge, "A delivery has at most 25 MB.")
    }
    guard isSigned(body, field("X-Hub-Signature-256", of: request)) else {
      return end(.refused, .unauthorized, "The signature is missing or wrong.")
    }
    guard field("Content-Type", of: request).lowercased().hasPrefix("application/json") else {
      return end(
        .refused, .unsupportedMediaType,
        "Set the content type of the webhook to application/json on GitHub.")
    }
    let event = field("X-GitHub-Event", of: request)
    guard event != "ping" else { return reply(.ok, "pong") }
    guard let delivery = WebhookDelivery(event: event, body: body) else {
      return end(.ignored, .accepted, "Ignored.")
    }
    do throws(MirrorFailure) {
      switch try await mirror.receive(delivery, from: server) {
      case .stored: return end(.stored, .ok, "Stored.")
      case .noted: return end(.noted, .accepted, "The repository is synced next.")
      case .ignored: return end(.ignored, .accepted, "The repository isn't in the queue.")
      }
    } catch {
      return end(.failed, .serviceUnavailable, "The database isn't available.")
    }
  }

  /// Whether GitHub signed a body, compared in constant time
  /// (<https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries>).
  private func isSigned(_ body: Data, _ signature: String) -> Bool {
    let prefix = "sha256="
    guard let secret, signature.hasPrefix(prefix),
      let code = Self.bytes(signature.dropFirst(prefix.count))
    else { return false }
    return secret.crypto.isAuthentic(code, of: body, key: secret.text)
  }

  private static func bytes(_ hexadecimal: Substring) -> [UInt8]? {
    let digits = hexadecimal.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == hexadecimal.utf8.count, digits.count == 2 * SystemCrypto.codeLength else {
      return nil
    }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  private func end(
    _ outcome: Outcome, _ status: HTTPResponse.Status, _ text: String
  ) -> Response {
    state.withLock { $0.counts[outcome, default: 0] += 1 }
    return reply(status, text)
  }

  private func reply(_ status: HTTPResponse.Status, _ text: String) -> Response {
    var response = Response(status: status, text: text + "\n")
    if status == .tooManyRequests || status == .serviceUnavailable {
      response.fields[.retryAfter] = "60"
    }
    return response
  }
}

/// The secret by which GitHub signs deliveries.
struct WebhookSecret: Sendable {
  var text: Data
  var crypto: SystemCrypto
}

/// The number of deliveries in a minute, counted in windows.
struct DeliveryRate: Sendable {
  static let mostPerMinute = 1200

  private var window = Int64.min
  private var count = 0

  /// Counts a delivery at a time of a stopwatch. Returns false if it is one too many.
  mutating func admits(at time: Duration) -> Bool {
    let now = time.components.seconds / 60
    if now != window { (window, count) = (now, 0) }
    count += 1
    return count <= Self.mostPerMinute
  }
}
