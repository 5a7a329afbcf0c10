package import GitHubAPI
package import IssueOutbox
package import TestSupport

/// The wishes of a person in one run of the property test: the same for the same seed, in every process.
package struct OutboxScript: Sendable {
  /// The issue that a wish is about.
  package enum Place: Hashable, Sendable {
    /// An issue that the server has from the start.
    case known(Int)
    /// The issue that a step of the script creates.
    case new(Int)
  }

  /// A wish.
  package struct Step: Sendable {
    /// The repository.
    package var repository: RepositoryName
    /// The issue; nil for a creation.
    package var place: Place?
    /// Makes the change. A creation ignores the target.
    package var change: @Sendable (IssueTarget) -> Change
  }

  /// The issues that the server has from the start.
  package static let recipe = SyntheticIssues(
    count: 6, pullRequests: 0, closed: 0.3, mostComments: 3)
  /// The issue that somebody else deletes in the middle of the run.
  package static let doomed = 5
  /// A login that the server doesn't know.
  package static let missingUser = "nobody-there"
  /// A milestone that the server doesn't have.
  package static let missingMilestone = 99
  /// The labels that the person uses. Somebody else uses the other ones.
  package static let labels = ["bug", "compiler", "concurrency", "performance"]
  /// The logins that the person assigns.
  package static let people = ["ada", "barbara", "tony"]

  /// The repository with the known issues.
  package let main: RepositoryName
  /// A repository that takes no writes.
  package let archived: RepositoryName
  /// A repository without issues.
  package let disabled: RepositoryName
  /// The former name of ``main``.
  package let renamed: RepositoryName
  /// The wishes, in order.
  package private(set) var steps: [Step] = []

  private var dice: FuzzSource
  /// The texts that the person sees, with their own edits.
  private var titles: [Place: String] = [:]
  private var bodies: [Place: String] = [:]
  private var comments: [(place: Place, text: String)] = []
  private let seed: UInt64

  /// Makes the script of a seed.
  package init(seed: UInt64) throws {
    self.seed = seed
    // Other choices than those of the network in the same run.
    dice = FuzzSource(seed: seed &* 0x9E37_79B9 &+ 1)
    main = try Self.name("swiftlang/swift")
    archived = try Self.name("swiftlang/archived")
    disabled = try Self.name("swiftlang/disabled")
    renamed = try Self.name("apple/swift")
    for issue in Self.recipe.make() {
      titles[.known(issue.number)] = issue.title
      bodies[.known(issue.number)] = issue.body ?? ""
    }
    let count = 5 + dice.below(10)
    while steps.count < count { addStep() }
  }

  /// Whether the server has good reason to refuse a change.
  package func mayBeRefused(_ change: Change, in repository: RepositoryName) -> Bool {
    if repository != main { return true }
    switch change {
    case .createIssue(let issue, _): return issue.assignees.contains(Self.missingUser)
    case .edit(let target, let edit):
      return target == .number(Self.doomed) || edit.milestone == .set(Self.missingMilestone)
    case .comment(let target, _), .close(let target, _, _), .reopen(let target),
      .lock(let target, _), .unlock(let target), .react(let target, _), .pin(let target),
      .unpin(let target):
      return target == .number(Self.doomed)
    default: return false
    }
  }

  private static func name(_ text: String) throws -> RepositoryName {
    guard let name = RepositoryName(text) else { throw Mismatch("\(text) is no repository") }
    return name
  }

  // MARK: Steps

  private mutating func addStep() {
    switch dice.below(100) {
    case ..<17: addCreation()
    case ..<23: repeatCreation()
    case ..<38: addComment(on: anyPlace())
    case ..<43: repeatComment()
    case ..<64: addEdit()
    case ..<70: addClosing()
    case ..<73: addStep(on: anyPlace()) { .reopen($0) }
    case ..<77:
      let isLocking = dice.once(in: 2)
      addStep(on: anyPlace()) { isLocking ? .lock($0, .resolved) : .unlock($0) }
    case ..<80:
      let kind = dice.pick(Reactions.Kind.allCases)
      addStep(on: anyPlace()) { .react($0, kind) }
    case ..<83:
      let isPinning = dice.once(in: 2)
      // More than three can't be pinned.
      addStep(on: .known(1 + dice.below(3))) { isPinning ? .pin($0) : .unpin($0) }
    default: addRefusal()
    }
  }

  private mutating func anyPlace() -> Place {
    let created = steps.indices.filter { steps[$0].place == nil && steps[$0].repository == main }
    if let place = created.isEmpty || dice.once(in: 2) ? nil : dice.pick(created) {
      return .new(place)
    }
    return .known(1 + dice.below(4))
  }

  private mutating func addStep(
    on place: Place, in repository: RepositoryName? = nil,
    _ change: @escaping @Sendable (IssueTarget) -> Change
  ) {
    steps.append(Step(repository: repository ?? main, place: place, change: change))
  }

  private mutating func addCreation(
    assignees: [String] = [], in repository: RepositoryName? = nil
  ) {
    let body = dice.once(in: 8) ? nil : text("Body")
    create(
      NewIssue(
        title: line("Title"), body: body,
        labels: dice.once(in: 3) ? [dice.pick(Self.labels)] : [], assignees: assignees),
      in: repository ?? main)
  }

  private mutating func create(_ issue: NewIssue, in repository: RepositoryName) {
    titles[.new(steps.count)] = issue.title
    bodies[.new(steps.count)] = issue.body ?? ""
    steps.append(
      Step(repository: repository, place: nil) { _ in .createIssue(issue) })
  }

  /// The person wants the same issue twice.
  private mutating func repeatCreation() {
    let issues = steps.compactMap { step -> NewIssue? in
      guard step.repository == main, case .createIssue(let issue, _) = step.change(.number(1))
      else { return nil }
      return issue
    }
    guard !issues.isEmpty else { return addCreation() }
    create(dice.pick(issues), in: main)
  }

  private mutating func addComment(on place: Place, in repository: RepositoryName? = nil) {
    let text = text("Comment")
    if repository == nil { comments.append((place, text)) }
    addStep(on: place, in: repository) { .comment(on: $0, body: text) }
  }

  /// The person writes the same twice, as in “+1”.
  private mutating func repeatComment() {
    guard !comments.isEmpty else { return addComment(on: anyPlace()) }
    let (place, text) = dice.pick(comments)
    addStep(on: place) { .comment(on: $0, body: text) }
  }

  private mutating func addEdit() {
    let place = anyPlace()
    var change = IssueChange()
    if dice.once(in: 2) {
      let title = line("New title")
      change.title = TextChange(title, base: base(titles[place]))
      titles[place] = title
    }
    if dice.once(in: 2) {
      let body = text("New body")
      change.body = TextChange(body, base: base(bodies[place]))
      bodies[place] = body
    }
    if dice.once(in: 3) { change.addedLabels = [dice.pick(Self.labels)] }
    if dice.once(in: 4) {
      change.removedLabels = [dice.pick(Self.labels)].filter { !change.addedLabels.contains($0) }
    }
    if dice.once(in: 4) { change.addedAssignees = [dice.pick(Self.people)] }
    if dice.once(in: 5) {
      change.removedAssignees = [dice.pick(Self.people)].filter {
        !change.addedAssignees.contains($0)
      }
    }
    if change == IssueChange() { change.addedLabels = [dice.pick(Self.labels)] }
    addStep(on: place) { [change] in .edit($0, change) }
  }

  /// The text that the person saw: the present one, one that nobody has any more, or none.
  private mutating func base(_ text: String?) -> String? {
    switch dice.below(6) {
    case 0: nil
    case 1: "A text of long ago, \(dice.below(1_000))"
    default: text
    }
  }

  private mutating func addClosing() {
    let reason = dice.pick([StateReason.completed, .notPlanned])
    addStep(on: anyPlace()) { .close($0, reason) }
  }

  /// A wish that the server has good reason to refuse, and sometimes one that depends on it.
  private mutating func addRefusal() {
    switch dice.below(6) {
    case 0:
      addCreation(assignees: [Self.missingUser])
      if dice.once(in: 2) { addComment(on: .new(steps.count - 1)) }
    case 1:
      let edit = IssueChange(milestone: .set(Self.missingMilestone))
      addStep(on: anyPlace()) { .edit($0, edit) }
    case 2: addComment(on: .known(1), in: archived)
    case 3: addCreation(in: disabled)
    case 4: addComment(on: .known(Self.doomed))
    default: addComment(on: .known(2), in: renamed)
    }
  }

  // MARK: Texts

  /// A line that no other step has.
  private mutating func line(_ kind: String) -> String {
    "\(kind) \(steps.count) of run \(seed), \(dice.pick(["ä", "a  b", "“q”", "👩‍👩‍👧", "<b>&amp;</b>"]))"
  }

  /// A text that no other step has, with ends that servers change.
  private mutating func text(_ kind: String) -> String {
    let ends = ["\n", "\r\n", "\n\n", "\r\n\r\n"]
    var text = line(kind)
    for number in 0..<dice.below(4) { text += dice.pick(ends) + "Line \(number)" }
    return text + dice.pick(["", "", "\n", "\r\n", "  \n"])
  }
}
