import HTTPTargets
import HTTPTypes
import PlatformModules
import TestSupport
import Testing

@testable import CurlTransport

@Suite(
  "Trusted servers and client certificates of a transport", .timeLimit(.minutes(5)),
  .enabled(if: CertificateAuthority.problem == nil, "\(CertificateAuthority.problem ?? "")"))
struct TrustTests {
  /// A server with TLS, and the origin under which it is asked.
  private struct World {
    let authority: CertificateAuthority
    let certificate: CertificateAuthority.Certificate
    let relay: LoopbackRelay
    let origin: Origin
    var configuration: CurlTransport.Configuration

    func get(_ path: String = "/") async -> Result<Int, NetworkError> {
      do throws(NetworkError) {
        let reply = try await CurlTransport(configuration: configuration)
          .send(TargetRequest(url: "\(origin)\(path)"))
        return .success(reply.status.code)
      } catch {
        return .failure(error)
      }
    }
  }

  private func withWorld(
    upTo version: TLSVersion? = nil, asksForCertificate: Bool = false,
    _ body: (inout World) async throws -> Void
  ) async throws {
    try await withLoopbackServer { _ in
      .text("in")
    } perform: { server in
      let authority = try await CertificateAuthority()
      let certificate = try await authority.certificate(.good)
      let relay = try LoopbackRelay.tls(
        certificate, to: server.port, upTo: version,
        clientsOf: asksForCertificate ? authority.file : nil)
      var world = World(
        authority: authority, certificate: certificate, relay: relay,
        origin: try #require(Origin(url: "https://127.0.0.1:\(relay.port)")),
        configuration: .init(certificates: CertificateStore(file: authority.file)))
      try await body(&world)
      await relay.stop()
    }
  }

  @Test("a server with a pinned key receives requests, and a server with another key doesn't")
  func pins() async throws {
    try await withWorld { world in
      let other = try await world.authority.certificate(.wrongHost)
      let wrong = try #require(
        CurlTransport.PublicKeyPin(sha256: try await world.authority.pin(of: other)))
      world.configuration.pinnedKeys[world.origin] = [wrong]
      let error = await #expect(throws: NetworkError.self) { _ = try await world.get().get() }
      #expect(error?.transportFailure?.reason == .certificate)
      #expect(error?.transportFailure?.certificateProblem == .unpinnedKey)
      #expect(error?.message.contains("has none of the pinned keys") == true)
      #expect(world.relay.received.isEmpty)

      let right = try #require(
        CurlTransport.PublicKeyPin(sha256: try await world.authority.pin(of: world.certificate)))
      world.configuration.pinnedKeys[world.origin] = [wrong, right]
      #expect(await world.get() == .success(200))
      #expect(!world.relay.received.isEmpty)
    }
  }

  @Test(
    "a pin is 32 bytes in Base64",
    arguments: [
      ("", false), ("abc=", false), ("47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", true),
      ("47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=;sha256//x", false),
    ])
  func pinFormat(text: String, isValid: Bool) {
    #expect((CurlTransport.PublicKeyPin(sha256: text) != nil) == isValid)
  }

  @Test(
    "a server that requests a client certificate gets the right one, even from an encrypted key")
  func clientCertificates() async throws {
    try await withWorld(asksForCertificate: true) { world in
      let mine = try await world.authority.certificate(.good, host: "client.example")
      let encrypted = try await world.authority.encrypted(mine, password: "opensesame")
      world.configuration.clientCertificates[world.origin] = .init(
        file: mine.file, keyFile: mine.keyFile)
      #expect(await world.get() == .success(200))
      world.configuration.clientCertificates[world.origin] = .init(
        file: encrypted.file, keyFile: encrypted.keyFile, password: "opensesame")
      #expect(await world.get() == .success(200))

      for password in ["opensesami", nil] {
        world.configuration.clientCertificates[world.origin] = .init(
          file: encrypted.file, keyFile: encrypted.keyFile, password: password)
        let error = await #expect(throws: NetworkError.self) { _ = try await world.get().get() }
        #expect(error?.transportFailure?.reason == .clientCertificate)
        #expect(error?.message.contains("can't be used") == true)
        #expect(error?.message.contains("opensesam") == false)
      }
    }
  }

  @Test("an error reports that the server requires a client certificate or another one")
  func refusedClients() async throws {
    try await withWorld(asksForCertificate: true) { world in
      let others = try await CertificateAuthority()
      let foreign = try await others.certificate(.good)
      for certificate in [
        nil,
        CurlTransport.ClientCertificate?.some(.init(file: foreign.file, keyFile: foreign.keyFile)),
      ] {
        world.configuration.clientCertificates[world.origin] = certificate
        let error = await #expect(throws: NetworkError.self) { _ = try await world.get().get() }
        #expect(
          error?.transportFailure?.reason == .clientCertificate, "\(String(describing: error))")
        #expect(error?.message.contains("asks for a client certificate that it trusts") == true)
      }
      #expect(world.relay.received.isEmpty)
    }
  }

  @Test("a client certificate is used only for its origin")
  func certificateOfAnotherOrigin() async throws {
    try await withWorld(asksForCertificate: true) { world in
      let elsewhere = try #require(Origin(url: "https://localhost:\(world.relay.port)"))
      world.configuration.clientCertificates[elsewhere] = .init(
        file: world.certificate.file, keyFile: world.certificate.keyFile)
      let error = await #expect(throws: NetworkError.self) { _ = try await world.get().get() }
      #expect(error?.transportFailure?.reason == .clientCertificate)
    }
  }

  @Test(
    "a TLS version older than the minimum is refused",
    arguments: [
      (CurlTransport.TLSVersion.tls12, TLSVersion.tls12, true), (.tls12, .tls11, false),
      (.tls13, .tls12, false), (.tls13, .tls13, true),
    ])
  func versions(
    minimum: CurlTransport.TLSVersion, newest: TLSVersion, isSpoken: Bool
  ) async throws {
    try await withWorld(upTo: newest) { world in
      world.configuration.minimumTLSVersion = minimum
      let result = await world.get()
      if isSpoken {
        #expect(result == .success(200))
      } else {
        let error = #expect(throws: NetworkError.self) { _ = try result.get() }
        #expect(error?.transportFailure?.reason == .tls, "\(String(describing: error))")
      }
    }
  }

  @Test("a pin is printed and stored as its digest")
  func pinText() throws {
    let digest = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    let pin = try #require(CurlTransport.PublicKeyPin(sha256: digest))
    #expect("\(pin)" == digest)
    let json = try JSONEncoder().encode([pin])
    #expect(try JSONDecoder().decode([String].self, from: json) == [digest])
    #expect(try JSONDecoder().decode([CurlTransport.PublicKeyPin].self, from: json) == [pin])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([CurlTransport.PublicKeyPin].self, from: Data(#"["YQ=="]"#.utf8))
    }
  }

  @Test("pins, client certificates and passwords are refused without TLS")
  func plain() async throws {
    let origin = try #require(Origin(url: "http://plain.example"))
    let pin = try #require(
      CurlTransport.PublicKeyPin(sha256: "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="))
    let basic = try CurlTransport.Credentials(.basic, user: "ada", password: "x")
    var configurations = [CurlTransport.Configuration](repeating: .init(), count: 4)
    configurations[0].pinnedKeys[origin] = [pin]
    configurations[1].clientCertificates[origin] = .init(file: "/nowhere.pem")
    configurations[2].credentials[origin] = basic
    configurations[3].pinnedKeys[origin] = []
    for configuration in configurations {
      let error = await #expect(throws: NetworkError.self) {
        _ = try await CurlTransport(configuration: configuration)
          .send(TargetRequest(url: "http://plain.example/"))
      }
      #expect(error?.code == .requestMapping)
    }
  }

  @Test(
    "timings cover every step up to the response, and only the first byte on an open connection")
  func timings() async throws {
    try await withWorld { world in
      let provider = Provider<Page>(transport: CurlTransport(configuration: world.configuration))
      let page = Page(baseURL: world.origin.description)
      let first = try await provider.request(page).timings
      let (lookup, connect) = (try #require(first.nameLookup), try #require(first.connect))
      let (tls, byte) = (try #require(first.tls), try #require(first.firstByte))
      #expect(lookup <= connect && connect < tls && tls <= byte && byte <= first.head)
      let second = try await provider.request(page).timings
      #expect(second.firstByte != nil)
      #expect(second.nameLookup == nil && second.connect == nil && second.tls == nil)
    }
  }

  private struct Page: TargetType {
    var baseURL: String
    var path: URLPath { "" }
    var method: HTTPRequest.Method { .get }
    var task: HTTPTask { .plain }
    var headers: HTTPFields { [:] }
    var policy: TargetPolicy { .standard }
  }

  @Test("OpenSSL keeps its memory at exit, because the curl thread may still use it")
  func exit() async {
    await #expect(processExitsWith: .success) {
      _ = try await CurlTransport.libraryVersion()
      if let library = dlopen("libcrypto.so.3", RTLD_LAZY),
        let symbol = dlsym(library, "OPENSSL_atexit")
      {
        typealias Register = @convention(c) (@convention(c) () -> Void) -> CInt
        // OpenSSL calls it when it frees its memory.
        _ = unsafeBitCast(symbol, to: Register.self)({ _exit(1) })
      }
      endProcess()
    }
  }
}

@Suite("Routes", .timeLimit(.minutes(2)))
struct RouteTests {
  private func send(
    _ request: TargetRequest, along route: CurlTransport.Route
  ) async throws -> Int {
    var configuration = CurlTransport.Configuration(certificates: CertificateStore())
    configuration.routes = [try #require(request.origin): route]
    configuration.proxy = .server(try #require(CurlTransport.ProxyServer("127.0.0.1:1")))
    return try await CurlTransport(configuration: configuration).answer(request).status
  }

  @Test("a route leads to another host, with the origin's Host field")
  func host() async throws {
    try await withLoopbackServer { _ in
      .text("")
    } perform: { server in
      let request = TargetRequest(url: "http://api.example:8080/a")
      let status = try await send(request, along: .host("127.0.0.1", port: Int(server.port)))
      #expect(status == 200)
      #expect(server.log.requests.map { $0.headers["Host"] } == ["api.example:8080"])
    }
  }

  @Test("a route leads to a Unix socket")
  func unixSocket() async throws {
    let folder = try ScratchFolder()
    let path = "\(folder.path)/s"
    let server = try DiscardingServer(unixSocket: path)
    let request = TargetRequest(url: "http://docker.example/info")
    #expect(try await send(request, along: .unixSocket(path: path)) == 200)
    #expect(try await server.outcome().head.contains("\r\nHost: docker.example\r\n"))
  }
}

@Suite("Proxy addresses")
struct ProxyServerTests {
  @Test(
    "a proxy address has a scheme, an optional name and password, and a host",
    arguments: [
      ("proxy.example:8080", "http://proxy.example:8080"),
      ("HTTP://proxy.example/", "http://proxy.example"),
      ("socks5h://ada:p%40ss@127.0.0.1:1080", "socks5h://…@127.0.0.1:1080"),
      ("https://[::1]:3128", "https://[::1]:3128"),
    ])
  func valid(text: String, description: String) throws {
    let proxy = try #require(CurlTransport.ProxyServer(text))
    #expect(proxy.description == description)
  }

  @Test(
    "any other form of proxy address is refused",
    arguments: [
      "", "http://", "ftp://proxy.example", "http://proxy.example/path", "http://a b:80",
      "http://proxy.example:0", "http://proxy.example:99999", "http://@proxy.example",
      "http://proxy.example?x", "http://pröxy.example", "//proxy.example", "http://a/b@c",
    ])
  func invalid(text: String) {
    #expect(CurlTransport.ProxyServer(text) == nil)
  }
}

extension CurlTransport {
  fileprivate func text(_ request: TargetRequest) async throws -> (status: Int, text: String) {
    let answer = try await answer(request)
    return (answer.status, String(decoding: answer.body, as: UTF8.self))
  }
}

/// `exit(3)`, which runs the libraries' handlers.
private func endProcess() -> Never { exit(0) }
