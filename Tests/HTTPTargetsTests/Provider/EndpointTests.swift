import HTTPTargets
import Testing

@Suite("Endpoint")
struct EndpointTests {
  @Test(
    "the base and the path are joined by exactly one slash",
    arguments: [
      ("https://h", "x", "https://h/x"), ("https://h", "/x", "https://h/x"),
      ("https://h/", "x", "https://h/x"), ("https://h/", "/x", "https://h/x"),
      ("https://h/api/v3", "x", "https://h/api/v3/x"),
      ("https://h/api/v3/", "x", "https://h/api/v3/x"),
      ("https://h/api/v3/", "/x", "https://h/api/v3/x"),
      ("https://h/api/v3", "/x/", "https://h/api/v3/x/"),
      ("https://h:8443", "x", "https://h:8443/x"), ("http://[::1]:80/", "/x", "http://[::1]:80/x"),
      ("https://[2001:db8::1]", "x", "https://[2001:db8::1]/x"), ("HTTPS://H", "x", "HTTPS://H/x"),
      ("https://h/a%2Fb", "x", "https://h/a%2Fb/x"),
    ] as [(String, URLPath, String)])
  func joint(base: String, path: URLPath, url: String) throws {
    #expect(try Zoo(baseURL: base, path: path).request().url == url)
  }

  @Test(
    "an empty path keeps the base byte for byte",
    arguments: [
      "https://h", "https://h/", "https://h/api/v3/", "https://h/a//b", "https://h?",
      "https://h/?a",
      "HTTPS://H:443/A%2fb?c=%7e", "https://[2001:DB8::1]:8443",
    ])
  func emptyPath(base: String) throws {
    #expect(try Zoo(baseURL: base, path: "").request().url == base)
  }

  @Test(
    "a query in the base or the path is kept, and later items follow it",
    arguments: [
      ("https://h/?a=1", "", "https://h/?a=1&q=2"), ("https://h?a=1", "x", "https://h/x?a=1&q=2"),
      ("https://h/b/?a=1", "/x", "https://h/b/x?a=1&q=2"), ("https://h?", "", "https://h?q=2"),
      ("https://h?", "x", "https://h/x?q=2"), ("https://h", "x?b=3", "https://h/x?b=3&q=2"),
      ("https://h?a=1", "x?b=3", "https://h/x?a=1&b=3&q=2"), ("https://h", "", "https://h?q=2"),
      ("https://h/?a=1&", "", "https://h/?a=1&q=2"), ("https://h?a&", "x?b", "https://h/x?a&b&q=2"),
      ("https://h/a&", "", "https://h/a&?q=2"), ("https://h/?a=?", "", "https://h/?a=?&q=2"),
      ("https://h/?a=%2B&a=", "", "https://h/?a=%2B&a=&q=2"),
    ] as [(String, URLPath, String)])
  func queries(base: String, path: URLPath, url: String) throws {
    let task = HTTPTask.query([.init("q", "2")])
    #expect(try Zoo(baseURL: base, path: path, task: task).request().url == url)
  }

  @Test(
    "an invalid URL throws an error that contains it",
    arguments: [
      "", "zoo.example", "/animals", "//zoo.example", "https:zoo.example", "https://", "https:///x",
      "ftp://zoo.example", "file:///etc/passwd", "https://zoo .example", "https://zoo.example/a b",
      "https://zoo.example\n", "https://zoo.example:x", "https://zoo.example:0",
      "https://zoö.example",
      "https://zoo.example/#top", "https://zoo.example\\x",
    ])
  func unusable(base: String) throws {
    let error = try #require(
      #expect(throws: NetworkError.self) { try Zoo(baseURL: base).request() })
    #expect(error.code == .requestMapping)
    #expect(error.message.contains(base))
  }

  @Test(
    "the error for an invalid path contains the path",
    arguments: ["a b", "a\\b", "é", "a#b"] as [URLPath])
  func unusablePath(path: URLPath) throws {
    let error = try #require(
      #expect(throws: NetworkError.self) { try Zoo(path: path).request() })
    #expect(error.code == .requestMapping)
    #expect(error.message.contains(path.encoded))
  }

  @Test(
    "a base with a password is refused, and the error doesn't contain it",
    arguments: [
      "https://me:hunter2@zoo.example", "me:hunter2@zoo.example", "https:/me:hunter2@zoo.example",
      "https://me:hunter2/x@zoo.example", "//hunter2@zoo.example", "https://hunter2@zoo.example/",
      "zoo.example?token=hunter2", "zoo.example#access_token=hunter2",
    ])
  func password(base: String) throws {
    let error = try #require(
      #expect(throws: NetworkError.self) { try Zoo(baseURL: base).request() })
    #expect(error.code == .requestMapping)
    #expect(!"\(error) \(error.message)".contains("hunter2"))
  }

  @Test("another base replaces the target's")
  func otherBase() throws {
    let endpoint = try Endpoint(Zoo(), baseURL: "http://127.0.0.1:8080/api")
    #expect(try endpoint.request().url == "http://127.0.0.1:8080/api/animals")
  }

  @Test("an added header field replaces only fields of the same name")
  func addingHeaders() throws {
    let endpoint = try Endpoint(Zoo(headers: [.accept: "a/b", .userAgent: "zoo"]))
    var more: HTTPFields = [.accept: "c/d"]
    more.append(HTTPField(name: .accept, value: "e/f"))
    let adjusted = endpoint.adding(headers: more)
    #expect(adjusted.headers[values: .accept] == ["c/d", "e/f"])
    #expect(adjusted.headers[.userAgent] == "zoo")
    #expect(endpoint.headers[values: .accept] == ["a/b"])
  }

  @Test("another task replaces the query and the body")
  func replacingTask() throws {
    let endpoint = try Endpoint(Zoo(method: .post, task: .json(1, query: [.init("a", "b")])))
    let request = try endpoint.replacing(task: .query([.init("c", "d")])).request()
    #expect(request.url == "https://zoo.example/animals?c=d")
    #expect(request.body == nil)
    #expect(request.headers.isEmpty)
  }

  @Test("the request has the endpoint's timeouts and body limit")
  func limits() throws {
    let timeouts = Timeouts(connect: .seconds(1), idle: .seconds(2), total: .seconds(3))
    var endpoint = try Endpoint(Zoo(timeouts: timeouts))
    #expect(try endpoint.request().maximumBodySize == 64 * 1024 * 1024)
    endpoint.maximumBodySize = 10
    #expect(try endpoint.request().timeouts == timeouts)
    #expect(try endpoint.request().maximumBodySize == 10)
  }
}
