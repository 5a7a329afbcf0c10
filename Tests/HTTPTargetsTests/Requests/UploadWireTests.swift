import CurlTransport
import HTTPTargets
import PlatformModules
import TestSupport
import Testing

@Suite("Uploads over a socket", .timeLimit(.minutes(5)))
struct UploadWireTests {
  private let folder: ScratchFolder
  private let provider = Provider<Zoo>(transport: CurlTransport.shared)

  init() throws {
    folder = try ScratchFolder()
  }

  @Test("a form with a file arrives as defined by RFC 7578")
  func multipart() async throws {
    let content = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
    let path = try folder.write(content, to: "a.bin")
    try await withLoopbackServer { _ in
      .text("")
    } perform: { server in
      let parts = [
        MultipartPart("title", text: "Gina"),
        MultipartPart("photo", file: path, filename: "a\"b.jpeg", contentType: "image/jpeg"),
      ]
      _ = try await provider.request(
        Zoo(baseURL: server.url, method: .post, task: .multipart(parts)))
      let arrived = try #require(server.log.requests.first)
      let type = try #require(arrived.headers["Content-Type"])
      let boundary = try #require(type.split(separator: "=").last)
      var expected = Data(
        """
        --\(boundary)\r
        Content-Disposition: form-data; name="title"\r
        \r
        Gina\r
        --\(boundary)\r
        Content-Disposition: form-data; name="photo"; filename="a%22b.jpeg"\r
        Content-Type: image/jpeg\r
        \r

        """.utf8)
      expected += content
      expected += Data("\r\n--\(boundary)--\r\n".utf8)
      #expect(arrived.body == expected)
      #expect(arrived.headers["Content-Length"] == "\(expected.count)")
    }
  }

  @Test("a redirect that keeps the method sends the file again", arguments: [307, 308])
  func redirect(status: Int) async throws {
    let content = Data(repeating: 7, count: 200_000)
    let path = try folder.write(content, to: "a")
    try await withLoopbackServer { request in
      request.path == "/animals"
        ? LoopbackResponse(status: status, headers: ["Location": "/there"]) : .text("ok")
    } perform: { server in
      let response = try await provider.request(
        Zoo(baseURL: server.url, method: .put, task: .uploadFile(path)))
      #expect(response.attempts == 2)
      #expect(server.log.requests.map(\.path) == ["/animals", "/there"])
      #expect(server.log.requests.map(\.body) == [content, content])
    }
  }

  @Test("the progress of sending precedes that of receiving, and both end at 1")
  func progress() async throws {
    let path = try folder.resize("a", to: 2 << 20)
    try await withLoopbackServer { request in
      LoopbackResponse(body: request.body)
    } perform: { server in
      var phases: [TransferProgress.Phase] = []
      var last: TransferProgress?
      let target = Zoo(baseURL: server.url, method: .post, task: .uploadFile(path))
      for try await event in provider.events(target) {
        switch event {
        case .progress(let progress):
          if phases.last != progress.phase { phases.append(progress.phase) }
          #expect(progress.expectedBytes == 2 << 20)
          last = progress
        case .completed(let response):
          #expect(response.body.count == 2 << 20)
        }
      }
      #expect(phases == [.sending, .receiving])
      #expect(last?.fractionCompleted == 1)
    }
  }
}
