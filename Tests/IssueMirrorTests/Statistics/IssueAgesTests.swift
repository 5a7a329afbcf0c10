import Testing

@testable import IssueMirror

@Suite("Ages of issues")
struct IssueAgesTests {
  private static let day = 86_400

  private func ages(days: [Int]) -> IssueAges {
    IssueAges(of: days.map { 1_000_000_000 - $0 * Self.day }, at: 1_000_000_000)
  }

  @Test("the median is the middle one, or lies between the middle two")
  func median() {
    #expect(ages(days: []).median == nil)
    #expect(ages(days: [4]).median == Double(4 * Self.day))
    #expect(ages(days: [9, 1, 5]).median == Double(5 * Self.day))
    #expect(ages(days: [9, 1, 4, 2]).median == Double(3 * Self.day))
  }

  @Test("each is in one band, the limits in the upper one, and a time ahead counts as now")
  func bands() {
    let bands = ages(days: [-3, 0, 6, 7, 29, 30, 400]).bands(limits: [7, 30])
    #expect(bands.map(\.count) == [3, 2, 2])
    #expect(bands.map(\.days) == [0, 7, 30])
    #expect(bands.map(\.limit) == [7, 30, nil])
  }

  @Test("bands as people say them")
  func names() {
    let bands = IssueAges(of: [], at: 0).bands(limits: RepositoryStatistics.ageLimits)
    #expect(
      bands.map(\.description) == [
        "under 7 days", "7 to 30 days", "30 to 90 days", "90 days to 1 year", "1 to 2 years",
        "2 to 5 years", "5 years and more",
      ])
  }

  @Test(
    "ages as people say them",
    arguments: [
      (0.0, "0 hours"), (3_600.0, "1 hour"), (86_399.0, "23 hours"), (86_400.0, "1 day"),
      (99.9 * 86_400, "99 days"), (100.0 * 86_400, "3 months"), (729.0 * 86_400, "24 months"),
      (730.0 * 86_400, "2.0 years"), (1_000.0 * 86_400, "2.7 years"),
    ])
  func text(age: Double, text: String) {
    #expect(IssueAges.text(age) == text)
  }
}
