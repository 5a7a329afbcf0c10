/// A milestone that nobody planned.
public struct SyntheticMilestone: Sendable, Equatable {
  /// The number in its repository, from 1.
  public let number: Int
  /// The title.
  public var title: String
  /// What it is about.
  public var description: String?
  /// When it is due, in seconds since 1970.
  public var dueOn: Int?
  /// Whether it is open.
  public var isOpen = true
  /// How many of its issues are open: they come and go without anybody changing it.
  public var openIssues = 4

  init(_ number: Int, title: String) {
    self.number = number
    self.title = title
  }
}
