import PlatformModules
import TestSupport
import TestTraits
import Testing

@testable import HTTPTargets

@Suite("Fuzzed messages", .tags(.heavy), .timeLimit(.minutes(10)))
struct MessageFuzzTests {
  /// Takes any JSON.
  private indirect enum Anything: Decodable {
    case value

    init(from decoder: any Decoder) throws {
      self = .value
      if let container = try? decoder.container(keyedBy: Name.self) {
        for key in container.allKeys { _ = try container.decode(Anything.self, forKey: key) }
      } else if var container = try? decoder.unkeyedContainer() {
        while !container.isAtEnd { _ = try container.decode(Anything.self) }
      } else {
        let container = try decoder.singleValueContainer()
        if (try? container.decode(Double.self)) == nil { _ = try? container.decode(String.self) }
      }
    }

    private struct Name: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { return nil }
    }
  }

  private static let texts = [
    #"{"data":{"name":"a\ud83d\ude00b","list":[1,-2.5e3,true,null,"\\\"\u0000"]}}"#,
    #"[[],[[]],{"a":{"b":[{}]}}]"#, #""text""#, "12", "[\"\\ud800\"]", " { } ",
  ]
  private static let words = [
    "{", "}", "[", "]", "\"", "\\", "\\u", "\\ud83d", "\\ude00", ":", ",", "null", "true", "1e9",
  ]

  private static func response(_ body: [UInt8]) -> TargetResponse {
    TargetResponse(
      request: TargetRequest(url: "https://h.example/x"), status: .ok,
      headers: [.contentType: "application/json"], body: Data(body))
  }

  private static func body(using source: inout FuzzSource) -> [UInt8] {
    switch source.below(4) {
    case 0: source.bytes(upTo: 200)
    case 1: Array(source.text(words: Self.words).utf8)
    default:
      source.mutation(of: texts.map { Array($0.utf8) }, words: words, upTo: 8_192)
    }
  }

  @Test("any body decodes or throws a decoding error with the body")
  func bodies() {
    let failure = FuzzTest("bodies", iterations: 400).run { source in
      let body = Self.body(using: &source)
      let keyPath = source.pick(["", "", "data", "data.list", source.text(upTo: 3)])
      do throws(NetworkError) {
        _ = try Self.response(body).decode(Anything.self, at: keyPath)
      } catch {
        try check(error.code == .decoding, "\(error) for \(body)")
        try check(error.response?.body == Data(body), "\(body)")
        try check(error.message.utf8.count < 1_000 + keyPath.utf8.count, error.message)
      }
    }
    #expect(failure == nil)
  }

  @Test("repaired text is UTF-8 without lone surrogates, and a second repair doesn't change it")
  func repair() {
    let failure = FuzzTest("repair", iterations: 400).run { source in
      let body = Data(Self.body(using: &source))
      guard let repaired = JSONRepair.repaired(body) else {
        try check(String(validating: body, as: UTF8.self) != nil, "\(Array(body))")
        return
      }
      try check(String(validating: repaired, as: UTF8.self) != nil, "\(Array(body))")
      try check(JSONRepair.repaired(repaired) == nil, "\(Array(body))")
    }
    #expect(failure == nil)
  }

  @Test(
    "text nested too deep throws an error, wherever it is truncated",
    arguments: ["[", "{\"a\":", "[{\"a\":", "[\"]\",", "{\"[\":[", "[[1],"],
    [256, 257, 512, 513, 514, 100_000])
  func nesting(opening: String, count: Int) throws {
    for end in ["", " ", "1", "\"", "\\", "\u{0}"] {
      let body = Array((String(repeating: opening, count: count) + end).utf8)
      let error = #expect(throws: NetworkError.self) {
        try Self.response(body).decode(Anything.self)
      }
      #expect(error?.code == .decoding)
      if count > 257 { #expect(error?.message.contains("more than 256 levels deep") == true) }
    }
  }

  /// The parser of Foundation traps on this one, among others.
  @Test("text that ends at the first excessive level doesn't crash the process")
  func lastBracket() {
    let error = #expect(throws: NetworkError.self) {
      try Self.response([UInt8](repeating: UInt8(ascii: "["), count: 513)).decode(Anything.self)
    }
    #expect(error?.message.hasSuffix("nested more than 256 levels deep") == true)
  }

  @Test("JSON nested to the maximum depth is decoded")
  func depth() throws {
    let text = String(repeating: "[", count: 256) + String(repeating: "]", count: 256)
    _ = try Self.response(Array(text.utf8)).decode(Anything.self)
    // Brackets in strings are text, escaped quotes don't end them.
    let brackets = String(repeating: "[{", count: 1_000)
    _ = try Self.response(Array(#"["\#(brackets)\"\#(brackets)\\"]"#.utf8)).decode([String].self)
    _ = try Self.response(Array("[\(String(repeating: "[],", count: 1_000))[]]".utf8))
      .decode(Anything.self)
  }

  @Test("JSON in UTF-16 is refused, because its brackets can't be found by byte")
  func wide() {
    let text = "[\"\u{2200}\",\(String(repeating: "[", count: 512))"
    for (mark, flips) in [([], false), ([], true), ([0xFF, 0xFE], false), ([0xFE, 0xFF], true)]
      as [([UInt8], Bool)]
    {
      let units = text.utf16.flatMap { unit -> [UInt8] in
        let bytes = [UInt8(truncatingIfNeeded: unit), UInt8(truncatingIfNeeded: unit >> 8)]
        return flips ? bytes.reversed() : bytes
      }
      let error = #expect(throws: NetworkError.self) {
        try Self.response(mark + units).decode(Anything.self)
      }
      #expect(error?.message.contains("not in UTF-8") == true)
    }
  }

  /// A time as header fields have it, by the C library: another implementation than the one that reads it.
  private static func text(of seconds: Int) -> String {
    var seconds = time_t(seconds)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    var buffer = [CChar](repeating: 0, count: 64)
    strftime(&buffer, buffer.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  @Test("any valid date is read to the second, and a changed one is never read out of range")
  func dates() {
    let failure = FuzzTest("dates").run { source in
      let seconds = source.below(253_402_300_800)
      let date = Date(timeIntervalSince1970: Double(seconds))
      let text = Self.text(of: seconds)
      try check(HTTPDate.date(from: text) == date, "\(text) is \(seconds)")
      let mutated = source.mutation(
        of: [text], words: ["GMT", "Feb", "30", " ", ":", "60", "٣"], upTo: 200)
      guard let read = HTTPDate.date(from: mutated) else { return }
      try check(
        (0...253_402_300_800).contains(read.timeIntervalSince1970), mutated.debugDescription)
      try check(mutated.utf8.count == text.utf8.count, mutated.debugDescription)
    }
    #expect(failure == nil)
  }

  @Test("decoding and repairing take time proportional to the body's length")
  func length() {
    for piece in [
      "[", "{", "\"", "\\", "\\\"", "\"\\", "\\ud800", "\u{301}", "[],", "\0", "é", "{\"a\":1},",
    ] {
      let text = String(repeating: piece, count: FuzzTest.longLength / piece.utf8.count)
      for body in [Array(text.utf8), Array("[\"\(text)".utf8), Array("[\(text)1]".utf8)] {
        _ = try? Self.response(body).decode([String].self)
        _ = JSONRepair.repaired(Data(body))
      }
    }
  }
}
