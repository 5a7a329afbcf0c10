/// A search on one line.
public struct SearchLine: Hashable, Sendable, CustomStringConvertible {
  /// What is searched for.
  public var text: String
  /// The results so far.
  public var names: [String]
  /// Whether a page is loading, or waits for the server.
  public var isLoading: Bool
  /// Whether there is another page.
  public var hasMore: Bool
  /// Why there is no page.
  public var problem: Problem?

  /// Creates a line.
  public init(
    text: String, names: [String], isLoading: Bool, hasMore: Bool, problem: Problem?
  ) {
    (self.text, self.names, self.isLoading) = (text, names, isLoading)
    (self.hasMore, self.problem) = (hasMore, problem)
  }

  /// The line.
  public var description: String {
    let status = problem?.description ?? (isLoading ? "loading" : hasMore ? "more" : "end")
    return ([text] + names + ["[\(status)]"]).map(harmless).filter { !$0.isEmpty }
      .joined(separator: " ")
  }
}
