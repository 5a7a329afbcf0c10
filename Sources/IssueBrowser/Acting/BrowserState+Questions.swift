internal import IssueOutbox
internal import IssueTracker

/// The questions before a change.
extension BrowserState {
  /// The maximum number of items: enough to find an issue or a name quickly, even in a long list.
  private static let mostOffered = 500
  /// GitHub's limit for the length of a title, in characters.
  private static let longestTitle = 256

  /// The repository under its current name.
  var actingPlace: RepositoryReference? {
    guard let sheet, let name = sheet.repository.flatMap({ RepositoryName($0.fullName) }) else {
      return nil
    }
    return RepositoryReference(host: sheet.reference.host, name: name)
  }

  /// The issues that the next change applies to: the issue in the reader, the selected rows, or the row at the cursor.
  private var actingIssues: [GitHub.Issue] {
    if pane == .reader { return reader.map { [$0.issue] } ?? [] }
    return chosen == nil ? selectedIssue.map { [$0] } ?? [] : chosenIssues
  }

  /// The issues to change and their repository. Returns nil, and shows a message, if there is nothing to change.
  private mutating func subject() -> (issues: [GitHub.Issue], place: RepositoryReference)? {
    let issues = actingIssues
    guard let place = actingPlace, !issues.isEmpty else {
      let isFound = if case .found? = viewsPage { viewsSelection != nil } else { false }
      message = isFound ? "Open the issue first: Enter" : "There is no issue to change."
      return nil
    }
    if acting.names.repository != place { acting.names = NamesOfRepository(repository: place) }
    return (issues, place)
  }

  private mutating func ask(_ picker: Picker) {
    acting.revision += 1
    acting.notice = nil
    acting.dialog = .picker(picker)
    acting.due.append(.check(picker.repository, revision: acting.revision))
    if picker.isLoading {
      acting.due.append(.names(picker.purpose, picker.repository, revision: acting.revision))
    }
  }

  // MARK: Closing and reopening

  mutating func askForReason() {
    guard let (issues, place) = subject() else { return }
    let open = issues.filter { $0.state != .closed }
    guard !open.isEmpty else {
      message = "\(ActingWords.subject(issues)) \(issues.count == 1 ? "is" : "are") already closed."
      return
    }
    ask(
      Picker(
        .closing, "Close \(ActingWords.subject(open))", action: "close", issues: issues, in: place,
        items: [
          Picker.Item(id: StateReason.completed.rawValue, text: "completed"),
          Picker.Item(id: StateReason.notPlanned.rawValue, text: "not planned"),
          Picker.Item(
            id: StateReason.duplicate.rawValue, text: "duplicate", detail: "of another issue"),
        ]))
  }

  private mutating func askForOriginal(_ picker: Picker) {
    let numbers = Set(picker.issues.map(\.number))
    // The user can type any other number.
    let others = (sheet?.issues ?? []).lazy.filter { $0.number > 0 && !numbers.contains($0.number) }
    var next = Picker(
      .duplicate, "\(ActingWords.subject(picker.issues)) is a duplicate of", action: "close",
      issues: picker.issues, in: picker.repository,
      items: others.prefix(Self.mostOffered).map {
        Picker.Item(id: "\($0.number)", text: "#\($0.number) \($0.title.prefix(Self.longestTitle))")
      })
    next.prompt = "a number, or words of a title"
    acting.dialog = .picker(next)
  }

  private mutating func close(
    _ picker: Picker, _ reason: StateReason, duplicateOf original: Int?
  ) {
    change(picker.issues, in: picker.repository) { issue in
      issue.state == .closed
        ? nil : .close(IssueTarget(shownAs: issue.number), reason, duplicateOf: original)
    }
  }

  mutating func reopen() {
    guard let (issues, place) = subject() else { return }
    guard issues.contains(where: { $0.state == .closed }) else {
      message = "\(ActingWords.subject(issues)) \(issues.count == 1 ? "is" : "are") already open."
      return
    }
    change(issues, in: place) { issue in
      issue.state == .closed ? .reopen(IssueTarget(shownAs: issue.number)) : nil
    }
  }

  /// Changes the issues that need a change. The first change provides the message for all, unless the message is given.
  private mutating func change(
    _ issues: [GitHub.Issue], in place: RepositoryReference, as whole: Change? = nil,
    named words: String? = nil, _ change: (GitHub.Issue) -> Change?
  ) {
    let pairs = issues.compactMap { issue in change(issue).map { (issue, $0) } }
    guard let first = whole ?? pairs.first?.1, !pairs.isEmpty else {
      acting.dialog = nil
      message =
        "Nothing to change: \(ActingWords.subject(issues)) "
        + "\(issues.count == 1 ? "is" : "are") already like that."
      return
    }
    let changed = pairs.map(\.0)
    let task =
      words.map { "change \(ActingWords.subject(changed)): \($0)" }
      ?? ActingWords.task(first, changed)
    submit(
      pairs.map(\.1), to: changed, in: place, task, spared: issues.count - changed.count)
  }

  // MARK: Labels, assignees, milestone, reaction

  mutating func askForNames(_ purpose: Picker.Purpose) {
    guard let (issues, place) = subject() else { return }
    let (noun, isKnown) =
      switch purpose {
      case .labels: ("Labels", acting.names.labels != nil)
      case .assignees: ("Assignees", acting.names.people != nil)
      default: ("Milestone", acting.names.milestones != nil)
      }
    var picker = Picker(
      purpose, "\(noun) of \(ActingWords.subject(issues))",
      action: purpose == .milestone ? "set" : "apply", issues: issues, in: place)
    picker.isMultiple = purpose != .milestone
    picker.isLoading = !isKnown
    if purpose == .assignees {
      picker.isLogin = true
      picker.prompt = "type to narrow, or a login"
    }
    offer(&picker)
    ask(picker)
  }

  mutating func askForReaction() {
    guard let (issues, place) = subject() else { return }
    ask(
      Picker(
        .reaction, "React to \(ActingWords.subject(issues))", action: "react", issues: issues,
        in: place,
        items: Reactions.Kind.allCases.map {
          Picker.Item(id: $0.rawValue, text: $0.rawValue, detail: $0.emoji)
        }))
  }

  /// Fills a picker with the names known so far: the loaded names, or else those in the list.
  private func offer(_ picker: inout Picker) {
    let rows = (sheet?.issues ?? []).prefix(Self.mostOffered)
    switch picker.purpose {
    case .labels:
      let labels = acting.names.labels ?? rows.flatMap(\.labels).sorted { $0.name < $1.name }
      let own = picker.issues.flatMap(\.labels)
      picker.show(
        (own + labels).uniqued { $0.name }.map {
          Picker.Item(
            id: $0.name, text: $0.name, detail: $0.description ?? "", color: $0.color)
        }, marks: picker.marks(of: picker.issues) { $0.labels.map(\.name) })
    case .assignees:
      let known = acting.names.people
      picker.problem = known?.problem
      var people = known?.logins ?? []
      if known?.isComplete != true {
        people += rows.flatMap(\.assignees).map(\.login) + rows.compactMap(\.user?.login)
      }
      let own = picker.issues.flatMap(\.assignees).map(\.login)
      picker.show(
        (own + people).uniqued { $0 }.map { Picker.Item(id: $0, text: $0) },
        marks: picker.marks(of: picker.issues) { $0.assignees.map(\.login) })
    case .milestone:
      let known = acting.names.milestones ?? rows.compactMap(\.milestone).uniqued { $0.title }
      let open = known.filter { $0.state != .closed } + known.filter { $0.state == .closed }
      picker.show(
        [Picker.Item(id: "", text: "none", detail: "no milestone")]
          + open.compactMap { milestone in
            milestone.number.map {
              Picker.Item(
                id: "\($0)", text: milestone.title,
                detail: milestone.state == .closed ? "closed" : "")
            }
          })
    case .closing, .duplicate, .reaction: break
    }
  }

  /// Shows loaded names in the picker that waits for them.
  mutating func show(_ names: NamesOfRepository, _ revision: Int) {
    acting.names.merge(names)
    guard acting.revision == revision, case .picker(var picker)? = acting.dialog else { return }
    picker.isLoading = false
    offer(&picker)
    acting.dialog = .picker(picker)
  }

  /// Shows in the picker the reason that names are missing.
  mutating func lack(_ reason: String, _ revision: Int) {
    guard acting.revision == revision, case .picker(var picker)? = acting.dialog else { return }
    picker.isLoading = false
    picker.problem = reason
    acting.dialog = .picker(picker)
  }

  // MARK: In the editor

  mutating func comment() {
    guard let (issues, place) = subject() else { return }
    let composition = Composition.comment(on: issues.map { IssueTarget(shownAs: $0.number) })
    guard issues.count > 1 else { return compose(composition, in: place) }
    acting.revision += 1
    acting.dialog = .preview(
      ActingState.Preview(
        changes: [], issues: issues, repository: place,
        task: "write one comment for \(ActingWords.subject(issues))", composition: composition))
  }

  mutating func writeIssue() {
    guard let place = actingPlace else {
      message = "A new issue needs its repository: open one first."
      return
    }
    compose(.newIssue, in: place)
  }

  mutating func edit() {
    guard let (issues, place) = subject() else { return }
    guard issues.count == 1, let issue = issues.first else {
      message = "Titles and texts are edited one issue at a time."
      return
    }
    guard issue.number > 0 else {
      message =
        "\(ActingWords.subject(issues)) isn't created yet: "
        + "'issues outbox edit \(ActingWords.subject(issues))' edits it."
      return
    }
    compose(.edit(number: issue.number), in: place)
  }

  mutating func compose(_ composition: Composition, in place: RepositoryReference) {
    acting.notice = nil
    acting.isComposing = true
    acting.due.append(.compose(composition, place))
  }

  // MARK: Answers

  mutating func pick(_ command: PickerCommand) {
    guard case .picker(var picker)? = acting.dialog else { return }
    switch command {
    case .leave: return leaveDialog()
    case .take: return take(picker)
    case .move(let rows): picker.move(rows)
    case .edit(let edit): picker.edit(edit)
    case .toggle: picker.toggle()
    }
    acting.dialog = .picker(picker)
  }

  private mutating func take(_ picker: Picker) {
    var picker = picker
    // If the user types a name and presses Enter, that name is chosen.
    if picker.isMultiple, !picker.isMarkedAnew, !picker.filter.text.isEmpty { picker.toggle() }
    switch picker.purpose {
    case .closing:
      guard let item = picker.item else { return }
      let reason = StateReason(rawValue: item.id)
      if reason == .duplicate { return askForOriginal(picker) }
      close(picker, reason, duplicateOf: nil)
    case .duplicate:
      let typed = Int(picker.filter.text.drop { $0 == "#" })
      guard let original = typed ?? picker.item.flatMap({ Int($0.id) }), original > 0 else {
        return
      }
      guard !picker.issues.contains(where: { $0.number == original }) else {
        message = "An issue isn't a duplicate of itself."
        return
      }
      close(picker, .duplicate, duplicateOf: original)
    case .labels:
      edit(
        picker, of: { $0.labels.map(\.name) },
        { IssueChange(addedLabels: $0, removedLabels: $1) })
    case .assignees:
      edit(
        picker, of: { $0.assignees.map(\.login) },
        { IssueChange(addedAssignees: $0, removedAssignees: $1) })
    case .milestone:
      guard let item = picker.item else { return }
      let number = Int(item.id)
      let whole = IssueChange(milestone: number.map { .set($0) } ?? .clear)
      // A change identifies a milestone by its number, which is meaningless to a reader.
      let words = number.map { _ in "milestone “\(item.text)”" }
      edit(picker, whole, words) { $0.milestone?.number == number ? IssueChange() : whole }
    case .reaction:
      guard let kind = picker.item.flatMap({ Reactions.Kind(rawValue: $0.id) }) else { return }
      change(picker.issues, in: picker.repository) {
        .react(IssueTarget(shownAs: $0.number), kind)
      }
    }
  }

  private mutating func edit(
    _ picker: Picker, of names: (GitHub.Issue) -> [String],
    _ change: (_ added: [String], _ removed: [String]) -> IssueChange
  ) {
    let (all, none) = (picker.changes(to: []), picker.changes(to: picker.items.map(\.id)))
    edit(picker, change(all.added, none.removed)) { issue in
      let (added, removed) = picker.changes(to: names(issue))
      return change(added, removed)
    }
  }

  private mutating func edit(
    _ picker: Picker, _ whole: IssueChange, _ words: String? = nil,
    _ part: (GitHub.Issue) -> IssueChange
  ) {
    let whole = Change.edit(.number(0), whole)
    change(picker.issues, in: picker.repository, as: whole, named: words) { issue in
      let part = part(issue)
      return part == IssueChange() ? nil : .edit(IssueTarget(shownAs: issue.number), part)
    }
  }
}

extension Picker {
  /// The mark of each name: whether all, some or none of the issues have it.
  fileprivate func marks(of issues: [GitHub.Issue], _ names: (GitHub.Issue) -> [String]) -> [String:
    Mark]
  {
    var counts: [String: Int] = [:]
    for issue in issues { for name in Set(names(issue)) { counts[name, default: 0] += 1 } }
    return counts.mapValues { $0 == issues.count ? .all : .some }
  }
}

extension Sequence {
  /// The elements without later duplicates of a name, ignoring case.
  fileprivate func uniqued(_ name: (Element) -> String) -> [Element] {
    var seen: Set<String> = []
    return filter { seen.insert(name($0).lowercased()).inserted }
  }
}
