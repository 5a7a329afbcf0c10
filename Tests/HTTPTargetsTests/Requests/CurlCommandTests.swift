import CurlTransport
import HTTPTargets
import PlatformModules
import TestSupport
import Testing

@Suite("TargetRequest.curlCommand", .timeLimit(.minutes(5)))
struct CurlCommandTests {
  @Test("secrets are masked unless requested")
  func secrets() {
    let request = TargetRequest(
      method: .post, url: "https://zoo.example/animals?page=2&access_token=hunter2",
      headers: [.authorization: "Bearer hunter2hunter2", .contentType: "application/json"],
      body: Data(#"{"name":"it's","password":"hunter2"}"#.utf8))
    #expect(
      request.curlCommand() == #"""
        curl --globoff --path-as-is --header 'Authorization: [redacted]' --header \#
        'Content-Type: application/json' --data-raw '{"name":"it'\''s","password":"[redacted]"}' \#
        'https://zoo.example/animals?page=2&access_token=[redacted]'
        """#)
    #expect(
      request.curlCommand(revealingSecrets: true).components(separatedBy: "hunter2").count == 5)
  }

  @Test("secret form parts piped into curl are masked, even next to binary data")
  func parts() throws {
    let folder = try ScratchFolder()
    try Data("spots".utf8).write(to: URL(filePath: folder["photo"]))
    let photos = [
      MultipartPart("photo", file: folder["photo"]),
      MultipartPart("photo", data: Data([0xFF, 0xD8, 0x0A, 0x00]), filename: "g.jpeg"),
    ]
    for photo in photos {
      let secret = MultipartPart("pin", text: "hunter2")
      let parts = [secret, photo, secret, MultipartPart("title", text: "Gerald")]
      let request = try Zoo(method: .post, task: .multipart(parts)).request()
      func piped(_ command: String) -> [UInt8] {
        command.split(separator: " ").compactMap { Data(base64Encoded: String($0)) }
          .reduce([]) { $0 + $1 }
      }
      let text = String(decoding: piped(request.curlCommand()), as: UTF8.self)
      #expect(!text.contains("hunter2"))
      #expect(text.components(separatedBy: "\r\n\r\n[redacted]\r\n--").count == 3)
      #expect(text.contains("Gerald"))
      let bytes = piped(request.curlCommand(revealingSecrets: true))
      #expect(String(decoding: bytes, as: UTF8.self).components(separatedBy: "hunter2").count == 3)
    }
  }

  @Test("special characters are quoted for the shell")
  func words() {
    let request = TargetRequest(url: "https://zoo.example/$(id)`id`;id&\"\\é")
    #expect(
      request.curlCommand()
        == "curl --globoff --path-as-is 'https://zoo.example/$(id)`id`;id&\"\\é'")
  }

  private static let requests: [@Sendable (ScratchFolder) throws -> TargetRequest] = [
    { _ in TargetRequest(url: "/animals/../%5Ba%5D?q=%7B1,2%7D&x=[1-3]", headers: [.accept: "a/b"])
    },
    { _ in TargetRequest(method: .head, url: "/") },
    { _ in TargetRequest(method: .delete, url: "/a") },
    { _ in TargetRequest(method: .post, url: "/a") },
    { _ in
      TargetRequest(method: .put, url: "/a", headers: [.accept: ""], body: Data("@x\n'é'".utf8))
    },
    { _ in TargetRequest(method: .post, url: "/a", body: Data([0, 255, 10, 13])) },
    { folder in
      try Data([1, 0, 2, 3]).write(to: URL(filePath: folder["it's"]))
      let segments: [RequestBody.Segment] = [
        .bytes(Data("--x\r\n".utf8)), .file(path: folder["it's"], size: 3), .bytes(Data([9])),
      ]
      return TargetRequest(
        method: .post, url: "/a", headers: [.contentType: "multipart/form-data; boundary=x"],
        body: RequestBody(segments: segments))
    },
  ]

  @Test(
    "the curl command sends the same request as the transport",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")),
    arguments: requests.indices)
  func sameOnTheWire(index: Int) async throws {
    let folder = try ScratchFolder()
    let received = Watched<[LoopbackRequest]>([])
    try await withLoopbackServer { request in
      received.update { $0.append(request) }
      return .text("")
    } perform: { server in
      var request = try Self.requests[index](folder)
      request.url = server.url + request.url
      // curl has a name of its own, and accepts everything.
      request.headers[.userAgent] = "zoo"
      if !request.headers.contains(.accept) { request.headers[.accept] = "*/*" }
      request.headers[.acceptEncoding] = "identity"
      _ = try await CurlTransport.shared.send(request).body.collect(atMost: 100)
      let result = try await CommandRun.run(
        "/bin/sh", ["-c", request.curlCommand(revealingSecrets: true)],
        environment: ["PATH": "/usr/bin:/bin"])
      #expect(result.status == .exited(0), "\(result.errorText)")
    }
    let both = received.current
    try #require(both.count == 2)
    #expect(both[0].method == both[1].method)
    #expect(both[0].target == both[1].target)
    #expect(both[0].body == both[1].body)
    #expect(Self.fields(both[0]) == Self.fields(both[1]))
  }

  private static func fields(_ request: LoopbackRequest) -> [String] {
    request.headers.map { "\($0.name.lowercased()): \($0.value)" }.sorted()
  }
}
