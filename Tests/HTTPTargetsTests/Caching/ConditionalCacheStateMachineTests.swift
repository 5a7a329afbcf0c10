import HTTPTypes
import PlatformModules
import TestSupport
import TestTraits
import Testing

@testable import HTTPTargets

@Suite("ConditionalCacheStateMachine", .tags(.heavy))
struct ConditionalCacheStateMachineTests {
  private typealias Machine = ConditionalCacheStateMachine

  /// A machine that has found something in the store, and what it wants sent.
  private func asking(
    _ stored: StoredResponse?, request: TargetRequest = .animals()
  ) throws -> (machine: Machine, sent: TargetRequest, head: TargetResponse?) {
    var machine = Machine(request)
    guard case .lookUp(let key) = machine.start(validation: .successCodes) else {
      throw Unexpected(what: "not looked up")
    }
    #expect(key == ResponseKey(request))
    guard case .send(let sent, announcing: let head) = machine.found(stored) else {
      throw Unexpected(what: "not sent")
    }
    return (machine, sent, head)
  }

  private func answer(
    _ machine: inout Machine, _ response: TargetResponse
  ) throws -> (response: TargetResponse, change: Machine.Change) {
    guard case .answer(let response, let change) = machine.received(response) else {
      throw Unexpected(what: "no answer")
    }
    return (response, change)
  }

  private struct Unexpected: Error {
    var what: String
  }

  // MARK: What is none of its business

  @Test(
    "a conditional, uncacheable or non-GET request is passed on unchanged",
    arguments: [
      TargetRequest(method: .head, url: "https://zoo.example/a"),
      TargetRequest(method: .post, url: "https://zoo.example/a", body: Data("x".utf8)),
      TargetRequest(method: .delete, url: "https://zoo.example/a"),
      .animals([.ifNoneMatch: "\"1\""]), .animals([.ifModifiedSince: "yesterday"]),
      .animals([.ifMatch: "\"1\""]), .animals([.ifRange: "\"1\""]), .animals([.range: "bytes=5-"]),
      .animals([.ifUnmodifiedSince: "today"]), .animals([.cacheControl: "max-age=0, No-Store"]),
      .animals(path: "a?access_token=x"),
    ])
  func passedOn(request: TargetRequest) {
    var machine = Machine(request)
    guard case .passOn(let sent) = machine.start(validation: .successCodes) else {
      Issue.record("looked up")
      return
    }
    #expect(sent == request)
  }

  @Test(
    "a target that accepts a 304 receives it",
    arguments: [
      (Validation.none, false), (.successAndRedirectCodes, false),
      (.codes([200, 304]), false), (.codes([200]), true), (.successCodes, true),
    ])
  func validation(validation: Validation, isLookedUp: Bool) {
    var machine = Machine(.animals())
    if case .lookUp = machine.start(validation: validation) {
      #expect(isLookedUp)
    } else {
      #expect(!isLookedUp)
    }
  }

  // MARK: Asking

  @Test("a request without a stored response is unchanged, and doesn't report a head")
  func nothingStored() throws {
    let (_, sent, head) = try asking(nil)
    #expect(sent == .animals())
    #expect(head == nil)
  }

  @Test(
    "the condition is the strong or weak entity tag, or else the date",
    arguments: [
      ([.eTag: "\"1\""], [.ifNoneMatch: "\"1\""]),
      ([.eTag: "W/\"1\"", .lastModified: "then"], [.ifNoneMatch: "W/\"1\""]),
      ([.lastModified: "then"], [.ifModifiedSince: "then"]),
      ([.eTag: "", .lastModified: "then"], [.ifModifiedSince: "then"]),
    ] as [(HTTPFields, HTTPFields)])
  func conditions(stored: HTTPFields, added: HTTPFields) throws {
    let request = TargetRequest.animals([.accept: "text/zoo"])
    let (_, sent, _) = try asking(.animals(stored, request: request), request: request)
    var expected = request
    expected.headers.append(contentsOf: added)
    #expect(sent == expected)
  }

  @Test("the stored head is reported at once and unchanged")
  func announced() throws {
    var stored = try StoredResponse.animals()
    stored.url = "https://zoo.example/beasts"
    stored.redirects = ["https://zoo.example/animals"]
    let head = try #require(try asking(stored).head)
    #expect(head.status == .ok)
    #expect(head.headers == stored.headers)
    #expect(head.request.url == stored.url)
    #expect(head.redirects == stored.redirects)
    #expect(head.isFromCache)
  }

  @Test(
    "a stored response isn't revalidated if a field named by Vary differs",
    arguments: [
      ("User-Agent", "zoo/2", false), ("user-agent", "zoo/1", true), ("Accept", "zoo/2", true),
      ("Authorization, Cookie,Accept-Encoding , X-Requested-With", "zoo/2", true),
      ("Accept, X-Other, user-AGENT", "zoo/2", false),
    ])
  func vary(vary: String, agent: String, isAsked: Bool) throws {
    let stored = try StoredResponse.animals(
      [.eTag: "\"1\"", .vary: vary], request: .animals([.userAgent: "zoo/1"]))
    let (_, sent, head) = try asking(stored, request: .animals([.userAgent: agent]))
    #expect(sent.headers.contains(.ifNoneMatch) == isAsked)
    #expect((head != nil) == isAsked)
  }

  @Test("a stored response longer than the request's size limit isn't revalidated")
  func tooLong() throws {
    var request = TargetRequest.animals()
    request.maximumBodySize = 3
    #expect(try asking(.animals(body: "cats"), request: request).sent == request)
    request.maximumBodySize = 4
    #expect(try asking(.animals(body: "cats"), request: request).sent != request)
  }

  // MARK: What is stored

  @Test(
    "a 200 with a validator is stored unless a field forbids it",
    arguments: [
      (200, [.eTag: "\"1\""], true), (200, [.eTag: "W/\"1\""], true),
      (200, [.lastModified: "then"], true), (200, [:], false), (200, [.eTag: ""], false),
      (200, [.eTag: "\"1\"", .cacheControl: "private, max-age=60"], true),
      (200, [.eTag: "\"1\"", .cacheControl: "private, NO-STORE"], false),
      (200, [.eTag: "\"1\"", .vary: "Accept, *"], false), (201, [.eTag: "\"1\""], false),
      (203, [.eTag: "\"1\""], false), (206, [.eTag: "\"1\""], false),
      (301, [.eTag: "\"1\""], false), (304, [.eTag: "\"1\""], false),
      (401, [.eTag: "\"1\""], false), (403, [.eTag: "\"1\""], false),
      (404, [.eTag: "\"1\""], false), (500, [.eTag: "\"1\""], false),
    ] as [(Int, HTTPFields, Bool)])
  func stored(status: Int, headers: HTTPFields, isStored: Bool) throws {
    var (machine, _, _) = try asking(nil)
    let received = TargetResponse.animals(HTTPResponse.Status(code: status), headers, body: "cats")
    let (response, change) = try answer(&machine, received)
    #expect(response.status.code == status)
    #expect(!response.isFromCache)
    if isStored {
      let expected = try #require(StoredResponse(received, to: .animals()))
      #expect(change == .store(expected, try .animals()))
    } else {
      #expect(change == .none)
    }
  }

  @Test("a redirected response is stored with its redirects under the requested URL")
  func redirected() throws {
    var (machine, _, _) = try asking(nil)
    var received = TargetResponse.animals(
      .ok, [.eTag: "\"1\""], body: "cats", url: "https://zoo.example/beasts")
    received.redirects = ["https://zoo.example/animals"]
    guard case .store(let stored, let key) = try answer(&machine, received).change else {
      Issue.record("not stored")
      return
    }
    #expect(stored.url == "https://zoo.example/beasts")
    #expect(stored.redirects == ["https://zoo.example/animals"])
    #expect(key == (try .animals()))
  }

  // MARK: What the server says of a stored answer

  @Test("a 304 returns the stored body with status 200 and updated fields")
  func confirmed() throws {
    let limit = HTTPField.Name.named("X-RateLimit-Remaining")
    let stored = try StoredResponse.animals([
      .eTag: "\"1\"", .contentType: "text/zoo", .contentLength: "4", limit: "10", .vary: "Accept",
      .named("Link"): "</2>; rel=next",
    ])
    var (machine, sent, _) = try asking(stored)
    var received = TargetResponse.animals(
      .notModified,
      [
        .eTag: "W/\"1\"", limit: "9", .named("X-New"): "new", .contentType: "text/html",
        .contentLength: "0", .contentEncoding: "gzip", .connection: "close",
      ])
    received.request = sent
    received.attempts = 2
    let (response, _) = try answer(&machine, received)
    #expect(response.status == .ok)
    #expect(response.body == Data("cats".utf8))
    #expect(response.isFromCache)
    #expect(response.request == sent)
    #expect(response.attempts == 2)
    #expect(
      response.headers == [
        .eTag: "W/\"1\"", .contentType: "text/zoo", .contentLength: "4", limit: "9",
        .vary: "Accept", .named("Link"): "</2>; rel=next", .named("X-New"): "new",
      ])
  }

  @Test(
    "a 304 updates the store only if a relevant field changes",
    arguments: [
      ([.named("X-RateLimit-Remaining"): "9", .date: "now"], false), ([:], false),
      ([.eTag: "\"1\""], false), ([.eTag: "W/\"1\""], true), ([.named("Link"): "</3>"], true),
      ([.vary: "Accept"], true),
    ] as [(HTTPFields, Bool)])
  func confirmedChange(headers: HTTPFields, isStored: Bool) throws {
    var (machine, _, _) = try asking(.animals())
    let (response, change) = try answer(&machine, .animals(.notModified, headers))
    if case .store(let new, _) = change {
      #expect(isStored)
      #expect(new.headers == response.headers)
      #expect(new.body == response.body)
    } else {
      #expect(!isStored)
      #expect(change == .none)
    }
  }

  @Test("a 304 that forbids storing returns the stored response and removes it")
  func forbidden() throws {
    var (machine, _, _) = try asking(.animals())
    let (response, change) = try answer(
      &machine, .animals(.notModified, [.cacheControl: "no-store"]))
    #expect(response.body == Data("cats".utf8))
    #expect(change == .remove(try .animals()))
  }

  @Test(
    "a 304 with another tag or URL, a 404 and a 410 cause an unconditional request",
    arguments: [
      .animals(.notModified, [.eTag: "\"2\""]),
      .animals(.notModified, url: "https://zoo.example/elsewhere"), .animals(.notFound),
      .animals(.gone),
    ] as [TargetResponse])
  func askedAgain(received: TargetResponse) throws {
    var (machine, _, _) = try asking(.animals())
    guard case .send(let sent, announcing: nil) = machine.received(received) else {
      Issue.record("not sent again")
      return
    }
    #expect(sent == .animals())
    // And only once, whatever comes.
    let (response, change) = try answer(&machine, received)
    #expect(response.status == received.status)
    let isGone = received.status != .notModified
    #expect(change == (isGone ? .remove(try .animals()) : .none))
  }

  @Test("a 304 after other redirects causes an unconditional request")
  func otherRedirects() throws {
    var (machine, _, _) = try asking(.animals())
    var received = TargetResponse.animals(.notModified)
    received.redirects = ["https://zoo.example/elsewhere"]
    guard case .send(let sent, announcing: nil) = machine.received(received) else {
      Issue.record("not sent again")
      return
    }
    #expect(sent == .animals())
    let (response, change) = try answer(
      &machine, .animals(.ok, [.eTag: "\"2\""], body: "dogs"))
    #expect(response.body == Data("dogs".utf8))
    #expect(change == .store(try .animals([.eTag: "\"2\""], body: "dogs"), try .animals()))
  }

  @Test("a changed response replaces the stored one, or removes it if it can't be stored")
  func changed() throws {
    var (machine, _, _) = try asking(.animals())
    let (response, change) = try answer(&machine, .animals(.ok, [.eTag: "\"2\""], body: "dogs"))
    #expect(response.body == Data("dogs".utf8))
    #expect(!response.isFromCache)
    #expect(change == .store(try .animals([.eTag: "\"2\""], body: "dogs"), try .animals()))

    (machine, _, _) = try asking(.animals())
    #expect(
      try answer(&machine, .animals(.ok, body: "dogs")).change == .remove(try .animals()))
  }

  @Test(
    "an error keeps the stored response", arguments: [401, 403, 408, 422, 429, 500, 503])
  func errors(status: Int) throws {
    var (machine, _, _) = try asking(.animals())
    let received = TargetResponse.animals(HTTPResponse.Status(code: status), [.eTag: "\"2\""])
    let (response, change) = try answer(&machine, received)
    #expect(response.status.code == status)
    #expect(change == .none)
  }

  @Test("a stored response stays bounded, regardless of the fields that each 304 adds")
  func growingHead() throws {
    var stored = try StoredResponse.animals()
    for round in 0..<(runsFullTests ? 80 : 10) {
      var headers: HTTPFields = [.named("Link"): "</\(round)>; rel=\"next\""]
      for number in 0..<1000 { headers[.named("X-\(round)-\(number)")] = "" }
      var (machine, sent, _) = try asking(stored)
      guard
        case .answer(_, .store(let new, _)) = machine.received(
          TargetResponse(request: sent, status: .notModified, headers: headers))
      else {
        // The whole answer is asked for, and what it brings takes the place of what was there.
        stored = try .animals()
        continue
      }
      stored = new
      try #require(stored.headers.count <= 2000)
    }
  }
}
