/// Issues of a repository, page by page, all of them as they were when the first page was read.
///
/// ```swift
/// for try await page in mirror.export(of: repository, filter: IssueFilter(state: .all)) {
///   for issue in page { print(issue.number, issue.json.count) }
/// }
/// ```
///
/// Others may write while it is read. No more than two pages of it are in memory.
public struct IssuePages<Row: Sendable>: AsyncSequence, Sendable {
  /// A page; none is empty.
  public typealias Element = [Row]
  /// What reading can throw.
  public typealias Failure = MirrorFailure

  private let makeReader: @Sendable () -> any IssuePageReader<Row>

  /// Makes pages of what a store reads.
  package init(_ makeReader: @escaping @Sendable () -> any IssuePageReader<Row>) {
    self.makeReader = makeReader
  }

  /// Starts reading at the first page.
  public func makeAsyncIterator() -> Iterator { Iterator(reader: makeReader()) }

  /// Reads page after page.
  public struct Iterator: AsyncIteratorProtocol {
    private var reader: (any IssuePageReader<Row>)?

    fileprivate init(reader: any IssuePageReader<Row>) {
      self.reader = reader
    }

    /// Returns the next page, or nil after the last, and after an error.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(MirrorFailure) -> [Row]? {
      // Gone after the last page and after an error.
      guard var reader = reader.take() else { return nil }
      guard let page = try await reader.next() else { return nil }
      self.reader = reader
      return page
    }
  }
}

/// What reads the pages of ``IssuePages`` from a store.
package protocol IssuePageReader<Row>: Sendable {
  /// A row of a page.
  associatedtype Row: Sendable

  /// Reads the next page; nil after the last. It isn't called again then, nor after an error.
  mutating func next() async throws(MirrorFailure) -> [Row]?
}
