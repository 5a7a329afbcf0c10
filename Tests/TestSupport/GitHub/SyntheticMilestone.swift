/// A made-up milestone.
public struct SyntheticMilestone: Sendable, Equatable {
  /// The number in its repository, from 1.
  public let number: Int
  /// The title.
  public var title: String
  /// The description.
  public var description: String?
  /// The due time, in seconds since 1970.
  public var dueOn: Int?
  /// Whether it is open.
  public var isOpen = true
  /// The number of its open issues, which varies without a change of the milestone.
  public var openIssues = 4
  /// The number of its closed issues.
  public var closedIssues = 8
  /// The creator's login.
  public var creator = "ada"
  /// The time of creation, in seconds since 1970.
  public var createdAt = 1_735_689_600
  /// The time of the last change, in seconds since 1970.
  public var updatedAt = 1_767_225_600
  /// The time of closing, in seconds since 1970.
  public var closedAt: Int?
  /// Whether a request created it. Its issues are then counted.
  public var isWritten = false

  init(_ number: Int, title: String) {
    self.number = number
    self.title = title
  }
}
