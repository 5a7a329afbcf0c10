package import GitHubAPI
package import IssueOutbox
package import TestSupport

/// The wishes of a person in one run of the property test: the same for the same seed, in every process.
package struct OutboxScript: Sendable {
  /// The issue or the comment that a wish is about.
  package enum Place: Hashable, Sendable {
    /// An issue that the server has from the start.
    case known(Int)
    /// The issue that a step of the script creates.
    case new(Int)
    /// A comment that the server has from the start: its id.
    case knownComment(Int64, on: Int)
    /// The comment that a step of the script writes.
    case newComment(Int)
    /// A thread of notifications: its id.
    case thread(Int64)
  }

  /// A place as the journal names it.
  package struct Subject: Sendable {
    /// The issue.
    package var target: IssueTarget
    /// The id of the comment; 0 where the wish is about an issue.
    package var comment: Int64

    /// Names a place.
    package init(_ target: IssueTarget, comment: Int64 = 0) {
      (self.target, self.comment) = (target, comment)
    }

    fileprivate var number: Int? {
      if case .number(let number) = target { number } else { nil }
    }
  }

  /// A wish.
  package struct Step: Sendable {
    /// The repository.
    package var repository: RepositoryName
    /// Whose wish it is.
    package var token: OutboxPerson.Token
    /// Whether the login of the token is known when the wish is queued.
    package var knowsLogin: Bool
    /// The place; nil for a creation.
    package var place: Place?
    /// Makes the change. A creation ignores the subject.
    package var change: @Sendable (Subject) -> Change

    /// The change with a made-up number: equal for equal wishes about one place.
    package var sample: Change { change(Subject(.number(0))) }
  }

  /// The issues that the server has from the start.
  package static let recipe = SyntheticIssues(
    count: 6, pullRequests: 0, closed: 0.3, mostComments: 3)
  /// The issue that another user deletes in the middle of the run.
  package static let doomed = 5
  /// How many of the known issues most wishes are about.
  private static let places = 4
  /// The sub-issue that is moved, and its sibling: the sub-issues of issue 1.
  package static let (moved, sibling) = (3, 2)
  /// The threads of notifications.
  package static let threads: [Int64] = [501, 502, 503]
  /// A login that the server doesn't know.
  package static let missingUser = "nobody-there"
  /// A milestone that the server doesn't have.
  package static let missingMilestone = 99
  /// The labels that the person uses. Another user uses the other ones.
  package static let labels = ["bug", "compiler", "concurrency", "performance"]
  /// The logins that the person assigns.
  package static let people = ["ada", "barbara", "tony"]

  /// The kind of server. The wishes are those that its API has.
  package let forge: LoopbackForge
  /// The repository with the known issues.
  package let main: RepositoryName
  /// A repository that takes no writes.
  package let archived: RepositoryName
  /// A repository without issues.
  package let disabled: RepositoryName
  /// The former name of ``main``.
  package let renamed: RepositoryName
  /// The repository that issues are transferred to.
  package let elsewhere: RepositoryName
  /// The wishes, in order.
  package private(set) var steps: [Step] = []

  private var dice: FuzzSource
  /// The texts that the person sees, with their own edits.
  private var titles: [Place: String] = [:]
  private var bodies: [Place: String] = [:]
  private var comments: [(place: Place, text: String)] = []
  private var commentTexts: [Place: String] = [:]
  private let tokens: [OutboxPerson.Token]
  private let seed: UInt64

  /// Makes the script of a seed.
  package init(seed: UInt64, forge: LoopbackForge = .gitHub) throws {
    (self.seed, self.forge) = (seed, forge)
    // Other choices than those of the network in the same run.
    dice = FuzzSource(seed: seed &* 0x9E37_79B9 &+ 1)
    main = try Self.name("swiftlang/swift")
    archived = try Self.name("swiftlang/archived")
    disabled = try Self.name("swiftlang/disabled")
    renamed = try Self.name("apple/swift")
    elsewhere = try Self.name("swiftlang/elsewhere")
    tokens = dice.pick([[.first], [.first, .other], [.first, .first, .renewed, .other]])
    for issue in Self.recipe.make() {
      titles[.known(issue.number)] = issue.title
      bodies[.known(issue.number)] = issue.body ?? ""
      for comment in Self.recipe.comments(on: issue) where issue.number <= Self.places {
        let id = Int64(LoopbackGitHub.commentID(comment.index, on: issue))
        commentTexts[.knownComment(id, on: issue.number)] = comment.body
      }
    }
    let count = 6 + dice.below(11)
    // The other steps are those that the seed had before there were these.
    var others = FuzzSource(seed: seed &* 0x3C6E_F372 &+ 5)
    while steps.count < count {
      addStep()
      if others.once(in: 2) { isOnGitHub ? addOtherStep(&others) : addForgeStep(&others) }
    }
  }

  /// Whether the server has good reason to refuse a change, whatever was changed before.
  package func mayBeRefused(_ change: Change, in repository: RepositoryName) -> Bool {
    if repository != main || change.target == .number(Self.doomed) { return true }
    return switch change {
    case .createIssue(let issue, _): issue.assignees.contains(Self.missingUser)
    case .edit(_, let edit): edit.milestone == .set(Self.missingMilestone)
    default: false
    }
  }

  private var isOnGitHub: Bool { forge == .gitHub }

  private static func name(_ text: String) throws -> RepositoryName {
    guard let name = RepositoryName(text) else { throw Mismatch("\(text) is no repository") }
    return name
  }

  // MARK: Steps

  private mutating func addStep() {
    switch dice.below(100) {
    case ..<15: addCreation()
    case ..<20: repeatCreation()
    case ..<33: addComment(on: anyPlace())
    case ..<37: repeatComment()
    case ..<52: addEdit()
    case ..<57: addClosing()
    case ..<60: addStep(on: anyPlace()) { .reopen($0.target) }
    case ..<64 where forge != .forgejo:
      let isLocking = dice.once(in: 2)
      addStep(on: anyPlace()) { isLocking ? .lock($0.target, .resolved) : .unlock($0.target) }
    case ..<67:
      let kind = dice.pick(Reactions.Kind.allCases)
      let isRemoving = !isOnGitHub && dice.once(in: 3)
      addStep(on: anyPlace()) { isRemoving ? .unreact($0.target, kind) : .react($0.target, kind) }
    case ..<71:
      let isPinning = dice.once(in: 2)
      // More than three can't be pinned.
      addStep(on: .known(1 + dice.below(3))) { isPinning ? .pin($0.target) : .unpin($0.target) }
    case ..<79: addCommentEdit()
    case ..<83: addStep(on: anyComment()) { .deleteComment(id: $0.comment, on: $0.number) }
    case ..<92: addRemoval(of: removable())
    default: addRefusal()
    }
  }

  /// A wish about a notification, a subscription, a reaction to a comment, or the order of sub-issues.
  private mutating func addOtherStep(_ others: inout FuzzSource) {
    swap(&dice, &others)
    defer { swap(&dice, &others) }
    switch dice.below(10) {
    case ..<5:
      let thread = NotificationThread(id: dice.pick(Self.threads), issue: 1)
      let action = dice.pick(GitHub.NotificationAction.allCases)
      addStep(on: .thread(thread.id)) { _ in .notification(thread, action) }
    case ..<7:
      let isSubscribing = dice.once(in: 2)
      addStep(on: anyPlace()) {
        isSubscribing ? .subscribe($0.target) : .unsubscribe($0.target)
      }
    case 7: addCommentReaction()
    default:
      let isFirst = dice.once(in: 2)
      addStep(on: .known(Self.moved)) {
        .relate($0.target, isFirst ? .moveFirst : .moveAfter(RelatedIssue(Self.sibling)))
      }
    }
  }

  /// A wish about a notification, a reaction to a comment, or a milestone, on Forgejo or Gitea.
  private mutating func addForgeStep(_ others: inout FuzzSource) {
    swap(&dice, &others)
    defer { swap(&dice, &others) }
    switch dice.below(3) {
    case 0:
      let thread = NotificationThread(id: dice.pick(Self.threads), issue: 1)
      let action = dice.pick([GitHub.NotificationAction.read, .done])
      addStep(on: .thread(thread.id)) { _ in .notification(thread, action) }
    case 1: addCommentReaction()
    default:
      let edit = IssueChange(milestone: dice.once(in: 3) ? .clear : .set(milestone()))
      addStep(on: anyPlace()) { .edit($0.target, edit) }
    }
  }

  private mutating func addCommentReaction() {
    let kind = dice.pick(Reactions.Kind.allCases)
    let isRemoving = dice.once(in: 3)
    addStep(on: anyComment()) {
      isRemoving
        ? .unreactToComment(id: $0.comment, on: $0.number, kind)
        : .reactToComment(id: $0.comment, on: $0.number, kind)
    }
  }

  /// A milestone of the server, as its API calls it.
  private mutating func milestone() -> Int {
    forge.milestoneID(1 + dice.below(SyntheticIssues.milestones.count))
  }

  private mutating func anyPlace() -> Place {
    let created = steps.indices.filter { steps[$0].place == nil && steps[$0].repository == main }
    if let place = created.isEmpty || dice.once(in: 2) ? nil : dice.pick(created) {
      return .new(place)
    }
    return .known(1 + dice.below(Self.places))
  }

  private mutating func anyComment() -> Place {
    let written = steps.indices.filter {
      guard steps[$0].repository == main, case .comment = steps[$0].sample else { return false }
      return true
    }
    if let place = written.isEmpty || dice.once(in: 2) ? nil : dice.pick(written) {
      return .newComment(place)
    }
    let known = commentTexts.keys.compactMap { place in
      if case .knownComment(let id, let number) = place { (id, number) } else { nil }
    }
    let (id, number) = dice.pick(known.sorted { $0.0 < $1.0 })
    return .knownComment(id, on: number)
  }

  /// An issue to transfer or to delete: seldom one that many wishes are about.
  private mutating func removable() -> Place {
    switch anyPlace() {
    case .new(let creation): .new(creation)
    default: .known(dice.pick([Self.places, Self.recipe.count]))
    }
  }

  private mutating func addStep(
    on place: Place?, in repository: RepositoryName? = nil,
    _ change: @escaping @Sendable (Subject) -> Change
  ) {
    steps.append(
      Step(
        repository: repository ?? main, token: dice.pick(tokens), knowsLogin: dice.once(in: 2),
        place: place, change: change))
  }

  private mutating func addCreation(
    assignees: [String] = [], in repository: RepositoryName? = nil
  ) {
    let body = dice.once(in: 8) ? nil : text("Body")
    create(
      NewIssue(
        title: title("Title"), body: body,
        labels: dice.once(in: 3) ? [dice.pick(Self.labels)] : [], assignees: assignees,
        milestone: !isOnGitHub && dice.once(in: 4) ? milestone() : nil),
      in: repository ?? main)
  }

  private mutating func create(_ issue: NewIssue, in repository: RepositoryName) {
    titles[.new(steps.count)] = issue.title
    bodies[.new(steps.count)] = issue.body ?? ""
    addStep(on: nil, in: repository) { _ in .createIssue(issue) }
  }

  /// The person wants the same issue twice.
  private mutating func repeatCreation() {
    let issues = steps.compactMap { step -> NewIssue? in
      guard step.repository == main, case .createIssue(let issue, _) = step.sample else {
        return nil
      }
      return issue
    }
    guard !issues.isEmpty else { return addCreation() }
    create(dice.pick(issues), in: main)
  }

  private mutating func addComment(on place: Place, in repository: RepositoryName? = nil) {
    let text = text("Comment")
    if repository == nil {
      comments.append((place, text))
      commentTexts[.newComment(steps.count)] = text
    }
    addStep(on: place, in: repository) { .comment(on: $0.target, body: text) }
  }

  /// The person writes the same twice, as in “+1”.
  private mutating func repeatComment() {
    guard !comments.isEmpty else { return addComment(on: anyPlace()) }
    let (place, text) = dice.pick(comments)
    commentTexts[.newComment(steps.count)] = text
    addStep(on: place) { .comment(on: $0.target, body: text) }
  }

  private mutating func addCommentEdit() {
    let place = anyComment()
    let text = text("New comment")
    let change = TextChange(text, base: base(commentTexts[place]))
    commentTexts[place] = text
    addStep(on: place) { .editComment(id: $0.comment, on: $0.number, body: change) }
  }

  private mutating func addEdit() {
    let place = anyPlace()
    var change = IssueChange()
    if dice.once(in: 2) {
      let title = title("New title")
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
    addStep(on: place) { [change] in .edit($0.target, change) }
  }

  /// The text that the person saw: the present one, an outdated one, or none.
  private mutating func base(_ text: String?) -> String? {
    switch dice.below(6) {
    case 0: nil
    case 1: "A text of long ago, \(dice.below(1_000))"
    default: text
    }
  }

  private mutating func addClosing() {
    let reason = dice.pick([StateReason.completed, isOnGitHub ? .notPlanned : .completed])
    addStep(on: anyPlace()) { .close($0.target, reason) }
  }

  private mutating func addRemoval(of place: Place) {
    if dice.once(in: 2) || !isOnGitHub {
      addStep(on: place) { .delete($0.target) }
    } else {
      let destination = elsewhere
      addStep(on: place) { .transfer($0.target, to: destination) }
    }
  }

  /// A wish that the server has good reason to refuse, and sometimes one that depends on it.
  private mutating func addRefusal() {
    switch dice.below(7) {
    case 0:
      addCreation(assignees: [Self.missingUser])
      if dice.once(in: 2) { addComment(on: .new(steps.count - 1)) }
    case 1:
      let edit = IssueChange(milestone: .set(Self.missingMilestone))
      addStep(on: anyPlace()) { .edit($0.target, edit) }
    case 2: addComment(on: .known(1), in: archived)
    case 3: addCreation(in: disabled)
    case 4: addComment(on: .known(Self.doomed))
    case 5: addRemoval(of: .known(Self.doomed))
    default: addComment(on: .known(2), in: renamed)
    }
  }

  // MARK: Texts

  /// A line that no other step has.
  private mutating func line(_ kind: String) -> String {
    "\(kind) \(steps.count) of run \(seed), \(dice.pick(["ä", "a  b", "“q”", "👩‍👩‍👧", "<b>&amp;</b>"]))"
  }

  /// A title that no other step has. Forgejo and Gitea cut some of them.
  private mutating func title(_ kind: String) -> String {
    let title = line(kind)
    guard !isOnGitHub, dice.once(in: 4) else { return title }
    return title + String(repeating: " and é👩‍👩‍👧", count: 30)
  }

  /// A text that no other step has, with ends that servers change.
  private mutating func text(_ kind: String) -> String {
    let ends = ["\n", "\r\n", "\n\n", "\r\n\r\n"]
    var text = line(kind)
    for number in 0..<dice.below(4) { text += dice.pick(ends) + "Line \(number)" }
    if isOnGitHub, dice.once(in: 4) { text += dice.pick(ends) + "![A picture](\(FileMark.mark))" }
    return text + dice.pick(["", "", "\n", "\r\n", "  \n"])
  }
}
