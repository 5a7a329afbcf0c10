import Testing

@testable import IssueMirror

@Suite("Ages of issues")
struct IssueAgesTests {
  private static let day = 86_400

  private func ages(days: [Int]) -> IssueAges {
    IssueAges(of: days.map { 1_000_000_000 - $0 * Self.day }, at: 1_000_000_000)
  }

  @Test("the median age is the middle age, or the mean of the middle two")
  func median() {
    #expect(ages(days: []).median == nil)
    #expect(ages(days: [4]).median == Double(4 * Self.day))
    #expect(ages(days: [9, 1, 5]).median == Double(5 * Self.day))
    #expect(ages(days: [9, 1, 4, 2]).median == Double(3 * Self.day))
  }

  @Test("each age is in one band, a limit is in the upper band, and a future date counts as now")
  func bands() {
    let bands = ages(days: [-3, 0, 6, 7, 29, 30, 400]).bands(limits: [7, 30])
    #expect(bands.map(\.count) == [3, 2, 2])
    #expect(bands.map(\.days) == [0, 7, 30])
    #expect(bands.map(\.limit) == [7, 30, nil])
  }

  @Test("age bands have readable names")
  func names() {
    let bands = IssueAges(of: [], at: 0).bands(limits: RepositoryStatistics.ageLimits)
    #expect(
      bands.map(\.description) == [
        "under 7 days", "7 to 30 days", "30 to 90 days", "90 days to 1 year", "1 to 2 years",
        "2 to 5 years", "5 years and more",
      ])
  }

  private static let texts: [(hours: Int, text: String)] = [
    (0, "0 hours"), (1, "1 hour"), (23, "23 hours"), (24, "1 day"), (99 * 24 + 23, "99 days"),
    (100 * 24, "3 months"), (729 * 24, "24 months"), (730 * 24, "2.0 years"),
    (1_000 * 24, "2.7 years"),
  ]

  @Test("ages are formatted in words", arguments: texts)
  func text(hours: Int, text: String) {
    #expect(IssueAges.text(Double(hours) * 3_600) == text)
  }
}
