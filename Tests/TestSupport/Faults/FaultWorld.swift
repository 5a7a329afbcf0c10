public import PlatformModules

/// The servers around a fault, and a client's settings for them.
public struct FaultWorld: Sendable {
  /// The URL of the API; nil for github.com's.
  public var url: String?
  /// The client's proxy; nil for none.
  public var proxy: String?
  /// The certificate file that the client trusts; nil for none.
  public var authority: String?
  /// Counts the client's attempts: requests that the fault strikes, or connections.
  public var attempts: @Sendable () -> Int = { 0 }
  /// Whether that counts all attempts, and so the list requested beside a look-up.
  public var countsAll = true
  /// Everything received by servers that the token isn't for.
  public var strangers: @Sendable () -> Data = { Data() }
  /// Stops the servers.
  public var stop: @Sendable () async -> Void = {}

  /// The environment of the built command.
  public var environment: [String: String] {
    var environment: [String: String] = [:]
    if let authority { environment["SSL_CERT_FILE"] = authority }
    for name in ["https_proxy", "http_proxy", "ALL_PROXY"] { environment[name] = proxy }
    return environment
  }

  /// The options that lead the built command there.
  public var options: [String] { url.map { ["--api-url", $0] } ?? [] }
}

extension FaultWorld {
  /// The GitHub that all rows start from.
  static func makeGitHub(isHostile: Bool = false) -> LoopbackGitHub {
    let issues = SyntheticIssues(
      count: FaultCase.issueCount, pullRequests: 0, closed: 0, isHostile: isHostile)
    return LoopbackGitHub(repositories: [.swift(issues: issues)])
  }

  /// Whether a request belongs to a stage.
  static func isStruck(
    _ stage: FaultCase.Stage
  ) -> @Sendable (LoopbackRequest) -> Bool {
    { request in
      switch stage {
      case .lookUp: request.path == "/repos/\(FaultCase.repositoryName)"
      case .nextPage: request.queryValue("after") != nil
      }
    }
  }

  /// A GitHub with a fault in some answers.
  static func github(
    _ stage: FaultCase.Stage, _ fault: LoopbackFault, times: Int = .max,
    of github: LoopbackGitHub = makeGitHub()
  ) async throws -> FaultWorld {
    let isStruck = isStruck(stage)
    let handler = fault.breaking(github.handler, times: times, where: isStruck)
    let server = try await LoopbackServer.start(handler: handler)
    return FaultWorld(
      url: server.url, attempts: { server.log.requests.filter(isStruck).count }, countsAll: false,
      stop: { await server.stop() })
  }

  /// A custom server.
  static func server(
    _ handler: @escaping LoopbackServer.Handler
  ) async throws -> FaultWorld {
    let server = try await LoopbackServer.start(handler: handler)
    return FaultWorld(
      url: server.url, attempts: { server.log.connectionCount }, stop: { await server.stop() })
  }

  /// A custom server beside one that the token isn't for.
  ///
  /// - Parameters:
  ///   - stranger: Answers on the other server.
  ///   - handler: Answers on the server, knowing the other's URL.
  /// - Returns: The world, with its servers listening.
  /// - Throws: An error if a server can't be started.
  static func beside(
    _ stranger: @escaping LoopbackServer.Handler,
    _ handler: @escaping @Sendable (LoopbackRequest, String) async -> LoopbackResponse
  ) async throws -> FaultWorld {
    let other = try await LoopbackServer.start(handler: stranger)
    let url = other.url
    let server = try await LoopbackServer.start { await handler($0, url) }
    return FaultWorld(
      url: server.url, attempts: { server.log.requestCount },
      strangers: { other.log.received },
      stop: {
        await server.stop()
        await other.stop()
      })
  }

  /// A GitHub behind TLS.
  ///
  /// - Parameters:
  ///   - kind: The certificate that it shows.
  ///   - isTrusted: Whether the client gets its authority.
  ///   - change: Changes an answer before it goes out.
  /// - Returns: The world, with its servers listening.
  /// - Throws: An error if there is no certificate, or a server can't be started.
  static func tls(
    _ kind: CertificateAuthority.Kind, isTrusted: Bool = true,
    _ change: @escaping @Sendable (LoopbackRequest, LoopbackResponse) -> LoopbackResponse = { $1 }
  ) async throws -> FaultWorld {
    let authority = try await CertificateAuthority()
    // Trusted, but it has signed nothing here: without it, the client would use the machine's own authorities.
    let other = isTrusted ? nil : try await CertificateAuthority()
    let server = try await LoopbackServer.start(handler: overTLS(makeGitHub(), change))
    let relay = try await LoopbackRelay.tls(authority.certificate(kind), to: server.port)
    return FaultWorld(
      url: "https://127.0.0.1:\(relay.port)", authority: (other ?? authority).file,
      attempts: { relay.connectionCount },
      stop: { [authority, other] in
        await relay.stop()
        await server.stop()
        // Their files are needed until here.
        withExtendedLifetime((authority, other)) {}
      })
  }

  /// github.com behind a tunnelling proxy, with a certificate of a test's authority.
  static func tunnel() async throws -> FaultWorld {
    let authority = try await CertificateAuthority()
    let server = try await LoopbackServer.start(handler: overTLS(makeGitHub()) { $1 })
    let certificate = try await authority.certificate(.good, host: "api.github.com")
    let relay = try LoopbackRelay.tls(certificate, to: server.port)
    let proxy = try LoopbackRelay.proxy(to: relay.port)
    return FaultWorld(
      proxy: "http://127.0.0.1:\(proxy.port)", authority: authority.file,
      attempts: { proxy.connectionCount }, strangers: { proxy.received },
      stop: { [authority] in
        await proxy.stop()
        await relay.stop()
        await server.stop()
        withExtendedLifetime(authority) {}
      })
  }

  /// github.com behind a proxy that refuses all requests.
  static func refusingProxy(_ response: LoopbackResponse) async throws -> FaultWorld {
    let proxy = try await LoopbackServer.start { _ in response }
    return FaultWorld(
      proxy: proxy.url, attempts: { proxy.log.requestCount },
      strangers: { proxy.log.received }, stop: { await proxy.stop() })
  }

  /// A GitHub whose links begin with `https`.
  private static func overTLS(
    _ github: LoopbackGitHub,
    _ change: @escaping @Sendable (LoopbackRequest, LoopbackResponse) -> LoopbackResponse
  ) -> LoopbackServer.Handler {
    { request in
      var request = request
      request.headers["X-Original-Scheme"] = "https"
      return change(request, await github.handler(request))
    }
  }

  /// A port without a listener. It stays taken as long as the process, so that no other server gets it.
  static func closedPort() throws -> UInt16 {
    try LoopbackSocket.bound().port
  }
}

extension RequestLog {
  /// All requests as text, to search for secrets.
  public var received: Data {
    requests.reduce(into: Data()) { data, request in
      data.append(contentsOf: "\(request.method) \(request.target)\r\n".utf8)
      for field in request.headers {
        data.append(contentsOf: "\(field.name): \(field.value)\r\n".utf8)
      }
      data.append(request.body)
    }
  }
}
