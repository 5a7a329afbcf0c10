extension FaultCase {
  private static let broke = Outcome.failure(6, "transport (interrupted)", ["broke"])

  static let connection: [FaultCase] = [
    FaultCase(
      "nobody listens", "an error that names the server",
      .failure(6, "transport (connection)", ["no connection to http://127.0.0.1"])
    ) { _ in FaultWorld(url: "http://127.0.0.1:\(try FaultWorld.closedPort())") }
    .with { $0.stages = [.lookUp] },
    FaultCase(
      "the host has no address", "an error that names it",
      .failure(6, "transport (nameLookup)", ["nowhere.invalid"])
    ) { _ in FaultWorld(url: "https://nowhere.invalid") }
    .with { $0.stages = [.lookUp] },
    .passing(
      "reset before the answer", "an error; a list already begun is reported as incomplete", broke,
      by: .reset(.beforeHead)),
    .passing(
      "reset in the middle of the head", "as above", broke, by: .reset(.insideHead)),
    .passing("reset between head and body", "as above", broke, by: .reset(.afterHead)),
    .passing("reset in the middle of the body", "as above", broke, by: .reset(.insideBody)),
    .passing("closed before the answer", "as above", broke, by: .closed(.beforeHead)),
    .passing("closed in the middle of the body", "as above", broke, by: .closed(.insideBody)),
    .passing(
      "fewer bytes than announced", "as above; nothing of the page is shown", broke,
      by: .truncated),
    .passing("chunks without the last one", "as above", broke, by: .withoutLastChunk),
    .passing(
      "silence before the answer", "ended by the idle time-out (`--timeout`)",
      .failure(6, "timedOut (idle)", ["sent nothing for"]), by: .stalled(.beforeHead)
    ) {
      $0.idle = .seconds(1)
      $0.stages = [.lookUp]
    },
    .passing(
      "silence in the middle of the body", "as above",
      .failure(6, "timedOut (idle)", ["sent nothing for"]), by: .stalled(.insideBody)
    ) {
      $0.idle = .seconds(1)
      $0.stages = [.nextPage]
    },
    FaultCase(
      "a body that drips forever", "ended by the total time-out (ten times `--timeout`)",
      .failure(6, "timedOut (total)", ["took longer than"]),
      by: .dripping(every: .milliseconds(50))
    ) {
      $0.idle = .milliseconds(500)
      $0.stages = [.nextPage]
    },
    FaultCase(
      "a body that drips, and ends", "read to the end", .complete(),
      by: .dripping(50, every: .milliseconds(1))
    ) { $0.stages = [.lookUp] },
    FaultCase(
      "a TLS handshake that never ends", "ended by the time-out for connecting",
      .failure(6, "timedOut (connect)", ["connecting to"])
    ) { _ in
      let server = try await LoopbackServer.start { _ in .stall }
      // The greeting of TLS is no request: nothing is ever answered.
      return FaultWorld(
        url: "https://127.0.0.1:\(server.port)", attempts: { server.log.connectionCount },
        stop: { await server.stop() })
    }
    .with {
      $0.idle = .milliseconds(200)
      $0.stages = [.lookUp]
    },
  ]

  static let certificates: [FaultCase] = [
    certificate(
      .good, "a certificate from an authority in `SSL_CERT_FILE`", "trusted", .complete()),
    certificate(
      .expired, "an expired certificate", "says so; not tried again; nothing is sent",
      .failure(6, "transport (certificate: expired)", ["has expired"])),
    certificate(
      .selfSigned, "a self-signed certificate", "as above",
      .failure(6, "transport (certificate: selfSigned)", ["is self-signed"])),
    certificate(
      .wrongHost, "a certificate for another host", "as above",
      .failure(6, "transport (certificate: wrongHost)", ["is for another host"])),
    FaultCase(
      "a certificate from an untrusted authority", "as above",
      .failure(
        6, "transport (certificate: unknownAuthority)", ["an authority that isn't trusted"])
    ) { _ in try await .tls(.good, isTrusted: false) }
    .with {
      $0.stages = [.lookUp]
      $0.attempts = 1
      $0.needsTLS = true
    },
  ]

  private static func certificate(
    _ kind: CertificateAuthority.Kind, _ fault: String, _ promise: String, _ outcome: Outcome
  ) -> FaultCase {
    FaultCase(
      fault, promise, outcome
    ) { _ in try await .tls(kind) }
    .with {
      $0.stages = [.lookUp]
      $0.needsTLS = true
      if kind != .good { $0.attempts = 1 }
      $0.advice =
        switch kind {
        case .good: []
        case .expired: ["clock"]
        case .selfSigned: ["SSL_CERT_FILE"]
        case .wrongHost: ["Check the host's name"]
        }
    }
  }

  static let proxies: [FaultCase] = [
    FaultCase(
      "a proxy that tunnels", "sees neither token nor list", .complete()
    ) { _ in try await .tunnel() }
    .with {
      $0.stages = [.lookUp]
      $0.needsTLS = true
    },
    proxy(
      "a proxy that wants a password (407)", "an error that blames the proxy; not tried again",
      .failure(6, "transport (proxy)", ["the proxy refuses", "407"]), .text("", status: 407),
      isFinal: true),
    proxy(
      "a proxy that forbids the host (403)", "as above",
      .failure(6, "transport (proxy)", ["the proxy refuses", "403"]), .text("", status: 403),
      isFinal: true),
    proxy(
      "a proxy that can't reach the host (502)", "an error",
      .failure(6, "transport (connection)", ["no connection to", "502"]), .text("", status: 502)),
    proxy(
      "a proxy that hangs up", "an error", .failure(6, "transport (interrupted)", []),
      .closeWithoutAnswering),
    proxy(
      "a proxy that speaks another protocol", "an error",
      .failure(6, "transport (interrupted)", []),
      .raw("SSH-2.0-OpenSSH_9.6\r\n\r\n")),
    FaultCase(
      "a proxy that doesn't exist", "an error", .failure(6, "transport (connection)", [])
    ) { _ in FaultWorld(proxy: "http://127.0.0.1:\(try FaultWorld.closedPort())") }
    .with { $0.stages = [.lookUp] },
    FaultCase(
      "a proxy, and a server on this machine", "the proxy isn't asked", .complete()
    ) { _ in
      let proxy = try await LoopbackServer.start { _ in .text("no", status: 403) }
      let server = try await LoopbackServer.start(handler: FaultWorld.makeGitHub().handler)
      return FaultWorld(
        url: server.url, proxy: proxy.url, strangers: { proxy.log.received },
        stop: {
          await server.stop()
          await proxy.stop()
        })
    }
    .with { $0.stages = [.lookUp] },
  ]

  private static func proxy(
    _ fault: String, _ promise: String, _ outcome: Outcome, _ response: LoopbackResponse,
    isFinal: Bool = false
  ) -> FaultCase {
    FaultCase(
      fault, promise, outcome
    ) { _ in try await .refusingProxy(response) }
    .with {
      $0.stages = [.lookUp]
      if isFinal { $0.attempts = 1 }
    }
  }
}
