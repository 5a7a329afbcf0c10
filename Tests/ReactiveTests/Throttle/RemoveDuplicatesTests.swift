import Reactive
import Testing

@Suite("distinct")
struct DistinctTests {
  @Test("equal elements in a row are one, also for an optional element that is nil first")
  func distinct() async {
    let passed = elements([nil, nil, 1, 1, 2, nil, 1]).distinct()
    #expect(await passed.reduce(into: []) { $0.append($1) } == [nil, 1, 2, nil, 1])
  }
}
