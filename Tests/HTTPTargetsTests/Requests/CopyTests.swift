import HTTPTypes
import PlatformModules
import Testing

@testable import HTTPTargets

/// They share an object until one of them changes.
@Suite("Copies of requests, responses and errors")
struct CopyTests {
  private let request = TargetRequest(url: "https://a.example/x", headers: [.accept: "text/plain"])

  @Test("changing a copy of a request keeps the original, and updates the origin of the copy")
  func requests() {
    var copy = request
    copy.url = "http://b.example:8080/y"
    copy.headers[.accept] = "text/html"
    copy.method = .post
    #expect(request.url == "https://a.example/x" && request.headers[.accept] == "text/plain")
    #expect(request.method == .get && request.idempotency == .safe && copy.idempotency == .once)
    #expect(request.origin?.description == "https://a.example")
    #expect(copy.origin?.description == "http://b.example:8080")
    copy.url = "nowhere"
    #expect(copy.origin == nil && copy.problem() != nil)
  }

  @Test("equal requests have equal hashes, even if they aren't copies")
  func equality() {
    let same = TargetRequest(url: "https://a.example/x", headers: [.accept: "text/plain"])
    var other = request
    other.maximumBodySize = 1
    #expect(request == same && !request.isSame(as: same))
    #expect(Set([request, same, other]).count == 2)
  }

  @Test("changing a copy of a response or an error keeps the original")
  func responses() {
    let response = TargetResponse(request: request, status: .ok, body: Data("a".utf8))
    var copy = response
    copy.body.append(contentsOf: "b".utf8)
    copy.attempts = 3
    #expect(response.body == Data("a".utf8) && response.attempts == 1)
    #expect(copy.body == Data("ab".utf8) && copy != response)

    let error = NetworkError(.transport, "broken", response: response)
    var changed = error
    changed.bytesSent = 7
    changed.response?.status = .notFound
    #expect(error.bytesSent == nil && error.response?.status == .ok)
    #expect(changed.response?.status == .notFound && response.status == .ok)
  }
}
