import HTTPTypes
import PlatformModules
import Testing

@testable import HTTPTargets

@Suite("StoredResponse")
struct StoredResponseTests {
  private static let json: HTTPFields = [
    .eTag: "\"1\"", .contentType: "application/json; charset=utf-8",
  ]

  private func file(_ response: StoredResponse, _ key: ResponseKey) throws -> [UInt8] {
    try #require(response.head(under: key)) + Array(response.body)
  }

  private func small() throws -> StoredResponse {
    var response = try StoredResponse.animals(
      [.eTag: "W/\"1\"", .vary: "Accept", .named("Link"): "</2>; rel=\"next\""], body: "[\"cat\"]")
    response.redirects = ["https://zoo.example/a", "https://zoo.example/b"]
    response.headers.append(HTTPField(name: .named("Link"), value: "</>; rel=\"first\""))
    return response
  }

  @Test("a stored response survives writing and reading", arguments: [0, 1, 7, 8, 9, 100_000])
  func roundTrip(length: Int) throws {
    var response = try small()
    response.body = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let key = try ResponseKey.animals()
    #expect(StoredResponse.decode(try file(response, key), for: key) == .response(response))
  }

  @Test("a file with any changed byte isn't a stored response")
  func changed() throws {
    let key = try ResponseKey.animals()
    let whole = try file(small(), key)
    for index in whole.indices {
      for change: UInt8 in [1, 0x80, 0xFF, whole[index]] where change != 0 {
        var bytes = whole
        bytes[index] ^= change
        #expect(StoredResponse.decode(bytes, for: key) == .damaged, "byte \(index) ^ \(change)")
      }
    }
  }

  @Test("a file that is truncated anywhere, or longer than declared, isn't a stored response")
  func cut() throws {
    let key = try ResponseKey.animals()
    let whole = try file(small(), key)
    for length in whole.indices {
      #expect(StoredResponse.decode(Array(whole[..<length]), for: key) == .damaged)
    }
    #expect(StoredResponse.decode(whole + [0], for: key) == .damaged)
    #expect(StoredResponse.decode(whole + whole, for: key) == .damaged)
  }

  @Test("a file with valid checksums and wrong lengths isn't a stored response", arguments: 0..<200)
  func madeUp(seed: UInt64) throws {
    // The part between the checksummed head and the body is random, its frame valid.
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func random() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
    let key = try ResponseKey.animals()
    var middle: [UInt8] = []
    middle.append(text: key.text)
    for _ in 0..<Int(random() % 40) {
      middle.append(number: UInt8(truncatingIfNeeded: random() % 3 == 0 ? random() : 0))
    }
    var bytes = StoredResponse.magic
    bytes.append(number: UInt32(middle.count))
    bytes.append(number: UInt32(0))
    bytes.append(number: [UInt8]().withUnsafeBytes(WordChecksum.of))
    bytes.append(number: (bytes + middle).withUnsafeBytes(WordChecksum.of))
    switch StoredResponse.decode(bytes + middle, for: key) {
    case .damaged: break
    case .otherKey: Issue.record("it is under this key")
    case .response(let response): #expect(response.body.isEmpty)
    }
  }

  @Test("a file with too many fields isn't a stored response", arguments: [2000, 2001, 65_536])
  func manyFields(count: Int) throws {
    let key = try ResponseKey.animals()
    var middle: [UInt8] = []
    for text in [key.text, "", "https://zoo.example/animals"] { middle.append(text: text) }
    middle.append(number: UInt32(0))
    middle.append(number: UInt32(count))
    for _ in 0..<count {
      middle.append(text: "x")
      middle.append(text: "")
    }
    var bytes = StoredResponse.magic
    bytes.append(number: UInt32(middle.count))
    bytes.append(number: UInt32(0))
    bytes.append(number: [UInt8]().withUnsafeBytes(WordChecksum.of))
    bytes.append(number: (bytes + middle).withUnsafeBytes(WordChecksum.of))
    #expect((StoredResponse.decode(bytes + middle, for: key) == .damaged) == (count > 2000))
  }

  @Test("a file of another key isn't this key's response")
  func otherKey() throws {
    let whole = try file(small(), .animals())
    #expect(StoredResponse.decode(whole, for: try .animals("other")) == .otherKey)
  }

  @Test(
    "a truncated response isn't stored",
    arguments: [
      (json, "[1, 2]", true), (json, "[1, 2", false), (json, "", false), (json, "<html>", false),
      ([.eTag: "1", .contentType: "application/vnd.zoo+JSON"], "{", false),
      ([.eTag: "1", .contentType: "text/zoo"], "{", true),
      // The end of a compressed body is unknown.
      ([.eTag: "1", .contentType: "text/zoo", .contentEncoding: "gzip"], "{", false),
      ([.eTag: "1", .contentType: "application/json", .contentEncoding: "gzip"], "[]", true),
    ] as [(HTTPFields, String, Bool)])
  func whole(headers: HTTPFields, body: String, isKept: Bool) throws {
    let response = try StoredResponse.animals(headers, body: body)
    #expect(response.keepable() == (isKept ? response : nil))
  }

  @Test("a response that repeats the request's secret isn't stored")
  func echo() throws {
    let token = "ghp_0123456789abcdefghijklmnop"
    let request = TargetRequest.animals([.authorization: "Bearer \(token)"])
    #expect(StoredResponse(.animals(.ok, [.eTag: "1"], body: "cats"), to: request) != nil)
    let body = #"{"headers": {"Authorization": "Bearer \#(token)"}}"#
    #expect(StoredResponse(.animals(.ok, [.eTag: "1"], body: body), to: request) == nil)
    let headers: HTTPFields = [.eTag: "1", .named("X-Echo"): "[\(token)]"]
    #expect(StoredResponse(.animals(.ok, headers), to: request) == nil)
    #expect(StoredResponse(.animals(.ok, [.eTag: token]), to: request) == nil)
    // A token that took the place of the request's.
    var answer = TargetResponse.animals(.ok, [.eTag: "1"], body: body)
    answer.request.headers = request.headers
    #expect(StoredResponse(answer, to: .animals()) == nil)
  }

  @Test(
    "a response to credentials is stored only under credentials",
    arguments: [
      ([:], [:], true), ([.authorization: "1"], [.authorization: "1"], true),
      // Another token in the place of the first one, and a redirect that leaves it behind.
      ([.authorization: "1"], [.authorization: "2"], true), ([.authorization: "1"], [:], true),
      ([:], [.authorization: "1"], false), ([.accept: "1"], [.cookie: "1"], false),
    ] as [(HTTPFields, HTTPFields, Bool)])
  func credentials(asked: HTTPFields, sent: HTTPFields, isStored: Bool) {
    var answer = TargetResponse.animals(.ok, [.lastModified: "yesterday"], body: "cats")
    answer.request.headers = sent
    #expect((StoredResponse(answer, to: .animals(asked)) != nil) == isStored)
  }

  @Test("a validator too long to send back is ignored", arguments: [1024, 1025, 200_000])
  func longValidator(length: Int) throws {
    let long = String(repeating: "x", count: length)
    for name in [HTTPField.Name.eTag, .lastModified] {
      #expect(
        (StoredResponse(.animals(.ok, [name: long]), to: .animals()) != nil) == (length <= 1024))
    }
    let both = try StoredResponse.animals([.eTag: long, .lastModified: "yesterday"])
    #expect((both.entityTag != nil) == (length <= 1024))
    #expect(both.lastModified == "yesterday")
  }

  @Test("cookies, tokens and responses with a secret in a URL aren't stored")
  func secrets() throws {
    let response = try StoredResponse.animals([
      .eTag: "\"1\"", .setCookie: "session=1", .named("X-Refresh-Token"): "t",
    ])
    #expect(response.keepable()?.headers == [.eTag: "\"1\""])

    let link = HTTPField.Name.named("Link")
    let secret = "<https://zoo.example/2?access_token=x>; rel=next"
    #expect(try StoredResponse.animals([.eTag: "1", link: secret]).keepable() == nil)
    var redirected = try StoredResponse.animals()
    redirected.redirects = ["https://zoo.example/?signature=x"]
    #expect(redirected.keepable() == nil)
    redirected = try .animals()
    redirected.url = "https://zoo.example/?token=x"
    #expect(redirected.keepable() == nil)
  }
}
