import Reactive
import Testing

@Suite("removeDuplicates")
struct RemoveDuplicatesTests {
  @Test("equal elements in a row become one, also for optional elements beginning with nil")
  func removeDuplicates() async {
    let passed = elements([nil, nil, 1, 1, 2, nil, 1]).removeDuplicates()
    #expect(await passed.reduce(into: []) { $0.append($1) } == [nil, 1, 2, nil, 1])
  }
}
