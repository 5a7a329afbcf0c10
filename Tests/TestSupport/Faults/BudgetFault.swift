/// A row of the table of faults of the file in which processes share a budget of requests.
public struct BudgetFault: Sendable, CustomStringConvertible {
  /// The item in the place of the file.
  public enum Place: Sendable {
    /// A file with this text.
    case text(String)
    /// A folder.
    case folder
    /// A symbolic link to a file.
    case link
    /// A file that others may write to.
    case sharedFile
    /// Nothing, and no folder for it.
    case nowhere
  }

  /// The fault.
  public var fault: String
  /// The promise.
  public var promise: String
  /// The item in the place of the file.
  public var place: Place
  /// Whether the file is whole afterwards.
  public var isMended: Bool

  private init(_ fault: String, _ promise: String, _ place: Place, isMended: Bool = false) {
    self.fault = fault
    self.promise = promise
    self.place = place
    self.isMended = isMended
  }

  /// The fault.
  public var description: String { fault }

  /// Every row.
  public static let all = [
    BudgetFault("an empty file", "it begins anew", .text(""), isMended: true),
    BudgetFault(
      "a file with half of its text", "as above", .text("rate limits 1\nquota core 1"),
      isMended: true),
    BudgetFault(
      "a wrong checksum", "as above", .text("rate limits 1\npause 99999999999999\nend 0\n"),
      isMended: true),
    BudgetFault("a folder in its place", "done without: the process keeps its own budget", .folder),
    BudgetFault("a link in its place", "as above; the link's end stays as it is", .link),
    BudgetFault("a file that others may write to", "done without", .sharedFile),
    BudgetFault("a state folder that can't be made", "done without", .nowhere),
  ]
}
