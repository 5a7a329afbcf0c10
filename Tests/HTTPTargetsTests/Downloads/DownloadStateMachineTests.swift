import TestSupport
import Testing

@testable import HTTPTargets

/// An answer of a server that knows which version it has.
private func answer(
  _ status: Int = 200, _ headers: HTTPFields = [:], to request: TargetRequest
) -> TargetResponse {
  TargetResponse(request: request, status: HTTPResponse.Status(code: status), headers: headers)
}

@Suite("Rules for resuming a download")
struct DownloadStateMachineTests {
  private static let url = "https://zoo.example/photo?token=hunter2"
  private let plain = TargetRequest(url: url)

  /// A machine that has taken the beginning of a body of 100 bytes.
  private func begun(_ headers: HTTPFields = [.eTag: "\"1\"", .contentLength: "100"]) throws
    -> DownloadStateMachine
  {
    var machine = DownloadStateMachine(url: Self.url, isResuming: true, record: nil)
    let first = machine.request(plain, size: 0)
    #expect(first == plain)
    #expect(
      machine.receive(answer(200, headers, to: first), validation: .successCodes)
        == .startAnew(total: 100))
    return machine
  }

  @Test("a download resumes with the version of its first part")
  func rest() throws {
    var machine = try begun()
    let request = machine.request(plain, size: 40)
    #expect(request.headers == [.range: "bytes=40-", .ifRange: "\"1\""])
    let action = machine.receive(
      answer(206, [.contentRange: "bytes 40-99/100", .eTag: "\"1\""], to: request),
      validation: .successCodes)
    #expect(action == .append(offset: 40, total: 100))
  }

  @Test("a target that accepts only 200 accepts the 206 of a resumed download")
  func strictValidation() throws {
    var machine = try begun()
    let request = machine.request(plain, size: 40)
    let action = machine.receive(
      answer(206, [.contentRange: "bytes 40-99/100"], to: request), validation: .codes([200]))
    #expect(action == .append(offset: 40, total: 100))
  }

  @Test(
    "a version is identified by a strong tag, or by a modification time before the response's date",
    arguments: [
      ([.eTag: "\"a b\""], "\"a b\""), ([.eTag: "\"\""], "\"\""), ([.eTag: "W/\"1\""], nil),
      ([.eTag: "1"], nil), ([.eTag: "\""], nil), ([:], nil),
      (
        [.lastModified: "Sun, 06 Nov 1994 08:49:37 GMT", .date: "Sun, 06 Nov 1994 08:49:38 GMT"],
        "Sun, 06 Nov 1994 08:49:37 GMT"
      ),
      (
        [.lastModified: "Sun, 06 Nov 1994 08:49:37 GMT", .date: "Sun, 06 Nov 1994 08:49:37 GMT"],
        nil
      ),
      ([.lastModified: "Sun, 06 Nov 1994 08:49:37 GMT"], nil),
      (
        [
          .eTag: "W/\"1\"", .lastModified: "Sun, 06 Nov 1994 08:49:37 GMT",
          .date: "Sun, 06 Nov 1995 08:49:37 GMT",
        ], nil
      ),
      ([.eTag: "\"1\"", .acceptRanges: "none"], nil),
      ([.eTag: "\"1\"", .acceptRanges: "bytes"], "\"1\""),
    ] as [(HTTPFields, String?)])
  func validators(headers: HTTPFields, validator: String?) throws {
    var machine = DownloadStateMachine(url: Self.url, isResuming: true, record: nil)
    let first = machine.request(plain, size: 0)
    #expect(
      machine.receive(answer(200, headers, to: first), validation: .successCodes)
        == .startAnew(total: nil))
    #expect(machine.request(plain, size: 40).headers[.ifRange] == validator)
  }

  @Test(
    "a part that isn't exactly the rest is dropped, and the whole file is requested",
    arguments: [
      [.contentRange: "bytes 39-99/100"], [.contentRange: "bytes 41-99/100"],
      [.contentRange: "bytes 40-98/100"], [.contentRange: "bytes 40-99/101"],
      [.contentRange: "bytes 40-100/101"], [.contentRange: "bytes 40-99/*"],
      [.contentRange: "bytes */100"], [.contentRange: "lines 40-99/100"], [:],
      [.contentRange: "bytes 40-99/100", .eTag: "\"2\""],
      [.contentType: "multipart/byteranges; boundary=x"],
    ] as [HTTPFields])
  func oddParts(headers: HTTPFields) throws {
    var machine = try begun()
    let request = machine.request(plain, size: 40)
    #expect(
      machine.receive(answer(206, headers, to: request), validation: .successCodes) == .askAgain)
    #expect(machine.record == nil)
    #expect(machine.request(plain, size: 0) == plain)
  }

  @Test("a response with two content ranges counts as having no range")
  func twoRanges() throws {
    var machine = try begun()
    let request = machine.request(plain, size: 40)
    var headers: HTTPFields = [.contentRange: "bytes 40-99/100"]
    headers.append(HTTPField(name: .contentRange, value: "bytes 40-99/100"))
    #expect(
      machine.receive(answer(206, headers, to: request), validation: .successCodes) == .askAgain)
  }

  @Test("an unsatisfiable range is dropped, and the whole file is requested")
  func notSatisfiable() throws {
    var machine = try begun()
    let request = machine.request(plain, size: 40)
    #expect(machine.receive(answer(416, to: request), validation: .successCodes) == .askAgain)
    // Once: a 416 to a request for the whole is an answer like any other.
    let again = machine.request(plain, size: 0)
    #expect(again == plain)
    #expect(machine.receive(answer(416, to: again), validation: .successCodes) == nil)
  }

  @Test("a changed version is received whole, and later downloads resume it")
  func otherVersion() throws {
    var machine = try begun()
    let request = machine.request(plain, size: 40)
    let headers: HTTPFields = [.eTag: "\"2\"", .contentLength: "7"]
    #expect(
      machine.receive(answer(200, headers, to: request), validation: .successCodes)
        == .startAnew(total: 7))
    #expect(machine.request(plain, size: 3).headers == [.range: "bytes=3-", .ifRange: "\"2\""])
  }

  @Test("an invalid or non-2xx response doesn't change the partial file")
  func errors() throws {
    var machine = try begun()
    let request = machine.request(plain, size: 40)
    #expect(machine.receive(answer(503, to: request), validation: .successCodes) == nil)
    #expect(machine.receive(answer(404, to: request), validation: .none) == nil)
    let created = Validation.codes([201])
    #expect(machine.receive(answer(206, to: request), validation: created) == nil)
    #expect(machine.receive(answer(200, to: request), validation: created) == nil)
    #expect(machine.record != nil)
    #expect(machine.request(plain, size: 40) == request)
  }

  @Test("an unrequested part is refused")
  func unasked() throws {
    var machine = DownloadStateMachine(url: Self.url, isResuming: true, record: nil)
    let request = machine.request(plain, size: 0)
    guard case .refuse = machine.receive(answer(206, to: request), validation: .successCodes) else {
      Issue.record("it is taken")
      return
    }
  }

  @Test("the target's own Range field isn't changed", arguments: [HTTPField.Name.range, .ifRange])
  func ownRange(name: HTTPField.Name) throws {
    var machine = try begun()
    var own = plain
    own.headers[name] = "bytes=5-"
    let request = machine.request(own, size: 40)
    #expect(request == own)
    let action = machine.receive(
      answer(206, [.contentRange: "bytes 5-99/100", .contentLength: "95"], to: request),
      validation: .successCodes)
    #expect(action == .startAnew(total: 95))
  }

  @Test("only a GET resumes a download")
  func methods() throws {
    var machine = try begun()
    let post = TargetRequest(method: .post, url: Self.url)
    #expect(machine.request(post, size: 40) == post)
  }

  @Test("a download resumes only on request, and for the same URL")
  func otherCalls() throws {
    let record = try #require(try begun().record)
    // It is written to the disk.
    #expect(!record.url.contains("hunter2"))
    func headers(_ url: String, isResuming: Bool) -> HTTPFields {
      var machine = DownloadStateMachine(url: url, isResuming: isResuming, record: record)
      return machine.request(TargetRequest(url: url), size: 40).headers
    }
    #expect(headers(Self.url, isResuming: true)[.range] == "bytes=40-")
    #expect(headers(Self.url, isResuming: false).isEmpty)
    #expect(headers("https://zoo.example/other", isResuming: true).isEmpty)
  }

  @Test("a response that can't be resumed doesn't leave a record")
  func notResuming() {
    var machine = DownloadStateMachine(url: Self.url, isResuming: false, record: nil)
    let request = machine.request(plain, size: 0)
    _ = machine.receive(answer(200, [.eTag: "\"1\""], to: request), validation: .successCodes)
    #expect(machine.record == nil)
  }

  @Test(
    "the numbers of a content range are digits, in order and below the total",
    arguments: [
      "bytes 1-2", "bytes 2-1/3", "bytes 0-3/3", "bytes -1-2/3", "bytes +0-1/3", "bytes 0-1/ 3",
      "bytes 0-1/99999999999999999999", "bytes  0-1/3", "0-1/3", "bytes 0-1/3/4", "", "bytes",
    ])
  func contentRanges(text: String) {
    #expect(ContentRange(text) == nil)
    #expect(ContentRange("bytes 0-1/3")?.total == 3)
  }
}
