#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The servers that a fault happens between, and what a client has to know of them.
public struct FaultWorld: Sendable {
  /// The URL of the API; nil for github.com's.
  public var url: String?
  /// The proxy that is named to the client; nil for none.
  public var proxy: String?
  /// The file of the certificate that the client trusts; nil for none.
  public var authority: String?
  /// Counts what the client tried: requests that the fault happens to, or connections.
  public var attempts: @Sendable () -> Int = { 0 }
  /// Whether that counts everything that was tried, and so the list that is asked for beside a look-up.
  public var countsAll = true
  /// Everything that was received by servers that the token isn't for.
  public var strangers: @Sendable () -> Data = { Data() }
  /// Stops the servers.
  public var stop: @Sendable () async -> Void = {}

  /// What the built command finds in its environment.
  public var environment: [String: String] {
    var environment: [String: String] = [:]
    if let authority { environment["SSL_CERT_FILE"] = authority }
    for name in ["https_proxy", "http_proxy", "ALL_PROXY"] { environment[name] = proxy }
    return environment
  }

  /// The options of the built command that lead there.
  public var options: [String] { url.map { ["--api-url", $0] } ?? [] }
}

extension FaultWorld {
  /// The GitHub that all rows start from.
  static func makeGitHub(isHostile: Bool = false) -> LoopbackGitHub {
    let issues = SyntheticIssues(
      count: FaultCase.issueCount, pullRequests: 0, closed: 0, isHostile: isHostile)
    return LoopbackGitHub(repositories: [.swift(issues: issues)])
  }

  /// Whether a request is the one that a stage is about.
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

  /// A GitHub some of whose answers have a fault.
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

  /// A server of one's own making.
  static func server(
    _ handler: @escaping LoopbackServer.Handler
  ) async throws -> FaultWorld {
    let server = try await LoopbackServer.start(handler: handler)
    return FaultWorld(
      url: server.url, attempts: { server.log.connectionCount }, stop: { await server.stop() })
  }

  /// A server of one's own making beside one that the token isn't for.
  ///
  /// - Parameters:
  ///   - stranger: Answers at the stranger's.
  ///   - handler: Answers at the server, knowing the stranger's URL.
  /// - Returns: The world, its servers listening.
  /// - Throws: When a server can't be started.
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
  ///   - isTrusted: Whether the client is told of its authority.
  ///   - change: Makes of an answer what goes out.
  /// - Returns: The world, its servers listening.
  /// - Throws: When there is no certificate, or a server can't be started.
  static func tls(
    _ kind: CertificateAuthority.Kind, isTrusted: Bool = true,
    _ change: @escaping @Sendable (LoopbackRequest, LoopbackResponse) -> LoopbackResponse = { $1 }
  ) async throws -> FaultWorld {
    let authority = try await CertificateAuthority()
    // Trusted, but not what signed anything here: without one the machine's own are asked.
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

  /// github.com behind a proxy that tunnels, with a certificate of a test's authority.
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

  /// github.com behind a proxy that doesn't let anybody through.
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

  /// The port of nobody: it stays taken as long as the process, so that no other server gets it.
  static func closedPort() throws -> UInt16 {
    try LoopbackSocket.bound().port
  }
}

extension RequestLog {
  /// All requests as text, to look for what must not be in them.
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
