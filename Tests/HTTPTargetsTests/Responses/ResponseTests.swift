import HTTPTargets
import PlatformModules
import TestSupport
import Testing

@Suite("Response")
struct ResponseTests {
  private func response(_ code: Int) -> TargetResponse {
    TargetResponse(
      request: TargetRequest(url: "https://zoo.example"), status: .init(code: code),
      body: Data("body".utf8))
  }

  @Test(
    "the successful status codes are 200 to 299",
    arguments: [(199, false), (200, true), (299, true), (300, false), (404, false)])
  func successful(code: Int, passes: Bool) {
    #expect(((try? response(code).filterSuccessfulStatusCodes()) != nil) == passes)
    #expect(((try? response(code).filter(statusCodes: 200...299)) != nil) == passes)
    #expect(((try? response(code).filter(statusCodes: 200..<300)) != nil) == passes)
  }

  @Test(
    "a filter with one code accepts only that code",
    arguments: [(403, false), (404, true), (405, false)])
  func single(code: Int, passes: Bool) {
    #expect(((try? response(code).filter(statusCode: 404)) != nil) == passes)
  }

  @Test("a half-open range of codes has exact limits")
  func openRanges() {
    #expect((try? response(399).filter(statusCodes: ..<400)) != nil)
    #expect((try? response(400).filter(statusCodes: ..<400)) == nil)
    #expect((try? response(400).filter(statusCodes: 400...)) != nil)
    #expect((try? response(399).filter(statusCodes: 400...)) == nil)
  }

  @Test("a filter's error contains the response")
  func error() throws {
    let error = try #require(
      #expect(throws: NetworkError.self) { try response(500).filterSuccessfulStatusCodes() })
    #expect(error.code == .statusCode)
    #expect(error.response?.status.code == 500)
    #expect(error.response?.text() == "body")
    #expect(error.message == "GET https://zoo.example answered with status 500: body")
  }

  private func message(
    _ status: HTTPResponse.Status, _ body: some Sequence<UInt8>
  ) throws -> String {
    let request = TargetRequest(
      url: "https://zoo.example", headers: [.authorization: "Bearer hunter2hunter2"])
    let error = try #require(
      #expect(throws: NetworkError.self) {
        try TargetResponse(request: request, status: status, body: Data(body))
          .filterSuccessfulStatusCodes()
      })
    return String(error.message.trimmingPrefix("GET https://zoo.example answered with status "))
  }

  @Test(
    "the error of a status has the server's words: the reason phrase and the body's first line",
    arguments: [
      (.notFound, "", "404 Not Found"), (503, "\n  full \nof animals", "503: full"),
      (.init(code: 503, reasonPhrase: "Zoo Closed"), "at night", "503 Zoo Closed: at night"),
      (500, #"{"error": "no animals"}"#, #"500: {"error": "no animals"}"#),
      (500, "{\n  \"error\": 7\n}", #"500: "error": 7"#),
      (500, "[{}]", "500"), (301, "moved", "301"), (502, " <html>Unicorn!</html>", "502"),
      (401, "token hunter2hunter2 has expired", "401: token [redacted] has expired"),
      (401, #"{"token": "hunter"}"#, #"401: {"token": "[redacted]"}"#),
    ] as [(HTTPResponse.Status, String, String)])
  func words(status: HTTPResponse.Status, body: String, expected: String) throws {
    #expect(try message(status, body.utf8) == expected)
  }

  @Test("the server's words are one short line without control characters")
  func hostileWords() throws {
    let long = String(repeating: "a\u{301}", count: 1000)
    for text in HostileText.samples + [long, String(repeating: "x", count: 100_000)] {
      for status in [500, HTTPResponse.Status(code: 500, reasonPhrase: text)] {
        let message = try message(status, text.utf8)
        #expect(message.unicodeScalars.count < 320)
        #expect(
          message.unicodeScalars.allSatisfy {
            ![.control, .format, .lineSeparator].contains($0.properties.generalCategory)
          })
      }
    }
    #expect(try message(500, [0xFF, 0x61]) == "500")
  }
}
