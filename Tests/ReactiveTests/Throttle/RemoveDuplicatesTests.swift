import Reactive
import Testing

@Suite("removeDuplicates")
struct RemoveDuplicatesTests {
  @Test("consecutive equal elements are merged, including a leading nil")
  func removeDuplicates() async {
    let passed = elements([nil, nil, 1, 1, 2, nil, 1]).removeDuplicates()
    #expect(await passed.reduce(into: []) { $0.append($1) } == [nil, 1, 2, nil, 1])
  }
}
