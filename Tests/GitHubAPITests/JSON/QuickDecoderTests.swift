import Foundation
import HTTPTargets
import TestSupport
import Testing

@testable import GitHubAPI

@Suite("Decoding quickly")
struct QuickDecoderTests {
  /// What `JSONDecoder` makes of a text, or nil.
  private func expected<Value: Decodable>(_ type: Value.Type, _ json: String) -> Value? {
    try? GitHubJSON.decoder().decode(type, fromServer: Data(json.utf8))
  }

  private func quick<Value: Decodable>(_ type: Value.Type, _ json: String) -> Value? {
    GitHubJSON.decodeQuickly(type, from: Data(json.utf8))
  }

  private func compare<Value: Decodable & Equatable>(
    _ type: Value.Type, _ json: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      quick(type, json) == expected(type, json), "\(type) of \(json)",
      sourceLocation: sourceLocation)
  }

  @Test(
    "a single value of each type is what JSONDecoder says, or refused with it",
    arguments: [
      "null", "true", "false", "0", "-0", "1", "-1", "127", "128", "-129", "255", "256", "65536",
      "4294967296", "9223372036854775807", "9223372036854775808", "18446744073709551615",
      "18446744073709551616", "-9223372036854775808", "1.0", "1.5", "1e2", "1E+2", "1e-2", "0.1",
      "1e400", "123456789012345678901234567890", #""""#, #""1""#, #""true""#,
      #""2026-01-31T12:00:00Z""#,
      #""2026-01-31T12:00:00.5+01:00""#, #""https://example.org/a?b=c""#, #""aGVsbG8=""#,
      #""tab\tquote\"slash\/""#, #""\u00e9\ud83d\ude00""#, #""\ud800""#, #""\udc00x""#, "\"é😀\"",
      "[]", "{}", "[1]", " 1 ", "\n[ ]\t",
    ])
  func singleValues(json: String) {
    compare(Bool.self, json)
    compare(String.self, json)
    compare(Double.self, json)
    compare(Float.self, json)
    compare(Int.self, json)
    compare(Int8.self, json)
    compare(Int16.self, json)
    compare(Int32.self, json)
    compare(Int64.self, json)
    compare(UInt.self, json)
    compare(UInt8.self, json)
    compare(UInt16.self, json)
    compare(UInt32.self, json)
    compare(UInt64.self, json)
    compare(Date.self, json)
    compare(URL.self, json)
    compare(Data.self, json)
    compare(Decimal.self, json)
    // As an element, and as a member that must be there or may be missing.
    compare([Int?].self, "[\(json),\(json)]")
    compare([String].self, "[\(json)]")
    compare([Bool].self, "[\(json)]")
    compare([UInt8].self, "[\(json)]")
    compare([Double].self, "[\(json)]")
    compare([Date].self, "[\(json)]")
    compare([[Int]].self, "[\(json)]")
    compare([String: Int].self, #"{"a":\#(json)}"#)
    compare([String: Decimal].self, #"{"a":\#(json)}"#)
    compare([Int: String].self, #"{"1":\#(json)}"#)
    compare(Everything.self, #"{"bool":\#(json)}"#)
    compare(Everything.self, #"{"string":\#(json)}"#)
    compare(Everything.self, #"{"int":\#(json)}"#)
    compare(Everything.self, #"{"long":\#(json)}"#)
    compare(Everything.self, #"{"small":\#(json)}"#)
    compare(Everything.self, #"{"double":\#(json)}"#)
    compare(Everything.self, #"{"url":\#(json)}"#)
    compare(Everything.self, #"{"list":\#(json)}"#)
    compare(Required.self, #"{"string":\#(json),"int":1,"double":1}"#)
    compare(Required.self, #"{"string":"","int":\#(json),"double":1}"#)
    compare(Required.self, #"{"string":"","int":1,"double":\#(json)}"#)
  }

  private struct Everything: Decodable, Equatable {
    var bool: Bool?
    var string: String?
    var int: Int?
    var long: Int64?
    var small: UInt8?
    var double: Double?
    var url: URL?
    var list: [Int]?
  }

  private struct Required: Decodable, Equatable {
    var string: String
    var int: Int
    var double: Double
  }

  @Test(
    "what isn't JSON is left to JSONDecoder",
    arguments: [
      "", " ", "[", "{", "[,]", "[1 2]", #"{"a"}"#, #"{"a":}"#, "01", "1.", "+1", "nul", "tru",
      "\"", "\"\u{1}\"", #""\x""#, "1 2", "[1]]", "NaN", "'a'",
    ])
  func broken(json: String) {
    #expect(quick(Int.self, json) == nil)
    #expect(quick([Int].self, json) == nil)
    #expect(quick([String: Int].self, json) == nil)
    #expect(throws: DecodingError.self) {
      try GitHubJSON.decode([Int].self, from: Data(json.utf8))
    }
  }

  @Test("of two members with a name, the first counts, however the name is written")
  func names() throws {
    compare([String: Int].self, #"{"a":1,"b":2}"#)
    let twice = #"{"int":1,"int":2}"#
    compare(Everything.self, twice)
    #expect(quick(Everything.self, twice)?.int == 1)
    compare(Everything.self, #"{"i\u006et":1}"#)
    #expect(quick(Everything.self, #"{"i\u006et":1}"#)?.int == 1)
    compare(Everything.self, #"{"in":1,"intt":2,"":3}"#)
    compare([String: Int].self, #"{"":1,"é":2,"\ud83d\ude00":3}"#)
  }

  /// Walks by hand through what synthesized code doesn't.
  private struct ByHand: Decodable, Equatable {
    var found: [String] = []

    init(from decoder: any Decoder) throws {
      let object = try decoder.container(keyedBy: Key.self)
      found.append(object.allKeys.map(\.stringValue).sorted().joined(separator: ","))
      found.append("\(object.contains(.init("none"))) \(object.contains(.init("null")))")
      found.append("\(try object.decodeNil(forKey: .init("null")))")
      found.append("\((try? object.decodeNil(forKey: .init("none"))) == nil)")
      var list = try object.nestedUnkeyedContainer(forKey: .init("list"))
      found.append("\(list.count ?? -1) \(list.currentIndex)")
      found.append("\((try? list.decode(String.self)) == nil) \(list.currentIndex)")
      found.append("\(try list.decode(Int.self)) \(list.currentIndex)")
      found.append("\(try list.decodeNil()) \(list.currentIndex)")
      found.append("\(try list.decodeNil()) \(list.currentIndex)")
      let nested = try list.nestedContainer(keyedBy: Key.self)
      found.append("\(try nested.decode(Int.self, forKey: .init("a")))")
      found.append(place(nested.codingPath))
      var inner = try list.nestedUnkeyedContainer()
      found.append("\(try inner.decode(Bool.self)) \(inner.isAtEnd) \(place(inner.codingPath))")
      let last = try list.superDecoder()
      found.append(try last.singleValueContainer().decode(String.self))
      found.append("\(list.isAtEnd) \((try? list.decode(Int.self)) == nil)")
      let above = try object.superDecoder().singleValueContainer()
      found.append("\(try above.decode(Int.self)) \(place(above.codingPath))")
      let side = try object.superDecoder(forKey: .init("object")).container(keyedBy: Key.self)
      found.append("\(side.allKeys.count) \(place(side.codingPath))")
    }

    private func place(_ path: [any CodingKey]) -> String {
      path.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }.joined(separator: "/")
    }
  }

  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  @Test("nested containers, super decoders and paths are those of JSONDecoder")
  func byHand() throws {
    let json = #"""
      {"null":null, "list": [7, null, {"a":1}, [true], "end"], "super":3, "object":{"x":{}, "y":[]}}
      """#
    let found = try #require(quick(ByHand.self, json)).found
    #expect(found == expected(ByHand.self, json)?.found)
  }

  /// Keeps what it was decoded from.
  private struct Keeper: Decodable {
    let decoder: any Decoder
    init(from decoder: any Decoder) throws { self.decoder = decoder }
  }

  @Test("a decoder that was kept still has its text")
  func kept() throws {
    let keeper = try #require(quick(Keeper.self, #"{"name":"a text that is not a small string"}"#))
    let copy = try [String: String](from: keeper.decoder)
    #expect(copy == ["name": "a text that is not a small string"])
  }

  @Test("an entry of a page has its own bytes, wherever the page begins")
  func entries() throws {
    let body = Data(#"xx{"id":1,"number":7,"title":"t","state":"open"}yy"#.utf8)
    let entry = body.dropFirst(2).dropLast(2)
    let sent = try #require(GitHubJSON.decodeQuickly(Sent<GitHub.Issue>.self, from: entry))
    #expect(sent.entity.number == 7)
    #expect(sent.json == Data(#"{"id":1,"number":7,"title":"t","state":"open"}"#.utf8))
  }

  @Test("JSONDecoder reads what it alone accepts")
  func lenient() throws {
    #expect(quick([Int].self, "[1,]") == nil)
    #expect(try GitHubJSON.decode([Int].self, from: Data("[1,]".utf8)) == [1])
    let json = #"{"other":01,"int":1}"#
    #expect(quick(Everything.self, json) == nil)
    #expect(try GitHubJSON.decode(Everything.self, from: Data(json.utf8)).int == 1)
  }

  @Test("an object with thousands of members is JSONDecoder's, also where a type ignores it")
  func largeObjects() {
    struct Lenient: Decodable, Equatable {
      var names: [String: Int]?
      init(from decoder: any Decoder) throws { names = try? .init(from: decoder) }
    }
    let members = (0..<2_000).map { "\"\($0)\":\($0)" }.joined(separator: ",")
    #expect(quick(Lenient.self, "{\(members)}") == nil)
    #expect(quick(Everything.self, "{\(members)}") == nil)
    #expect(expected(Lenient.self, "{\(members)}")?.names?.count == 2_000)
    #expect(quick(Lenient.self, #"{"a":1,"a":2}"#)?.names == ["a": 1])
  }

  @Test("text with too many values or levels isn't decoded")
  func bombs() {
    let deep = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
    #expect(quick(Keeper.self, deep) == nil)
    let many = "[" + String(repeating: "1,", count: 1 << 18) + "1]"
    #expect(quick(Keeper.self, many) == nil)
  }
}
