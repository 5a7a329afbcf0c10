import PlatformModules
import TestSupport
import Testing

@testable import HTTPTargets

@Suite("Downloads into a folder", .timeLimit(.minutes(5)))
struct DownloadNameTests {
  private func name(_ field: String?, url: String = "https://zoo.example/a/b%20c.zip?d=/e")
    -> String
  {
    let request = TargetRequest(url: url)
    let headers: HTTPFields = field.map { [.contentDisposition: $0] } ?? [:]
    return DownloadName.name(for: TargetResponse(request: request, status: .ok, headers: headers))
  }

  @Test(
    "a download is named by its Content-Disposition field",
    arguments: [
      // The examples of RFC 6266, section 5, and of RFC 8187.
      ("Attachment; filename=example.html", "example.html"),
      ("INLINE; FILENAME= \"an example.html\"", "an example.html"),
      ("attachment; filename*= UTF-8''%e2%82%ac%20rates", "€ rates"),
      ("attachment; filename=\"EURO rates\"; filename*=utf-8''%e2%82%ac%20rates", "€ rates"),
      ("attachment; filename=\"a;b=\\\"c\\\".txt\"; size=3", "a;b=\"c\".txt"),
      ("attachment; filename*=latin1''%A3; filename=pounds", "pounds"),
      ("attachment", "b c.zip"), ("attachment; filename", "b c.zip"), ("", "b c.zip"),
    ])
  func proposed(field: String, expected: String) {
    #expect(name(field) == expected)
  }

  @Test(
    "a hostile file name can't leave the folder, hide the file, or control the terminal",
    arguments: [
      ("../../.ssh/authorized_keys", "authorized_keys"), ("..", "b c.zip"), ("/", "b c.zip"),
      (#"C:\\\\windows\\\\a.exe"#, "a.exe"), (".bashrc", "bashrc"),
      ("a\u{202E}gpj.exe", "agpj.exe"),
      ("a. . ", "a"), ("\0", "b c.zip"),
    ])
  func hostile(proposed: String, expected: String) {
    #expect(name("attachment; filename=\"\(proposed)\"") == expected)
    let encoded = proposed.utf8.map { "%" + String(Int($0) + 256, radix: 16).dropFirst() }.joined()
    #expect(name("attachment; filename*=UTF-8''\(encoded)").contains("/") == false)
  }

  @Test("a long name is cut to 200 bytes and keeps its suffix")
  func long() {
    let name = name("attachment; filename=\"\(String(repeating: "é", count: 300)).tar.gz\"")
    #expect(name.utf8.count <= 200)
    #expect(name.hasSuffix("é.gz"))
  }

  @Test(
    "a download without Content-Disposition is named after its URL's last segment",
    arguments: [
      ("https://zoo.example/a/x%2Fy.txt", "y.txt"), ("https://zoo.example/a/", "a"),
      ("https://zoo.example", "download"), ("https://zoo.example/%2E%2E#b", "download"),
    ])
  func address(url: String, expected: String) {
    #expect(name(nil, url: url) == expected)
  }

  @Test("a GET or POST download keeps existing files and returns the new file's path")
  func files() async throws {
    let folder = try ScratchFolder()
    let transport = RecordingTransport([
      .redirect(to: "/b/report.csv"), .reply(body: "one"), .reply(body: "two"),
      .reply(headers: [.contentDisposition: "attachment; filename=report.csv"], body: "three"),
    ])
    let provider = Provider<Zoo>(transport: transport)
    let target = Zoo(task: .download(into: folder.path))
    #expect(try await provider.request(target).file == folder["report.csv"])
    let post = Zoo(
      method: .post, task: .json(["year": 2026]).downloading(into: folder.path))
    #expect(try await provider.request(post).file == folder["animals"])
    #expect(try await provider.request(post).file == folder["report-2.csv"])
    #expect(try String(contentsOfFile: folder["report.csv"], encoding: .utf8) == "one")
    #expect(try String(contentsOfFile: folder["report-2.csv"], encoding: .utf8) == "three")
    #expect(transport.requests.last?.body?.data == Data(#"{"year":2026}"#.utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 3)
  }

  @Test("a broken download doesn't leave a file, and a retry starts from the beginning")
  func broken() async throws {
    let folder = try ScratchFolder()
    let part = TransportReply.chunks(
      headers: [.eTag: "\"1\""], [Data("on".utf8)], failure: .interrupted)
    let once = Provider<Zoo>(transport: RecordingTransport([part]))
    let target = Zoo(task: .download(into: folder.path))
    await #expect(throws: NetworkError.self) { try await once.request(target) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    let transport = RecordingTransport([part, .reply(body: "one")])
    let twice = Provider<Zoo>(interceptors: [DownloadTests.RetryingOnce()], transport: transport)
    let response = try await twice.request(target)
    #expect(response.file == folder["animals"])
    #expect(transport.requests.last?.headers[.range] == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["animals"])
  }

  @Test("a download into a missing folder sends nothing")
  func noFolder() async throws {
    let transport = RecordingTransport([.reply()])
    let provider = Provider<Zoo>(transport: transport)
    let error = await #expect(throws: NetworkError.self) {
      try await provider.request(Zoo(task: .download(into: "/nonexistent/folder")))
    }
    #expect(error?.code == .writing)
    #expect(transport.requests.isEmpty)
  }
}
