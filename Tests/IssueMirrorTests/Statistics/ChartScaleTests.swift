import Testing

@testable import IssueMirror

@Suite("The scale of a chart")
struct ChartScaleTests {
  @Test(
    "a chart's scale has a few round ticks, the last at least as great as the greatest value",
    arguments: [
      (0, [0, 1]), (1, [0, 1]), (5, [0, 1, 2, 3, 4, 5]), (6, [0, 2, 4, 6]), (11, [0, 5, 10, 15]),
      (26, [0, 10, 20, 30]), (51, [0, 20, 40, 60]), (101, [0, 50, 100, 150]),
      (4_999, [0, 1_000, 2_000, 3_000, 4_000, 5_000]),
    ])
  func ticks(greatest: Int, ticks: [Int]) {
    #expect(ChartScale(upTo: greatest, length: 100).ticks == ticks)
  }

  @Test("a value has a length in proportion to the chart's scale")
  func length() {
    let scale = ChartScale(upTo: 10, length: 200)
    #expect(scale.length(of: 0) == 0)
    #expect(scale.length(of: 10) == 200)
    #expect(scale.length(of: 5) == 100)
  }
}
