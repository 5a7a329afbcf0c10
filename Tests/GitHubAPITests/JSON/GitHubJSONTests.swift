import GitHubAPI
import HTTPTargets
import PlatformModules
import Testing

@Suite("Decoding a server's JSON")
struct GitHubJSONTests {
  private static func decode<Value: Decodable>(_ type: Value.Type, _ json: String) throws -> Value {
    try GitHubJSON.decode(type, from: Data(json.utf8))
  }

  @Test(
    "a number is decoded exactly or refused",
    arguments: [
      ("9223372036854775807", .max), ("-9223372036854775808", .min), ("1e2", 100), ("1.0", 1),
      ("9223372036854775808", nil), ("123456789012345678901234567890", nil), ("1.5", nil),
      ("1e400", nil), (#""1""#, nil), ("true", nil), ("null", nil),
    ] as [(String, Int64?)])
  func numbers(json: String, number: Int64?) {
    #expect((try? Self.decode([Int64].self, "[\(json)]")) == number.map { [$0] })
  }

  @Test("the first of two members with equal names counts, even if they are escaped differently")
  func names() throws {
    struct Numbered: Decodable { var number: Int }
    #expect(try Self.decode(Numbered.self, #"{"number":1,"number":2}"#).number == 1)
    #expect(try Self.decode(Numbered.self, #"{"n\u0075mber":1}"#).number == 1)
  }

  @Test("JSON may begin with a byte order mark")
  func mark() throws {
    #expect(try Self.decode([Int].self, "\u{FEFF}[1]") == [1])
  }

  @Test(
    "invalid JSON, and JSON with too many levels or values, is refused",
    arguments: [
      "", "[", "[1 2]", "[1]]", "nul", "[NaN]", "\"\u{1}\"",
      String(repeating: "[", count: 300) + String(repeating: "]", count: 300),
      "[" + String(repeating: "1,", count: 1 << 18) + "1]",
    ])
  func refused(json: String) {
    #expect(throws: DecodingError.self) { try Self.decode([Int].self, json) }
    let response = TargetResponse(
      request: TargetRequest(url: "https://h"), status: .ok, body: Data(json.utf8))
    #expect(throws: NetworkError.self) {
      try response.decode([Int].self, using: GitHubJSON.decoder())
    }
  }
}
