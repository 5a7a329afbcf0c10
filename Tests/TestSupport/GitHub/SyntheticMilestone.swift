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
  /// How many of its issues are closed.
  public var closedIssues = 8
  /// Who made it.
  public var creator = "ada"
  /// When it was made, in seconds since 1970.
  public var createdAt = 1_735_689_600
  /// When it was changed last, in seconds since 1970.
  public var updatedAt = 1_767_225_600
  /// When it was closed, in seconds since 1970.
  public var closedAt: Int?
  /// Whether it came by a request: its issues are counted then.
  public var isWritten = false

  init(_ number: Int, title: String) {
    self.number = number
    self.title = title
  }
}
