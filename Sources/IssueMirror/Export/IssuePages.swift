/// A repository's issues, page by page, as of the time when the first page is read.
///
/// ```swift
/// for try await page in mirror.export(of: repository, filter: IssueFilter(state: .all)) {
///   for issue in page { print(issue.number, issue.json.count) }
/// }
/// ```
///
/// Other processes may write at the same time. At most two pages are in memory.
public struct IssuePages<Row: Sendable>: AsyncSequence, Sendable {
  /// A page, which is never empty.
  public typealias Element = [Row]
  /// The error type.
  public typealias Failure = MirrorFailure

  private let makeReader: @Sendable () -> any IssuePageReader<Row>

  package init(_ makeReader: @escaping @Sendable () -> any IssuePageReader<Row>) {
    self.makeReader = makeReader
  }

  /// Starts reading at the first page.
  public func makeAsyncIterator() -> Iterator { Iterator(reader: makeReader()) }

  /// Reads one page after another.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    private var reader: (any IssuePageReader<Row>)?

    fileprivate init(reader: any IssuePageReader<Row>) {
      self.reader = reader
    }

    /// Returns the next page; nil after the last page and after an error.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(MirrorFailure) -> [Row]? {
      guard var reader = reader.take() else { return nil }
      guard let page = try await reader.next() else { return nil }
      self.reader = reader
      return page
    }
  }
}

package protocol IssuePageReader<Row>: Sendable {
  associatedtype Row: Sendable

  /// Not called again after it returns nil or throws.
  mutating func next() async throws(MirrorFailure) -> [Row]?
}
