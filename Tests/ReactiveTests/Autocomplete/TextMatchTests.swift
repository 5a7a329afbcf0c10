import Reactive
import Testing

@Suite("Matching predictions")
struct TextMatchTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let match: TextMatch
    let query: String
    let text: String
    /// The parts of the text that match, nil when it doesn't.
    let parts: [String]?

    init(_ match: TextMatch, _ query: String, in text: String, _ parts: [String]?) {
      (self.match, self.query, self.text, self.parts) = (match, query, text, parts)
    }

    var testDescription: String { "\(match) \(query) in \(text)" }
  }

  private func parts(_ sample: Case) -> [String]? {
    sample.match.ranges(of: sample.query, in: sample.text)?.map { String(sample.text[$0]) }
  }

  @Test(
    "each mode finds its matches regardless of case",
    arguments: [
      Case(.prefix, "SW", in: "swift", ["sw"]),
      Case(.prefix, "swift", in: "Swift", ["Swift"]),
      Case(.prefix, "if", in: "swift", nil),
      Case(.prefix, "swiftly", in: "swift", nil),
      Case(.wordPrefix, "arg", in: "swift-argument-parser", ["arg"]),
      Case(.wordPrefix, "sw par", in: "swift-argument-parser", ["sw", "par"]),
      Case(.wordPrefix, "apple/sw", in: "Apple/Swift", ["Apple", "Sw"]),
      Case(.wordPrefix, "par sw", in: "swift-argument-parser", nil),
      Case(.wordPrefix, "s s", in: "swift", nil),
      Case(.wordPrefix, "s s", in: "swift_system", ["s", "s"]),
      Case(.wordPrefix, "gument", in: "swift-argument-parser", nil),
      Case(.wordPrefix, "c++", in: "modern C++", ["C++"]),
      Case(.anywhere, "IF", in: "swift", ["if"]),
      Case(.anywhere, "a", in: "banana", ["a", "a", "a"]),
      Case(.anywhere, "ana", in: "banana", ["ana"]),
      Case(.anywhere, "xyz", in: "swift", nil),
    ])
  func modes(_ sample: Case) {
    #expect(parts(sample) == sample.parts)
  }

  @Test(
    "ranges refer to the original text even if case folding changes its length",
    arguments: [
      Case(.prefix, "istanbul", in: "İstanbul", ["İstanbul"]),
      Case(.prefix, "İST", in: "istanbul", ["ist"]),
      Case(.prefix, "i\u{307}st", in: "ISTANBUL", ["IST"]),
      Case(.prefix, "ısp", in: "ISPARTA", ["ISP"]),
      Case(.anywhere, "bul", in: "İİİstanbul", ["bul"]),
      Case(.prefix, "fi", in: "ﬁnland", ["ﬁ"]),
      Case(.prefix, "fin", in: "ﬁnland", ["ﬁn"]),
      Case(.prefix, "f", in: "ﬁnland", ["ﬁ"]),
      Case(.anywhere, "in", in: "ﬁnland", ["ﬁn"]),
      Case(.prefix, "ﬁn", in: "Finland", ["Fin"]),
      Case(.anywhere, "STRASSE", in: "Hauptstraße 1", ["straße"]),
      Case(.anywhere, "straße", in: "HAUPTSTRASSE", ["STRASSE"]),
      Case(.anywhere, "straße", in: "STRAẞE", ["STRAẞE"]),
      Case(.anywhere, "s", in: "Straße", ["S", "ß"]),
      Case(.anywhere, "ς", in: "ΟΔΟΣ", ["Σ"]),
    ])
  func folding(_ sample: Case) {
    #expect(parts(sample) == sample.parts)
  }

  @Test(
    "only whole characters match, in any Unicode normalization form",
    arguments: [
      Case(.prefix, "CAFE\u{301}", in: "caf\u{E9} noir", ["caf\u{E9}"]),
      Case(.prefix, "caf\u{E9}", in: "Cafe\u{301} noir", ["Cafe\u{301}"]),
      Case(.prefix, "cafe", in: "cafe\u{301}", nil),
      Case(.anywhere, "\u{301}", in: "cafe\u{301}", nil),
      Case(.prefix, "🇩🇪", in: "🇩🇪🇫🇷", ["🇩🇪"]),
      Case(.anywhere, "🇪🇫", in: "🇩🇪🇫🇷", nil),
      Case(.anywhere, "👩", in: "👩‍👩‍👧 family", nil),
      Case(.wordPrefix, "👩‍👩‍👧", in: "a 👩‍👩‍👧", ["👩‍👩‍👧"]),
      Case(.anywhere, "\n", in: "one\r\ntwo", nil),
    ])
  func wholeCharacters(_ sample: Case) {
    #expect(parts(sample) == sample.parts)
  }

  @Test("an empty search matches every text without ranges", arguments: TextMatch.allCases)
  func emptyQuery(match: TextMatch) {
    #expect(match.ranges(of: "", in: "swift") == [])
    #expect(match.ranges(of: "", in: "") == [])
    #expect(match.ranges(of: "s", in: "") == nil)
  }

  @Test("a prediction is created only for matching text")
  func predictions() {
    #expect(Prediction("swift", matching: "java", by: .anywhere) == nil)
    let prediction = Prediction("Swift", matching: "sw", by: .prefix)
    #expect(prediction?.text == "Swift")
    #expect(prediction?.ranges.map { "Swift"[$0] } == ["Sw"])
    #expect(Prediction("swift").ranges.isEmpty)
  }
}
