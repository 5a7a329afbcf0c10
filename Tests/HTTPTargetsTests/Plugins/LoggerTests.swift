import HTTPTargets
import Logging
import PlatformModules
import TestSupport
import Testing

@Suite("Plugin.logger")
struct LoggerTests {
  private static let secrets: HTTPFields = [
    .authorization: "Bearer hunter2", .proxyAuthorization: "Basic hunter2", .cookie: "a=hunter2",
    .named("X-GitHub-OTP"): "hunter2", .named("X-Auth-Token"): "hunter2",
    .named("Private-Token"): "hunter2", .named("X-Api-Key"): "hunter2",
    .referer: "https://me:hunter2@zoo.example/?token=hunter2", .accept: "text/zoo",
  ]

  private func lines(
    _ level: Logger.Level, _ target: Zoo, _ transport: RecordingTransport,
    bodiesUpTo limit: Int = 0,
    asCurl: Bool = false
  ) async -> [String] {
    let lines = Events([])
    let logger = Plugin.logger(
      CapturedLog.logger(level, lines), bodiesUpTo: limit, asCurl: asCurl)
    _ = await Provider<Zoo>(plugins: [logger], transport: transport).outcome(target)
    return lines.current
  }

  @Test("no secret is logged at any level", arguments: Logger.Level.allCases)
  func secrets(level: Logger.Level) async {
    let target = Zoo(
      method: .post, task: .json("hunter2", query: [.init("access_token", "hunter2")]),
      headers: Self.secrets)
    let transport = RecordingTransport([
      .reply(
        headers: [
          .setCookie: "session=hunter2", .location: "https://hunter2@zoo.example/?sig=hunter2",
          .named("Link"): "<https://zoo.example/?page=2&token=hunter2>; rel=\"next\"",
        ], body: "hunter2")
    ])
    let lines = await lines(level, target, transport)
    #expect(!lines.joined().contains("hunter2"))
    #expect(lines.isEmpty == (level > .debug))
  }

  @Test("a request and its response are logged on one line each, with fields at level trace")
  func levels() async {
    let target = Zoo(headers: [.accept: "text/zoo", .authorization: "Bearer hunter2"])
    let transport = RecordingTransport([.reply(headers: [.server: "zookeeper"], body: "abc")])
    let debug = await lines(.debug, target, transport)
    #expect(debug.count == 2)
    #expect(debug.first?.contains("> GET https://zoo.example/animals") == true)
    #expect(debug.last?.contains("< 200 for GET https://zoo.example/animals, 3 bytes") == true)
    let trace = await lines(.trace, target, transport)
    #expect(trace.count == 5)
    #expect(trace.contains { $0.contains("> Accept: text/zoo") })
    #expect(trace.contains { $0.contains("> Authorization: [redacted]") })
    #expect(trace.contains { $0.contains("< Server: zookeeper") })
  }

  @Test(
    "the time of a response is logged in milliseconds",
    arguments: [
      (.zero, "0.00 ms"), (.microseconds(2828), "2.83 ms"), (.nanoseconds(1_004_999), "1.00 ms"),
      (.microseconds(50), "0.05 ms"), (.microseconds(999_999), "1000.00 ms"),
      (.milliseconds(61_200), "61200.00 ms"),
    ] as [(Duration, String)])
  func time(duration: Duration, shown: String) async throws {
    let lines = Events([])
    let clock = TestClock()
    let transport = RecordingTransport { _ throws(NetworkError) in
      clock.advance(by: duration)
      return .reply()
    }
    let logger = Plugin.logger(CapturedLog.logger(.debug, lines))
    _ = try await Provider<Zoo>(plugins: [logger], transport: transport, clock: clock)
      .request(Zoo())
    let line = try #require(lines.current.last)
    #expect(line.contains("0 bytes in \(shown) "))
  }

  @Test("a failure is logged with its code")
  func failure() async {
    let transport = RecordingTransport { _ throws(NetworkError) in
      throw .timedOut(.idle, "30 seconds of silence")
    }
    let lines = await lines(.debug, Zoo(), transport)
    #expect(lines.last?.contains("< timedOut: 30 seconds of silence") == true)
  }

  @Test("a redirect's secrets aren't logged")
  func redirect() async {
    let transport = RecordingTransport([
      .redirect(to: "https://other.example/?X-Amz-Signature=hunter2#token=hunter2"), .reply(),
    ])
    let lines = await lines(.trace, Zoo(), transport)
    #expect(lines.contains { $0.contains("https://other.example/?X-Amz-Signature=[redacted]") })
    #expect(!lines.joined().contains("hunter2"))
  }

  @Test("bodies are logged on request at level trace, on one line each, up to the limit")
  func bodies() async {
    let target = Zoo(method: .post, task: .data(Data("one\n\u{1B}[2Jtwo\u{202E}".utf8)))
    func logged(_ level: Logger.Level, limit: Int) async -> [String] {
      let transport = RecordingTransport([.reply(body: "0123456789")])
      return await self.lines(level, target, transport, bodiesUpTo: limit)
    }
    #expect(await logged(.debug, limit: 100).count == 2)
    #expect(await !logged(.trace, limit: 0).joined().contains("two"))
    let lines = await logged(.trace, limit: 8)
    #expect(lines.contains { $0.contains("> one") })
    #expect(lines.contains { $0.contains("> \\u{1B}[2J") })
    #expect(lines.contains { $0.contains("> … and 6 more bytes") })
    #expect(lines.contains { $0.contains("< 01234567") })
    #expect(await logged(.trace, limit: 100).contains { $0.contains("two\\u{202E}") })
  }

  @Test("a body that isn't text is logged as its size")
  func bytes() async {
    let target = Zoo(method: .post, task: .data(Data([0xFF, 0xFE])))
    let logged = await lines(
      .trace, target, RecordingTransport([.reply()]), bodiesUpTo: 100)
    #expect(logged.contains { $0.contains("> (2 bytes)") })
  }

  @Test(
    "secrets in bodies are masked",
    arguments: [
      (
        #"{"user":"a","password": "hun\"ter2", "b":1}"#,
        #"{"user":"a","password": "[redacted]", "b":1}"#
      ),
      (#"{"tokens":["hunter2",{"a":"]hunter2"}],"c":2}"#, #"{"tokens":"[redacted]","c":2}"#),
      (#"{"api_key":1234}"#, #"{"api_key":"[redacted]"}"#),
      (#"[{"p\u0061ssword":"hunter2"}]"#, #"[{"p\u0061ssword":"[redacted]"}]"#),
      (#"{"password":"hunter2"#, #"{"password":"[redacted]""#),
      ("user=a&password=hunter2&b=1", "user=a&password=[redacted]&b=1"),
      (#"{"a":"password","b":"x"}"#, #"{"a":"password","b":"x"}"#),
      ("it said Bearer hunter2hunter2", "it said Bearer [redacted]"),
    ])
  func bodySecrets(body: String, shown: String) async {
    let target = Zoo(
      method: .post, task: .data(Data(body.utf8)),
      headers: [.authorization: "Bearer hunter2hunter2"])
    let logged = await lines(
      .trace, target, RecordingTransport([.reply(body: body)]), bodiesUpTo: 1000, asCurl: true)
    #expect(logged.contains { $0.contains("> \(shown)") })
    #expect(logged.contains { $0.contains("< \(shown)") })
    #expect(logged.contains { $0.contains("> curl --globoff") })
    #expect(!logged.joined().contains("hunter2"))
  }

  private static let whole = [
    "access", "refresh", "bearer", "pass", "pin", "code", "code_verifier", "device_code", "PIN",
    "passcode", "new_passphrase",
  ]

  /// The log of a request, also as a curl command, with a value of that name in each place.
  private func requests(with name: String) async -> [(place: String, logged: String)] {
    let value = "hunter2"
    let tasks: [(String, HTTPTask)] = [
      ("query", .query([QueryItem("a", 1), QueryItem(name, value)])),
      ("first of a form", .form([QueryItem(name, value), QueryItem("a", 1)])),
      ("form", .form([QueryItem("a", 1), QueryItem(name, value)])),
      ("json", .json(["data": [name: value]])),
      ("part", .multipart([MultipartPart("a", text: "1"), MultipartPart(name, text: value)])),
      (
        "typed part",
        .multipart([
          MultipartPart(name, text: "\(value)\n\n--\(value)\r\n", contentType: "text/plain"),
          MultipartPart("a", text: "1"),
        ])
      ),
    ]
    var all: [(String, String)] = []
    for (place, task) in tasks {
      let logged = await lines(
        .trace, Zoo(method: .post, task: task), RecordingTransport([.reply()]), bodiesUpTo: 1000,
        asCurl: true)
      all.append((place, logged.joined(separator: "\n")))
    }
    return all
  }

  @Test("a value with a secret's name is masked everywhere in a request", arguments: whole)
  func secretNames(name: String) async {
    for (place, logged) in await requests(with: name) {
      #expect(!logged.contains("hunter2"), "\(place)")
      #expect(logged.contains("[redacted]"), "\(place)")
    }
  }

  @Test(
    "a value whose name only contains a short secret name isn't masked",
    arguments: [
      "country_code", "codes", "pinned", "spin", "accessory", "last_access", "refreshed", "bearers",
      "passenger",
    ])
  func plainNames(name: String) async {
    for (place, logged) in await requests(with: name) {
      #expect(logged.contains("hunter2"), "\(place)")
      #expect(!logged.contains("[redacted]"), "\(place)")
    }
  }

  @Test(
    "tokens in a response are masked, and its error code is logged",
    arguments: [
      (
        #"{"access":"hunter2","refresh": "hunter2","code":"already_exists"}"#,
        #"{"access":"[redacted]","refresh": "[redacted]","code":"already_exists"}"#
      ),
      (#"{"Code":404,"country_code":"DE"}"#, #"{"Code":404,"country_code":"DE"}"#),
      (
        #"{"next":"https://zoo.example/?code=hunter2&a=1"}"#,
        #"{"next":"https://zoo.example/?code=[redacted]&a=1"}"#
      ),
    ])
  func answers(body: String, shown: String) async {
    let logged = await lines(
      .trace, Zoo(), RecordingTransport([.reply(body: body)]), bodiesUpTo: 1000)
    #expect(logged.contains { $0.contains("< \(shown)") })
  }

  @Test("secret parts of a form are masked, and the other parts are logged")
  func parts() async {
    let parts = [
      MultipartPart("title", text: "Gerald"), MultipartPart("password", text: "hunter2"),
      MultipartPart("photo", data: Data("spots".utf8), filename: "my-token.txt"),
      MultipartPart("refresh_token", text: "hunter2", contentType: "text/plain"),
    ]
    let logged = await lines(
      .trace, Zoo(method: .post, task: .multipart(parts)), RecordingTransport([.reply()]),
      bodiesUpTo: 2000
    ).joined(separator: "\n")
    #expect(!logged.contains("hunter2"))
    #expect(logged.components(separatedBy: "[redacted]").count == 3)
    for shown in ["Gerald", "spots", "my-token.txt", #"name="password""#, "Content-Type: text"] {
      #expect(logged.contains(shown))
    }
  }
}
