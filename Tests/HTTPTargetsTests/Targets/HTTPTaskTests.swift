import HTTPTargets
import PlatformModules
import Testing

@Suite("HTTPTask")
struct HTTPTaskTests {
  private struct Animal: Codable, Equatable {
    var species: String?
    var name: String?
    var bornAt: Date?
    var weights: [String: Float] = [:]
  }

  private static let giraffe = Animal(
    species: "giraffe", name: "a/b", weights: ["z": 1, "a": 2, "m": 3, "k": 4, "b": 5])

  private func request(_ task: HTTPTask, headers: HTTPFields = [:]) throws -> TargetRequest {
    try Zoo(method: .post, task: task, headers: headers).request()
  }

  @Test("a plain task has no query, body or content type")
  func plain() throws {
    let request = try request(.plain)
    #expect(request.url == "https://zoo.example/animals")
    #expect(request.body == nil)
    #expect(request.headers.isEmpty)
  }

  @Test("bytes are sent unchanged with their content type")
  func data() throws {
    let bytes = Data([0, 0xFF, 0x0D, 0x0A])
    #expect(try request(.data(bytes)).body?.data == bytes)
    #expect(try request(.data(bytes)).headers.isEmpty)
    #expect(
      try request(.data(bytes, contentType: "image/png")).headers[.contentType] == "image/png")
    #expect(try request(.data(Data())).body?.data == Data())
  }

  @Test("the keys of JSON are sorted at every level")
  func sortedKeys() throws {
    let body = try #require(try request(.json(Self.giraffe)).body?.data)
    #expect(
      String(decoding: body, as: UTF8.self)
        == #"{"name":"a/b","species":"giraffe","weights":{"a":2,"b":5,"k":4,"m":3,"z":1}}"#)
  }

  @Test("a target gives the same request every time")
  func equalRequests() throws {
    let task = HTTPTask.json(Self.giraffe, query: [.init("b", "1"), .init("a", "2")])
    let first = try request(task, headers: [.accept: "text/html"])
    for _ in 1...100 {
      let again = try request(task, headers: [.accept: "text/html"])
      #expect(again == first)
      #expect(again.hashValue == first.hashValue)
    }
  }

  @Test("a custom encoder is used")
  func customEncoder() throws {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .secondsSince1970
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = [.sortedKeys]
    let animal = Animal(bornAt: Date(timeIntervalSince1970: 12))
    let body = try #require(try request(.json(animal, encoder: encoder)).body?.data)
    #expect(String(decoding: body, as: UTF8.self) == #"{"born_at":12,"weights":{}}"#)
  }

  @Test("a form is encoded like a query, with spaces as %20")
  func form() throws {
    let items = [
      QueryItem("b", "c++"), .init("a", "x y&z"), .init("none", nil), .init("b", "é"),
    ]
    let request = try request(.form(items))
    #expect(request.body?.data == Data("b=c%2B%2B&a=x%20y%26z&b=%C3%A9".utf8))
    #expect(request.headers[.contentType] == "application/x-www-form-urlencoded")
  }

  @Test(
    "the content type of the target takes precedence in any letter case",
    arguments: ["Content-Type", "content-type", "CONTENT-TYPE", "cOnTeNt-tYpE"],
    [
      HTTPTask.json(["a": 1]), .form([.init("a", "b")]), .data(Data("x".utf8), contentType: "a/b"),
    ])
  func contentTypeOfTheTarget(name: String, task: HTTPTask) throws {
    let field = try #require(HTTPField.Name(name))
    let request = try request(task, headers: [field: "application/vnd.zoo+json"])
    #expect(request.headers[values: .contentType] == ["application/vnd.zoo+json"])
  }

  @Test("a JSON body has a JSON content type unless the target sets one")
  func contentTypeOfJSON() throws {
    let request = try request(.json(["a": 1]), headers: [.accept: "*/*"])
    #expect(request.headers == [.accept: "*/*", .contentType: "application/json"])
  }

  @Test(
    "a query can be combined with any body",
    arguments: [
      HTTPTask.data(Data("b".utf8), query: [.init("q", "1")]),
      .json("b", query: [.init("q", "1")]),
      .form([.init("b", "2")], query: [.init("q", "1")]),
    ])
  func queryBesideBody(task: HTTPTask) throws {
    let request = try request(task)
    #expect(request.url == "https://zoo.example/animals?q=1")
    #expect(request.body?.isEmpty == false)
  }

  @Test("the error for a value that can't be encoded shows its path and not the value")
  func unencodable() throws {
    let animal = Animal(weights: ["heavy": .infinity])
    let error = try #require(
      #expect(throws: NetworkError.self) { try request(.json(animal)) })
    #expect(error.code == .encoding)
    #expect(error.message.contains(".weights.heavy"))
    #expect(error.underlying is EncodingError)
  }
}
