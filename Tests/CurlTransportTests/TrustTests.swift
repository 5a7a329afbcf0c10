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
}

@Suite("User names, passwords and cookies of a transport", .timeLimit(.minutes(5)))
struct CredentialTests {
  private func transport(
    _ server: LoopbackServer, _ change: (inout CurlTransport.Configuration, Origin) -> Void
  ) throws -> CurlTransport {
    var configuration = CurlTransport.Configuration(certificates: CertificateStore())
    change(&configuration, try #require(Origin(url: server.url)))
    return CurlTransport(configuration: configuration)
  }

  private func credentials(
    _ scheme: CurlTransport.Credentials.Scheme, _ password: String = "lions & bears"
  ) throws -> CurlTransport.Credentials {
    try CurlTransport.Credentials(scheme, user: "ada", password: password)
  }

  @Test(
    "basic credentials are sent only to their origin, and a request's own credentials come first")
  func basic() async throws {
    let basic = try credentials(.basic)
    try await withLoopbackServer { request in
      .text(request.headers["Authorization"] ?? "none")
    } perform: { server in
      let transport = try transport(server) { $0.credentials[$1] = basic }
      // printf 'ada:lions & bears' | base64
      #expect(
        try await transport.text(TargetRequest(url: server.url)).text
          == "Basic YWRhOmxpb25zICYgYmVhcnM=")
      let own = TargetRequest(url: server.url, headers: [.authorization: "Bearer t"])
      #expect(try await transport.text(own).text == "Bearer t")
      #expect(
        try await transport.text(TargetRequest(url: server.url)).text
          == "Basic YWRhOmxpb25zICYgYmVhcnM=")
      let other = TargetRequest(url: "http://localhost:\(server.port)/")
      #expect(try await transport.text(other).text == "none")
    }
  }

  /// Without `qop`, so that the answer doesn't depend on a number that the client draws (RFC 2617, section 3.2.2.1).
  private static func digestServer(_ request: LoopbackRequest) -> LoopbackResponse {
    // MD5(MD5("ada:zoo:lions & bears") ":n1:" MD5(METHOD ":/den")), by md5sum.
    let answers = [
      "GET": "2df15b2fd2c5bbc0b1308be93ebc6d06", "POST": "d7a0736acff3194ab6d5c0e4883378c3",
    ]
    let authorization = request.headers["Authorization"] ?? ""
    guard let answer = answers[request.method], authorization.hasPrefix("Digest "),
      authorization.contains("response=\"\(answer)\"")
    else {
      var challenge = LoopbackResponse.text("who are you?", status: 401)
      challenge.headers["WWW-Authenticate"] = #"Digest realm="zoo", nonce="n1", algorithm=MD5"#
      return challenge
    }
    return .text("welcome, \(String(decoding: request.body, as: UTF8.self))")
  }

  @Test("digest credentials answer a challenge inside the transport, then go with each request")
  func digest() async throws {
    let digest = try credentials(.digest)
    try await withLoopbackServer {
      Self.digestServer($0)
    } perform: { server in
      let transport = try transport(server) { $0.credentials[$1] = digest }
      let url = "\(server.url)/den"
      let first = try await transport.text(TargetRequest(url: url))
      #expect(first.status == 200 && first.text == "welcome, ")
      #expect(server.log.requestCount == 2)
      let post = TargetRequest(method: .post, url: url, body: Data("me".utf8))
      let second = try await transport.text(post)
      #expect(second.status == 200 && second.text == "welcome, me")
      #expect(
        server.log.requests.allSatisfy { !"\($0.headers)".contains("lions") })
      // Once with its body, however often it was challenged.
      #expect(server.log.requests.filter { $0.method == "POST" && !$0.body.isEmpty }.count == 1)
    }
  }

  @Test("refused digest credentials return the 401 response and its body")
  func refusedDigest() async throws {
    let wrong = try credentials(.digest, "tigers")
    try await withLoopbackServer {
      Self.digestServer($0)
    } perform: { server in
      let transport = try transport(server) { $0.credentials[$1] = wrong }
      for method in [HTTPRequest.Method.get, .post] {
        let answer = try await transport.text(
          TargetRequest(method: method, url: "\(server.url)/den"))
        #expect(answer.status == 401 && answer.text == "who are you?")
      }
    }
  }

  @Test(
    "a 401 response without a challenge is returned, with or without a body", arguments: ["", "no"])
  func otherChallenge(body: String) async throws {
    let digest = try credentials(.digest)
    try await withLoopbackServer { _ in
      .text(body, status: 401)
    } perform: { server in
      let transport = try transport(server) { $0.credentials[$1] = digest }
      let answer = try await transport.text(TargetRequest(url: server.url))
      #expect(answer.status == 401 && answer.text == body)
      #expect(server.log.requestCount == 1)
    }
  }

  @Test(
    "user names with a colon and credentials with control characters are refused",
    arguments: [("a:b", "p"), ("a", "p\u{0}q"), ("a\n", "p")])
  func unusable(user: String, password: String) {
    let error = #expect(throws: NetworkError.self) {
      try CurlTransport.Credentials(.basic, user: user, password: password)
    }
    #expect(error?.code == .requestMapping)
  }

  @Test("no description, dump or error shows a password")
  func secrets() async throws {
    var configuration = CurlTransport.Configuration(
      proxy: .server(
        try #require(CurlTransport.ProxyServer("http://ada:secret-1@127.0.0.1:1"))))
    let origin = try #require(Origin(url: "https://zoo.example"))
    configuration.credentials[origin] = try CurlTransport.Credentials(
      .digest, user: "ada", password: "secret-2")
    configuration.clientCertificates[origin] = .init(file: "/a.pem", password: "secret-3")
    var dumped = ""
    dump(configuration, to: &dumped)
    let transport = CurlTransport(configuration: configuration)
    dump(transport, to: &dumped)
    let error = await #expect(throws: NetworkError.self) {
      _ = try await transport.send(TargetRequest(url: "https://zoo.example/"))
    }
    let shown =
      "\(dumped) \(configuration) \(String(reflecting: configuration)) \(transport) "
      + "\(String(describing: error)) \(error?.message ?? "")"
    #expect(!shown.contains("secret"))
    #expect(shown.contains("ada"))
  }

  @Test("cookies are sent back to their server, only on request", arguments: [true, false])
  func cookies(isKept: Bool) async throws {
    try await withLoopbackServer { request in
      var response = LoopbackResponse.text(request.headers["Cookie"] ?? "none")
      response.headers["Set-Cookie"] = "visit=1; Path=/in"
      return response
    } perform: { server in
      let transport = try transport(server) { configuration, _ in
        configuration.keepsCookies = isKept
      }
      func get(_ path: String, of host: String = "127.0.0.1") async throws -> String {
        try await transport.text(
          TargetRequest(url: "http://\(host):\(server.port)\(path)")
        ).text
      }
      #expect(try await get("/in/a") == "none")
      #expect(try await get("/in/b") == (isKept ? "visit=1" : "none"))
      // Not outside of its path, and not to another host.
      #expect(try await get("/out") == "none")
      #expect(try await get("/in/a", of: "localhost") == "none")
    }
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
