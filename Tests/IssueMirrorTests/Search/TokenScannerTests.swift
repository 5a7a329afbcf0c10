import TestSupport
import Testing

@testable import IssueMirror

@Suite("The search tokenizer")
struct TokenScannerTests {
  /// A text, and its tokens as they are written here: a `+` before one that shares the place of the one before.
  static let table: [(text: String, tokens: String)] = [
    ("", ""),
    (" \t\n.,;!?()[]{}<>\"'`*&^%$@|\\/~=+-_", ""),
    ("crash in the parser", "crash in the parser"),
    ("Café CAFÉ cafe\u{301}", "cafe cafe cafe"),
    ("naïve Ångström señor Łódź smørrebrød", "naive angstrom senor lodz smorrebrod"),
    ("Straße STRASSE STRAẞE ﬁle ﬄ Œuvre Æther", "strasse strasse strasse file ffl oeuvre aether"),
    ("Ёлка ЁЛКА Москва́", "елка елка москва"),
    ("ΆΝΘΡΩΠΟΣ άνθρωπος", "ανθρωποσ ανθρωποσ"),
    ("İstanbul ısı", "istanbul isi"),
    ("Ｆｕｌｌ１２", "full12"),
    ("٣٤ ४२", "34 42"),
    ("Việt Nam tiếng Việt", "viet nam tieng viet"),
    ("getUserName", "get +getusername user name"),
    ("URLSession", "url +urlsession session"),
    ("parseJSON HTTPServer2", "parse +parsejson json http +httpserver2 server2"),
    ("XMLHTTPRequest", "xmlhttp +xmlhttprequest request"),
    ("utf8String SHA256Hash", "utf8 +utf8string string sha256 +sha256hash hash"),
    ("Int32 x86_64 arm64 3D 4K HTTP", "int32 x86 64 arm64 3d 4k http"),
    ("iOS macOS GitHub", "i +ios os mac +macos os git +github hub"),
    ("user_name __attribute__ SOME_FLAG", "user name attribute some flag"),
    ("std::vector<int> foo.bar() -Xfrontend", "std vector int foo bar xfrontend"),
    ("#12345 5.10.1 v5.10.1 C++ a@b.c", "12345 5 10 1 v5 10 1 c a b c"),
    ("don't", "don t"),
    ("ÜberStraße éÉé", "uber +uberstrasse strasse e +eee ee"),
    ("日本語のtest文", "日 本 語 の test 文"),
    ("カタカナー ｶﾅ", "カ タ カ ナ ー ｶ ﾅ"),
    ("한국어 中文，标点", "한 국 어 中 文 标 点"),
    ("ภาษาไทย", "ภ า ษ า ไ ท ย"),
    ("हिन्दी", "हिन्दी"),
    ("مَرْحَبًا שָׁלוֹם", "مرحبا שלום"),
    ("👍 👍🏽 ❤️ 👨‍👩‍👧 🇩🇪", "👍 👍 ❤ 👨 👩 👧 🇩 🇪"),
    ("fix🎉done", "fix 🎉 done"),
    ("hy\u{AD}phen zero\u{200B}width a\u{202E}b", "hyphen zero width ab"),
    ("a\u{0}b c\u{FFFD}d \u{301}x", "a b c d x"),
  ]

  @Test("the tokenizer splits text into words", arguments: table)
  func tokens(_ row: (text: String, tokens: String)) {
    #expect(Self.described(Array(row.text.utf8)) == row.tokens)
  }

  @Test("tokenizing tokens gives the same tokens", arguments: table)
  func folding(_ row: (text: String, tokens: String)) {
    let tokens = Self.tokens(Array(row.text.utf8)).map(\.text)
    #expect(tokens.flatMap { Self.tokens(Array($0.utf8)).map(\.text) } == tokens)
  }

  @Test(
    "invalid UTF-8 separates words",
    arguments: [
      [0x61, 0xFF, 0x62], [0x61, 0xC3, 0x62], [0x61, 0xE2, 0x82], [0x61, 0xC0, 0xAF, 0x62],
      [0x61, 0xED, 0xA0, 0x80, 0x62], [0x61, 0xF5, 0x80, 0x80, 0x80], [0x61, 0x80, 0x80, 0x80],
      [0x61, 0xF4, 0x90, 0x80, 0x80, 0x62], [0x61, 0xE0, 0x80, 0x80],
    ] as [[UInt8]])
  func invalid(_ bytes: [UInt8]) {
    #expect(Self.described(bytes) == (bytes.last == 0x62 ? "a b" : "a"))
  }

  @Test("an overlong word is truncated")
  func longWords() {
    let million = Array(repeating: UInt8(ascii: "x"), count: 1_000_000)
    #expect(Self.described(million) == String(repeating: "x", count: 64))
    let camels = Array(String(repeating: "aB", count: 1_000).utf8)
    #expect(Self.described(camels) == String(repeating: "ab", count: 32))
    // No token ends inside a character.
    let odd = Array(("x" + String(repeating: "ж", count: 100)).utf8)
    #expect(Self.described(odd) == "x" + String(repeating: "ж", count: 31))
    let most = Array(String(repeating: "aB", count: 32).utf8)
    #expect(Self.tokens(most).count == 34)
  }

  @Test("a token has the byte range of its source, including trailing diacritics")
  func sources() {
    let text = "¡Cafe\u{301} getURLs!"
    let tokens = Self.tokens(Array(text.utf8))
    let sources = tokens.map { token in
      String(decoding: Array(text.utf8)[token.source], as: UTF8.self)
    }
    #expect(sources == ["Cafe\u{301}", "get", "getURLs", "UR", "Ls"])
  }

  @Test(
    "any bytes can be tokenized, and each token lies within them, after the previous one",
    arguments: 1...40)
  func anything(seed: UInt64) {
    var dice = FuzzSource(seed: seed)
    let bytes = (0..<2_000).map { _ in
      Bool.random(using: &dice)
        ? UInt8.random(in: 0x20...0x7E, using: &dice) : UInt8.random(in: 0...0xFF, using: &dice)
    }
    var end = 0
    var isOrdered = true
    for token in Self.tokens(bytes) {
      isOrdered = isOrdered && !token.text.isEmpty && token.text.utf8.count <= 64
      isOrdered = isOrdered && token.source.upperBound <= bytes.count
      if !token.isColocated {
        isOrdered = isOrdered && token.source.lowerBound >= end
        end = token.source.upperBound
      }
    }
    #expect(isOrdered)
  }

  private static func described(_ bytes: [UInt8]) -> String {
    tokens(bytes).map { ($0.isColocated ? "+" : "") + $0.text }.joined(separator: " ")
  }

  private static func tokens(_ bytes: [UInt8]) -> [TokenScanner.Token] {
    TokenScanner().tokens(of: bytes)
  }
}
