import TestSupport
import TestTraits
import Testing

@Suite("Examples of the specification", .tags(.heavy), .ownThread, .timeLimit(.minutes(5)))
struct SpecificationTests {
  @Test(
    "each example is rendered at every width",
    arguments: [1, 2, 3, 10, 40, 80, 200])
  func widths(width: Int) throws {
    let examples = try SpecificationExample.all()
    #expect(examples.count == 673)
    for example in examples.sampled(every: 4) {
      try Rendering.check(example.markdown, width: width)
    }
  }

  @Test("each example keeps all its words")
  func words() throws {
    for example in try SpecificationExample.all() {
      let text = Rendering.text(example.markdown, width: 200)
      for word in example.words {
        #expect(text.contains(word), "\(word) of \(example.markdown) in \(text)")
      }
    }
  }

  @Test("letters and digits stay in order at every width", arguments: [20, 40, 80])
  func order(width: Int) throws {
    let letters = { (text: String) in text.filter { $0.isLetter || $0.isNumber } }
    // A table's cells stand beside each other.
    for example in try SpecificationExample.all() where !example.markdown.contains("|") {
      let wide = letters(Rendering.text(example.markdown, width: 200))
      #expect(letters(Rendering.text(example.markdown, width: width)) == wide)
    }
  }

  @Test("all examples can be rendered as one document")
  func together() throws {
    let all = try SpecificationExample.all().map(\.markdown).joined(separator: "\n\n")
    for width in [10, 80] { try Rendering.check(all, width: width) }
  }
}
