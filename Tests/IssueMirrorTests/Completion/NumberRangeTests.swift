import Testing

@testable import IssueMirror

@Suite("Number ranges of a prefix")
struct NumberRangeTests {
  @Test("a prefix of digits has one number range per length")
  func ranges() throws {
    let ranges = try #require(MirrorNames.ranges("12"))
    #expect(Array(ranges.prefix(3)) == [12...12, 120...129, 1_200...1_299])
    for number in [12, 120, 129, 12_345, 1_299] {
      #expect(ranges.contains { $0.contains(number) }, "\(number)")
    }
    for number in [1, 11, 13, 119, 130, 212, 1_300] {
      #expect(!ranges.contains { $0.contains(number) }, "\(number)")
    }
  }

  @Test("an empty prefix has a range of all numbers", arguments: [1, 7, 100_000])
  func all(number: Int) throws {
    #expect(try #require(MirrorNames.ranges("")).contains { $0.contains(number) })
  }

  @Test(
    "a prefix that isn't the start of a number has no range",
    arguments: ["0", "01", "a", "1a", "-1", "9999999999999999999999", "١"])
  func none(prefix: String) {
    #expect(MirrorNames.ranges(prefix) == nil)
  }
}
