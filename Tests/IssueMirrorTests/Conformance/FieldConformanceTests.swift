import GitHubAPI
import IssueMirror
import Testing

@Suite("Every store finds issues by an organization's fields", .timeLimit(.minutes(5)))
struct FieldConformanceTests {
  private typealias Value = GitHub.IssueFieldValue

  private static let issues: [GitHub.Issue] = [
    (
      1,
      [("Priority", .text("High")), ("Effort", .number(3)), ("Target date", .text("2026-12-31"))]
    ),
    (
      2,
      [("Priority", .text("LOW")), ("Effort", .number(2.5)), ("Areas", .options(["tools", "İ"]))]
    ),
    (3, [("Customer", .text("2027-01-01 or later")), ("Version", .text("3"))]),
    (4, [("Effort", nil)]), (5, []),
  ].map { (number, fields: [(String, GitHub.IssueFieldContent?)]) in
    GitHub.Issue(
      id: Int64(number), number: number, title: "Issue \(number)",
      fieldValues: fields.enumerated().map { index, field in
        let kind: GitHub.IssueField.Kind =
          switch field.1 {
          case .number: .number
          case .options: .multiSelect
          default: .text
          }
        return Value(fieldID: Int64(index + 1), name: field.0, kind: kind, content: field.1)
      })
  }

  @Test(
    "a store finds issues by field values, by ranges of numbers and dates, and by presence",
    arguments: StoreEngine.all)
  func search(engine: StoreEngine) async throws {
    let store = try await engine.make()
    let repository = try await store.record()
    try await store.keep(Self.issues, of: repository)
    for (words, numbers) in [
      ("field.priority:high", [1]), ("field.PRIORITY:low", [2]),
      ("field.priority:high,low", [1, 2]),
      ("field.target-date:2026-12-31", [1]), ("field.target-date:>=2026-12-31", [1]),
      ("field.target-date:<2026-12-31", []), ("field.target-date:2026-01-01..2026-12-31", [1]),
      ("field.customer:>2026-01-01", []), ("field.customer:\"2027-01-01 or later\"", [3]),
      ("field.effort:3", [1]), ("field.effort:3.0", [1]), ("field.effort:2.5", [2]),
      ("field.effort:>2.5", [1]), ("field.effort:>=2.5", [1, 2]), ("field.effort:*..2.9", [2]),
      ("field.effort:<=3", [1, 2]), ("field.version:3", [3]), ("field.version:>2", []),
      ("field.areas:TOOLS", [2]), ("field.areas:compiler", []), ("field.nothing:x", []),
      ("has:field.effort", [1, 2]), ("no:field.priority", [3, 4, 5]),
      ("-has:field.effort -no:field.customer", [3]), ("-field.priority:low", [1, 3, 4, 5]),
      ("field.priority:high field.effort:2.5", []),
    ] as [(String, Set<Int>)] {
      let found = try await store.found(words, in: repository)
      #expect(Set(found) == numbers, "\(words)")
    }
    let list = try await store.store.sentIssues(
      of: repository,
      filter: IssueFilter(fields: [try #require(IssueFieldChoice("target-date:2026-12-31"))]),
      limit: nil, includesPullRequests: true)
    #expect(list.map(\.entity.number) == [1])
  }
}
