import HTTPTargets
import PlatformModules
import Testing

@Suite("Decoding a response")
struct DecodingTests {
  private struct Animal: Decodable, Equatable {
    var name: String
    var legCount: Int?
  }

  private func response(
    _ body: some Sequence<UInt8>, contentType: String? = "application/json"
  ) -> TargetResponse {
    TargetResponse(
      request: TargetRequest(url: "https://zoo.example/animals?token=hunter2"), status: .ok,
      headers: contentType.map { [.contentType: $0] } ?? [:], body: Data(body))
  }

  private func response(_ body: String, contentType: String? = "application/json") -> TargetResponse
  {
    response(body.utf8, contentType: contentType)
  }

  private func expectUndecodable<Value: Decodable>(
    _ type: Value.Type, _ body: String, at keyPath: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let error = try #require(
      #expect(throws: NetworkError.self, sourceLocation: sourceLocation) {
        try response(body).decode(type, at: keyPath)
      }, sourceLocation: sourceLocation)
    #expect(error.code == .decoding, sourceLocation: sourceLocation)
    #expect(error.response?.text() == body, sourceLocation: sourceLocation)
  }

  @Test("a body can be an object, an array or a scalar")
  func whole() throws {
    #expect(try response(#"{"name":"Gina"}"#).decode(Animal.self) == Animal(name: "Gina"))
    #expect(try response("[1,2]").decode([Int].self) == [1, 2])
    #expect(try response(" 12 ").decode(Int.self) == 12)
    #expect(try response(#""é""#).decode(String.self) == "é")
  }

  @Test("a key path can lead to an object, an array or a scalar")
  func keyPaths() throws {
    let response = response(
      #"{"data":{"zoo":{"animal":{"name":"Gina"},"list":[{"name":"A"}],"n":1,"b":true,"s":"x"}}}"#)
    #expect(try response.decode(at: "data.zoo.animal") == Animal(name: "Gina"))
    #expect(try response.decode(at: "data.zoo.list") == [Animal(name: "A")])
    #expect(try response.decode(at: "data.zoo.n") == 1)
    #expect(try response.decode(at: "data.zoo.b") == true)
    #expect(try response.decode(at: "data.zoo.s") == "x")
  }

  @Test("the decoder's strategies apply at the end of a key path")
  func strategies() throws {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let animals = try response(#"{"items":[{"name":"A","leg_count":4}]}"#)
      .decode([Animal].self, at: "items", using: decoder)
    #expect(animals == [Animal(name: "A", legCount: 4)])
  }

  @Test("decoding doesn't convert between types")
  func noCoercion() throws {
    try expectUndecodable(Bool.self, #"{"a":{"v":1}}"#, at: "a.v")
    try expectUndecodable(Int.self, #"{"a":{"v":"123"}}"#, at: "a.v")
    try expectUndecodable(Int.self, #"{"a":{"v":true}}"#, at: "a.v")
    try expectUndecodable(Int.self, #"{"a":{"v":1.5}}"#, at: "a.v")
    try expectUndecodable(String.self, #"{"a":{"v":123}}"#, at: "a.v")
    try expectUndecodable([Int].self, #"{"a":{"v":1}}"#, at: "a.v")
    try expectUndecodable(String.self, #"{"a":{"v":null}}"#, at: "a.v")
    try expectUndecodable(Bool.self, "1")
  }

  @Test("a decoding error shows a missing key path", arguments: ["b", "a.b", "a.v.c", "a.v.c.d"])
  func missingKey(keyPath: String) throws {
    try expectUndecodable(Int.self, #"{"a":{"v":1}}"#, at: keyPath)
  }

  @Test("a decoding error has the number of attempts of its response")
  func attempts() {
    var response = TargetResponse(
      request: TargetRequest(url: "https://a"), status: .ok, body: Data("[".utf8))
    response.attempts = 3
    let error = #expect(throws: NetworkError.self) { try response.decode([Int].self) }
    #expect(error?.attempts == 3)
  }

  @Test("a decoding error shows the path and the problem")
  func explanation() throws {
    let error = try #require(
      #expect(throws: NetworkError.self) {
        try response(#"{"list":[{"name":"A"},{"name":2}]}"#).decode([Animal].self, at: "list")
      })
    #expect(error.message.contains("[1].name"))
    #expect(error.message.contains("String"))
    #expect(error.underlying is DecodingError)
  }

  @Test("a decoding error names JSON types, not Swift's")
  func expectation() {
    for (body, words) in [
      ("[]", "expected an object, found an array"), ("1", "expected an object, found a number"),
      (#"{"name":true}"#, "expected a String, found a Boolean at .name"),
      (#"{"name":null}"#, "expected a String, found null at .name"),
      (#"{"name":"","legCount":{}}"#, "expected an Int, found an object at .legCount"),
    ] {
      let error = #expect(throws: NetworkError.self) { try response(body).decode(Animal.self) }
      #expect(error?.message.hasSuffix(": \(words)") == true, "\(error?.message ?? "")")
    }
    let error = #expect(throws: NetworkError.self) { try response("{}").decode([Animal].self) }
    #expect(error?.message.hasSuffix("expected an array, found an object") == true)
  }

  @Test("a decoding error shows the place of a wrong type")
  func place() {
    struct Owner: Decodable { var login: Int }
    struct Item: Decodable { var owner: Owner }
    struct Page: Decodable { var items: [Item] }
    let error = #expect(throws: NetworkError.self) {
      try response(#"{"items":[{"owner":{"login":"ada"}}]}"#).decode(Page.self)
    }
    #expect(
      error?.message.hasSuffix("expected an Int, found a string at .items[0].owner.login") == true)
  }

  @Test(
    "the error for a body that isn't JSON contains the body, the content type and the URL",
    arguments: ["<html><body>Unicorn!</body></html>", "{", "", "nul", "{\"a\":1}}"])
  func notJSON(body: String) throws {
    let response = response(body, contentType: "text/html; charset=utf-8")
    let error = try #require(
      #expect(throws: NetworkError.self) { try response.decode([String: Int].self) })
    #expect(error.code == .decoding)
    #expect(error.response?.text() == body)
    #expect(error.message.contains("text/html; charset=utf-8"))
    #expect(error.message.contains("https://zoo.example/animals"))
    #expect(!error.message.contains("hunter2"))
  }

  @Test(
    "the error for a compressed body that isn't JSON mentions possible truncation",
    arguments: [
      ("", "gzip", true), (#"{"name": "Gi"#, "gzip", true), (#"{"name": 1}"#, "gzip", false),
      ("", nil, false), (#"{"name": "Gi"#, nil, false),
    ] as [(String, String?, Bool)])
  func cutShort(body: String, encoding: String?, isNoted: Bool) throws {
    var response = response(body)
    response.headers[.contentEncoding] = encoding
    let error = try #require(
      #expect(throws: NetworkError.self) { try response.decode(Animal.self) })
    #expect(error.code == .decoding)
    #expect(error.message.hasSuffix("; compressed as gzip, it may have been cut short") == isNoted)
  }

  @Test("a decoding error mentions a missing content type", arguments: [nil, ""])
  func noContentType(contentType: String?) throws {
    let error = #expect(throws: NetworkError.self) {
      try response("x", contentType: contentType).decode(Int.self)
    }
    #expect(error?.message.contains("answered with a body of no content type that") == true)
  }

  @Test("an empty body decodes as an empty list or object if allowed, and is an error otherwise")
  func empty() throws {
    let empty = response("")
    #expect(try empty.decode([Animal].self, allowsEmptyBody: true) == [])
    #expect(try empty.decode([String: Int].self, allowsEmptyBody: true) == [:])
    #expect(throws: NetworkError.self) { try empty.decode([Animal].self) }
    #expect(throws: NetworkError.self) { try empty.decode(Animal.self, allowsEmptyBody: true) }
    #expect(throws: NetworkError.self) { try empty.decode(Int.self, allowsEmptyBody: true) }
  }

  @Test("invalid UTF-8 is decoded as replacement characters")
  func invalidUTF8() throws {
    let body = Array(#"{"name":"a"#.utf8) + [0xFF, 0xC3] + Array(#"b"}"#.utf8)
    #expect(try response(body).decode(Animal.self).name == "a\u{FFFD}\u{FFFD}b")
    #expect(try response(body).decode(String.self, at: "name") == "a\u{FFFD}\u{FFFD}b")
    #expect(response(body).text().contains("a\u{FFFD}\u{FFFD}b"))
  }

  @Test(
    "an escaped lone surrogate is decoded as a replacement character",
    arguments: [
      (#"\ud83e"#, "\u{FFFD}"), (#"\udd92"#, "\u{FFFD}"), (#"\ud83e\udd92"#, "🦒"),
      (#"\uD83Ex"#, "\u{FFFD}x"), (#"\ud83e\ud83e\udd92"#, "\u{FFFD}🦒"),
      (#"\\ud83e"#, #"\ud83e"#), (#"\\\ud83e"#, "\\\u{FFFD}"), (#"\ud83e\n"#, "\u{FFFD}\n"),
      (#"\ud83e\u0041"#, "\u{FFFD}A"), (#"\udd92\ud83e"#, "\u{FFFD}\u{FFFD}"),
    ])
  func loneSurrogates(escaped: String, text: String) throws {
    // The invalid half beside it forces the repair of those that are right, too.
    #expect(
      try response(#"{"a":"\#(escaped)","b":"\ud800"}"#).decode([String: String].self)
        == ["a": text, "b": "\u{FFFD}"])
  }

  @Test("repairing valid text doesn't change it")
  func nothingToRepair() {
    for text in [#"{"a":"\ud83e\udd92 é \\ \" \u0041"}"#, "", "\\", #"\u12"#, #"\"#] {
      #expect(JSONRepair.repaired(Data(text.utf8)) == nil)
    }
  }

  @Test("the number of values isn't limited, unless the decoder limits it")
  func count() throws {
    let decoder = JSONDecoder()
    let response = response("[\(Array(repeating: "1", count: 300_000).joined(separator: ","))]")
    #expect(try response.decode([Int].self, using: decoder).count == 300_000)
    decoder.userInfo[.maximumJSONCount] = 1 << 18
    let error = #expect(throws: NetworkError.self) {
      try response.decode([Int].self, using: decoder)
    }
    #expect(error?.message.hasSuffix("made of more than 262144 values") == true)
  }

  @Test("nested levels are limited, because Foundation crashes on 513")
  func depth() throws {
    struct Anything: Decodable { init(from decoder: any Decoder) {} }
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    _ = try response(nested(256)).decode(Anything.self)
    try expectUndecodable(Anything.self, nested(257))
  }
}
