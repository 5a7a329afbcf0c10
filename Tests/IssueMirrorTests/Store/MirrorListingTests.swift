import GitHubAPI
import IssueMirror
import Testing

@Suite("Lists that are read in portions", .timeLimit(.minutes(5)))
struct MirrorListingTests {
  private static let items = (1...60).map { number in
    SearchFixture.Item(
      number: number, title: number.isMultiple(of: 3) ? "Linker error" : "Crash",
      body: number.isMultiple(of: 5) ? "cc @ada" : number.isMultiple(of: 7) ? "cc @adam" : nil,
      state: number.isMultiple(of: 4) ? "closed" : "open",
      isPullRequest: number.isMultiple(of: 6), labels: number.isMultiple(of: 2) ? ["bug"] : [],
      comments: number % 9, createdAt: 1_700_000_000 + number % 50,
      updatedAt: 1_700_000_000 + number * 7 % 60)
  }

  @Test(
    "a filter lists the same rows in portions as in one read",
    arguments: [
      "", "is:all", "is:closed sort:updated-asc", "label:bug sort:comments", "mentions:ada is:all",
      "author:nobody",
    ])
  func portions(filter: String) async throws {
    let fixture = try await SearchFixture(Self.items)
    let filter = try IssueFilter(query: filter)
    let listing = try await fixture.mirror.listing(.filter(filter), of: fixture.repository)
    var numbers: [Int] = []
    for start in stride(from: 0, through: listing.numbers.count, by: 7) {
      let rows = try await fixture.mirror.issues(start..<start + 7, of: listing)
      numbers += rows.map(\.number)
    }
    let whole = try await fixture.mirror.issues(of: fixture.repository, filter: filter)
    #expect(numbers == whole.map(\.number))
    #expect(numbers == listing.numbers)
    #expect(listing.isExhaustive)
  }

  @Test("a search lists its results in order, and only from the requested repository")
  func search() async throws {
    let fixture = try await SearchFixture(Self.items)
    for text in ["linker", "is:closed sort:updated-asc", "repo:A/B crash", "repo:c/d crash"] {
      let query = try SearchQuery(parsing: text)
      let listing = try await fixture.mirror.listing(.search(query), of: fixture.repository)
      #expect(try await fixture.numbers(text) == listing.numbers)
      #expect(listing.numbers.isEmpty == text.hasPrefix("repo:c"))
    }
  }

  @Test("a row deleted while reading is omitted, and a changed row has its current values")
  func changes() async throws {
    let fixture = try await SearchFixture(Self.items)
    let listing = try await fixture.mirror.listing(
      .filter(IssueFilter(state: .all)), of: fixture.repository)
    var changed = Self.items[6]
    changed.title = "Another"
    changed.updatedAt += 1_000
    try await fixture.store([changed])
    let rows = try await fixture.mirror.issues(0..<100, of: listing)
    #expect(rows.map(\.number) == listing.numbers)
    #expect(rows.first { $0.number == 7 }?.title == "Another")
    try await fixture.mirror.remove(fixture.repository)
    #expect(try await fixture.mirror.issues(0..<100, of: listing).isEmpty)
    #expect(try await fixture.mirror.description(of: fixture.repository) == nil)
  }

  @Test("a repository has the server's description")
  func description() async throws {
    let fixture = try await SearchFixture()
    let repository = try await fixture.mirror.description(of: fixture.repository)
    #expect(repository?.fullName == "a/b")
    #expect(repository?.id == 7)
  }
}
