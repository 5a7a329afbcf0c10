/// What SQLite answers to a query: see ``Mirror/query(_:timeLimit:)``.
///
/// Texts are anybody's: escape them before a terminal or a page shows them.
public struct QueryAnswer: Hashable, Sendable {
  /// A value of a row.
  public enum Value: Hashable, Sendable {
    /// Nothing.
    case null
    /// A whole number.
    case integer(Int64)
    /// Another number.
    case real(Double)
    /// A text, or bytes, which the mirror has for texts of the server's.
    case text(String)
  }

  /// How many bytes an answer may have.
  public static let largestSize = 256 << 20

  /// The names of the columns, as the query has them.
  public var columns: [String]
  /// The rows, with as many values each as there are columns.
  public var rows: [[Value]] = []
}
