import Testing

@testable import TestSupport

@Suite("Fuzzing")
struct FuzzingTests {
  @Test("equal seeds give equal inputs, and different seeds give different inputs")
  func seeds() {
    func inputs(_ seed: UInt64) -> [String] {
      var source = FuzzSource(seed: seed)
      return (0..<50).map { _ in source.text() + source.mutation(of: ["a good text", "another"]) }
    }
    #expect(inputs(1) == inputs(1))
    #expect(inputs(1) != inputs(2))
    // The algorithm's own first output for the seed 0.
    var source = FuzzSource(seed: 0)
    #expect(source.next() == 0xE220_A839_7B1D_CDAF)
  }

  @Test("a failure reports its input, and its seed reproduces it")
  func failure() throws {
    let property = { (source: inout FuzzSource) throws in
      let text = source.text()
      try check(!text.contains("%"), text.debugDescription)
    }
    let failure = try #require(FuzzTest("x", seed: 7, iterations: 10_000).run(property))
    #expect(failure.seed == 7)
    #expect(failure.reason.contains("%"))
    #expect("\(failure)".contains("ISSUES_SEED=7"))
    #expect(FuzzTest("x", seed: 7, iterations: failure.index + 1).run(property) == failure)
    #expect(FuzzTest("x", seed: 7, iterations: failure.index).run(property) == nil)
    // Tests of other names see other inputs.
    #expect(FuzzTest("y", seed: 7, iterations: 10_000).run(property)?.reason != failure.reason)
  }

  @Test("a thrown error counts as a failure")
  func thrown() {
    struct Broken: Error {}
    let failure = FuzzTest("x", seed: 1, iterations: 3).run { _ in throw Broken() }
    #expect(failure?.reason == "Broken()")
    #expect(failure?.index == 0)
  }

  @Test("mutations change the input, respect the length limit, and reach every kind of text")
  func mutations() {
    var source = FuzzSource(seed: 3)
    let good = [Array("{\"number\":12,\"title\":\"x\"}".utf8), Array("[]".utf8)]
    var changed = 0
    for _ in 0..<1_000 {
      let bytes = source.mutation(of: good, words: ["title"], upTo: 300)
      #expect(bytes.count <= 300)
      if !good.contains(bytes) { changed += 1 }
    }
    #expect(changed > 900)
    let texts = (0..<1_000).map { _ in source.text() }
    #expect(texts.contains { $0.unicodeScalars.contains { $0.value < 0x20 } })
    #expect(texts.contains { $0.unicodeScalars.contains { (0x2028...0x202E).contains($0.value) } })
    #expect(texts.contains { $0.unicodeScalars.contains { (0x300...0x36F).contains($0.value) } })
    #expect(texts.contains { $0.unicodeScalars.contains { $0.value > 0xFFFF } })
    #expect(texts.contains(""))
  }

  @Test("a parsed JSON tree is written without changes")
  func json() throws {
    var source = FuzzSource(seed: 4)
    let text = Array(#"{"a":[1,-2,1.5,true,null,"x\"\\\u0000é😀"],"b":{}}"#.utf8)
    for _ in 0..<200 {
      let tree = try FuzzJSON(text)
      let again = try FuzzJSON(tree.text(using: &source))
      #expect("\(again)" == "\(tree)")
    }
  }
}
