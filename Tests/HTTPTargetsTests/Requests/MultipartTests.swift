import HTTPTargets
import PlatformModules
import TestSupport
import Testing

@Suite("Multipart")
struct MultipartTests {
  private func request(
    _ parts: [MultipartPart], method: HTTPRequest.Method = .post, headers: HTTPFields = [:]
  ) throws -> TargetRequest {
    try Zoo(
      method: method, task: .multipart(parts, query: [.init("q", "1")]), headers: headers
    ).request()
  }

  private func boundary(_ request: TargetRequest) throws -> String {
    let type = try #require(request.headers[.contentType])
    let prefix = "multipart/form-data; boundary="
    #expect(type.hasPrefix(prefix))
    return String(type.dropFirst(prefix.count))
  }

  private func text(_ request: TargetRequest) throws -> String {
    let text = String(decoding: try #require(request.body?.data), as: UTF8.self)
    return text.replacing(try boundary(request), with: "BOUNDARY")
  }

  @Test("the encoded form matches RFC 7578")
  func wireForm() throws {
    let request = try request([
      MultipartPart("title", text: "Zoö"),
      MultipartPart(
        "photo", data: Data("\r\n--\0".utf8), filename: "a.jpeg", contentType: "image/jpeg"),
      MultipartPart("empty", text: ""),
    ])
    #expect(request.url == "https://zoo.example/animals?q=1")
    let lines = [
      "--BOUNDARY", "Content-Disposition: form-data; name=\"title\"", "", "Zoö",
      "--BOUNDARY", "Content-Disposition: form-data; name=\"photo\"; filename=\"a.jpeg\"",
      "Content-Type: image/jpeg", "", "\r\n--\0",
      "--BOUNDARY", "Content-Disposition: form-data; name=\"empty\"", "", "",
      "--BOUNDARY--", "",
    ]
    #expect(try text(request) == lines.joined(separator: "\r\n"))
  }

  @Test(
    "a character that would end a name is escaped as in browsers",
    arguments: [
      ("a\"b", "a%22b"), ("a\r\nb", "a%0D%0Ab"), ("a\rb\nc", "a%0Db%0Ac"),
      ("100%; é\\", "100%; é\\"),
    ])
  func escaping(name: String, escaped: String) throws {
    let body = try text(try request([MultipartPart(name, data: Data(), filename: name)]))
    #expect(body.contains("; name=\"\(escaped)\"; filename=\"\(escaped)\"\r\n\r\n"))
  }

  @Test("a file is a separate segment named after its path")
  func file() throws {
    let folder = try ScratchFolder()
    let path = try folder.write(Data("12345".utf8), to: "notes.txt")
    let request = try request([MultipartPart("upload", file: path), MultipartPart("a", text: "b")])
    let body = try #require(request.body)
    #expect(body.segments.count == 3)
    #expect(body.segments[1] == .file(path: path, size: 5))
    guard case .bytes(let head) = body.segments[0] else { return #expect(Bool(false)) }
    let text = String(decoding: head, as: UTF8.self)
    #expect(text.contains("; name=\"upload\"; filename=\"notes.txt\"\r\n"))
    #expect(text.hasSuffix("\r\nContent-Type: application/octet-stream\r\n\r\n"))
  }

  @Test("equal parts give an equal request, and other parts give another boundary")
  func equalRequests() throws {
    let parts = [MultipartPart("a", text: "1"), MultipartPart("b", text: "2")]
    #expect(try request(parts) == request(parts))
    #expect(
      try boundary(request(parts)) != boundary(request([MultipartPart("c", text: "1")])))
  }

  @Test("a boundary that occurs in a part isn't used")
  func occurringBoundary() throws {
    // The boundary follows from names and lengths: bytes of the same length would get the same one.
    let filler = String(repeating: "p", count: 200)
    var taken: Set<String> = []
    var text = filler
    for _ in 0..<3 {
      let boundary = try boundary(request([MultipartPart("a", text: text)]))
      #expect(!text.contains(boundary))
      #expect(taken.insert(boundary).inserted)
      text = String((taken.joined() + filler).prefix(200))
    }
  }

  @Test("the boundary is sent with any content type of the target")
  func contentType() throws {
    let request = try request(
      [MultipartPart("a", text: "b")], headers: [.contentType: "multipart/form-data"])
    #expect(try text(request).hasPrefix("--BOUNDARY\r\n"))
    #expect(request.headers[values: .contentType].count == 1)
  }

  @Test("only POST, PUT and PATCH can have a multipart body")
  func methods() throws {
    let parts = [MultipartPart("a", text: "b")]
    for method in [HTTPRequest.Method.post, .put, .patch] {
      #expect(try request(parts, method: method).body?.isEmpty == false)
    }
    for method in [HTTPRequest.Method.get, .head, .delete, .options] {
      let error = #expect(throws: NetworkError.self) { try request(parts, method: method) }
      #expect(error?.code == .requestMapping)
    }
  }

  @Test("an empty form, a missing file, and a two-line content type can't be encoded")
  func unencodable() throws {
    let hopeless = [
      [], [MultipartPart("a", file: "/nowhere/at all")],
      [MultipartPart("a", data: Data(), contentType: "text/plain\r\nX-Evil: 1")],
    ]
    for parts in hopeless {
      let error = #expect(throws: NetworkError.self) { try request(parts) }
      #expect(error?.code == .encoding)
    }
  }

  @Test("an uploaded file has its size and content type, and isn't revealed by descriptions")
  func uploadFile() throws {
    let folder = try ScratchFolder()
    let path = try folder.write(Data("hunter2".utf8), to: "hunter2")
    let task = HTTPTask.uploadFile(path, contentType: "application/zip", query: [.init("q", "1")])
    let request = try Zoo(method: .put, task: task).request()
    #expect(request.body?.segments == [.file(path: path, size: 7)])
    #expect(request.headers[.contentType] == "application/zip")
    #expect(request.url.hasSuffix("?q=1"))
    let own = Zoo(method: .put, task: task, headers: [.contentType: "image/png"])
    #expect(try own.request().headers[.contentType] == "image/png")
    let parts = [MultipartPart("a", text: "hunter2"), MultipartPart("b", file: path)]
    for value in [shown(task), shown(request), shown(HTTPTask.multipart(parts)), shown(parts)] {
      #expect(!value.contains("hunter2"))
    }
  }

  @Test("an uploaded stream has a content type, and a form with a stream has no length")
  func streams() async throws {
    let stream = RequestBody.Stream {
      AsyncStream { source in
        source.yield(Data("hunter2".utf8))
        source.finish()
      }
    }
    let task = HTTPTask.upload(stream, contentType: "text/csv", query: [.init("q", "1")])
    let request = try Zoo(method: .put, task: task).request()
    #expect(request.body == RequestBody(stream))
    #expect(request.headers[.contentType] == "text/csv")
    #expect(request.url.hasSuffix("?q=1"))
    #expect("\(task)".hasSuffix("a stream"))
    #expect(request.curlCommand().hasPrefix("{ cat; } | curl "))

    let part = MultipartPart("a", stream: stream, filename: "b.txt", contentType: "text/plain")
    let body = try #require(try self.request([part]).body)
    #expect(body.size == nil)
    let text = String(decoding: try await body.collect(), as: UTF8.self)
    #expect(
      text.contains(
        "Content-Disposition: form-data; name=\"a\"; filename=\"b.txt\"\r\n"
          + "Content-Type: text/plain\r\n\r\nhunter2\r\n--part-"))
    for value in [shown(task), shown(request), shown(part), shown(body), shown(body.segments)] {
      #expect(!value.contains("hunter2"))
    }
  }

  @Test("a GET request can't upload a file")
  func getWithFile() async throws {
    let folder = try ScratchFolder()
    let path = try folder.write(Data("x".utf8), to: "a")
    let transport = RecordingTransport()
    let outcome = await Provider<Zoo>(transport: transport).outcome(Zoo(task: .uploadFile(path)))
    #expect(outcome.word == "requestMapping")
    #expect(transport.requests.isEmpty)
  }
}
