import Reactive
import Testing

@Suite("removeDuplicates")
struct RemoveDuplicatesTests {
  @Test("equal elements in a row are one, also for an optional element that is nil first")
  func removeDuplicates() async {
    let passed = elements([nil, nil, 1, 1, 2, nil, 1]).removeDuplicates()
    #expect(await passed.reduce(into: []) { $0.append($1) } == [nil, 1, 2, nil, 1])
  }
}
