import Testing

@testable import IssueMirror
@testable import IssueMirrorPostgres

@Suite("The PostgreSQL text index")
struct TextVectorTests {
  @Test("the index distinguishes title words from body words")
  func titles() throws {
    let text = TextVector(title: "Crash now", body: "Later, a crash", of: 7)
    let words = text.bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    for word in ["=tcrash", "=tnow"] { #expect(words.contains { $0.hasSuffix(word) }, "\(words)") }
    #expect(!words.contains { $0.hasSuffix("=tlater") })
    #expect(!words.contains { $0.hasSuffix("=ta") })
  }

  @Test(
    "a search of titles matches only words of titles",
    arguments: [
      ("crash now", "(('crash':A) & ('now':A)) & (('=tcrash')) & (('=tnow'))"),
      ("\"crash now\"", "((('crash':A <-> 'now':A))) & (('=tcrash' & '=tnow'))"),
      ("cras*", "(('cras':*A)) & (('=tcras':*))"),
    ])
  func queries(text: String, expected: String) throws {
    let phrases = SearchPhrases(try SearchQuery(parsing: text))
    #expect(TextQuery.indexed(phrases, in: .title) == expected)
    #expect(TextQuery.indexed(phrases, in: .anywhere) == TextQuery.matching(phrases, in: .anywhere))
  }
}
