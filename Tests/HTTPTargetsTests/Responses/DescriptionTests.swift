import HTTPTargets
import PlatformModules
import Testing

/// Everything that `print`, `dump`, interpolation, `String(reflecting:)` and `Mirror` make of a value.
func shown(_ value: some Any) -> String {
  var text = ""
  print(value, to: &text)
  debugPrint(value, to: &text)
  dump(value, to: &text)
  dump([Optional(value)], to: &text)
  text += "\(value) \(String(reflecting: value)) \(String(describing: Optional(value)))"
  for child in Mirror(reflecting: value).children { text += "\(child)" }
  return text
}

@Suite("Descriptions")
struct DescriptionTests {
  private static let headers: HTTPFields = [
    .authorization: "Bearer hunter2", .cookie: "a=hunter2", .setCookie: "b=hunter2",
    .named("X-Api-Key"): "hunter2",
  ]
  private static let request = TargetRequest(
    method: .post, url: "https://zoo.example/a?token=hunter2", headers: headers,
    body: Data("hunter2".utf8))
  private static let response = TargetResponse(
    request: request, status: .accepted, headers: headers, body: Data("hunter2".utf8))

  private func expectNoSecret(
    in value: some Any, shows text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let shown = shown(value)
    #expect(!shown.contains("hunter2"), sourceLocation: sourceLocation)
    #expect(shown.contains(text), sourceLocation: sourceLocation)
    // The bytes of a body, as a dump lists them.
    #expect(!shown.contains("104"), sourceLocation: sourceLocation)
  }

  @Test("a request shows its method and URL")
  func request() {
    expectNoSecret(in: Self.request, shows: "POST https://zoo.example/a?token=[redacted]")
  }

  @Test("a response shows its status, request and length")
  func response() {
    var response = Self.response
    response.redirects = ["https://zoo.example/?token=hunter2"]
    expectNoSecret(in: response, shows: "202 for POST https://zoo.example/a?token=[redacted]")
  }

  @Test("an error shows only its code and message")
  func error() throws {
    let error = NetworkError(.statusCode, "no luck", response: Self.response)
    expectNoSecret(in: error, shows: "statusCode: no luck")
    expectNoSecret(in: error as any Error, shows: "statusCode: no luck")
    let filtered = try #require(
      #expect(throws: NetworkError.self) { try Self.response.filter(statusCode: 200) })
    expectNoSecret(in: filtered, shows: "status 202")
  }

  @Test("an endpoint shows its method, URL and task")
  func endpoint() throws {
    let target = Zoo(
      method: .post,
      task: .json(["password": "hunter2"], query: [.init("token", "hunter2"), .init("q", "1")]),
      headers: Self.headers)
    expectNoSecret(
      in: try Endpoint(target),
      shows: "POST https://zoo.example/animals (?token=[redacted]&q=1 and a JSON body)")
  }

  @Test(
    "a task shows its query and the kind of its body",
    arguments: [
      (HTTPTask.plain, "plain"), (.query([.init("api_key", "hunter2")]), "?api_key=[redacted]"),
      (.data(Data("hunter2".utf8)), "7 bytes"), (.json("hunter2"), "a JSON body"),
      (.form([.init("password", "hunter2")]), "a form"),
    ])
  func task(task: HTTPTask, text: String) {
    expectNoSecret(in: task, shows: text)
  }

  @Test("a query item shows its name, and its value unless it is secret")
  func item() {
    expectNoSecret(in: QueryItem("token", "hunter2"), shows: "token=[redacted]")
    #expect("\(QueryItem("q", "a b"))" == "q=a%20b")
  }

  @Test("a reply shows its status")
  func reply() {
    expectNoSecret(
      in: TransportReply.reply(.accepted, headers: Self.headers, body: "hunter2"),
      shows: "status 202")
  }
}
