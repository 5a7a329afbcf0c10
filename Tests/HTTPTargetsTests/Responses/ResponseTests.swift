import HTTPTargets
import PlatformModules
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
    #expect(error.message.contains("500"))
  }
}
