internal import IssueOutbox
internal import IssueTracker
internal import StyledText

/// The questions before a change.
extension BrowserState {
  /// The maximum number of items: enough to find an issue or a name quickly, even in a long list.
  private static let mostOffered = 500
  /// GitHub's limit for the length of a title, in characters.
  private static let longestTitle = 256

  /// The issues that the next change applies to: the issue in the reader, the selected rows, or the row at the cursor.
  private var actingIssues: [GitHub.Issue] {
    if pane == .reader { return reader.map { [$0.issue] } ?? [] }
    return chosen == nil ? selectedIssue.map { [$0] } ?? [] : chosenIssues
  }

  /// The issues to change. Returns nil, and shows a message, if there is nothing to change.
  private mutating func subject() -> [ListedIssue]? {
    let issues = actingIssues
    let listed = issues.compactMap { sheet?.listed($0) }
    guard !issues.isEmpty, listed.count == issues.count else {
      message =
        sheet?.reference == nil && !issues.isEmpty
        ? "The server sent no usable address for an issue." : "There is no issue to change."
      return nil
    }
    return listed
  }

  private mutating func ask(_ picker: Picker) {
    acting.revision += 1
    acting.notice = nil
    acting.dialog = .picker(picker)
    acting.due.append(.check(picker.repositories, revision: acting.revision))
    if picker.isLoading {
      acting.due.append(.names(picker.purpose, picker.repositories, revision: acting.revision))
    }
  }

  // MARK: Closing and reopening

  mutating func askForReason() {
    guard let issues = subject() else { return }
    let open = issues.filter { $0.issue.state != .closed }
    guard !open.isEmpty else {
      message = "\(ActingWords.subject(issues)) \(issues.count == 1 ? "is" : "are") already closed."
      return
    }
    ask(
      Picker(
        .closing, "Close \(ActingWords.subject(open))", action: "close", issues: issues,
        items: [
          Picker.Item(id: StateReason.completed.rawValue, text: "completed"),
          Picker.Item(id: StateReason.notPlanned.rawValue, text: "not planned"),
          Picker.Item(
            id: StateReason.duplicate.rawValue, text: "duplicate", detail: "of another issue"),
        ]))
  }

  /// Removes the reasons that only GitHub has from the question.
  mutating func offerNoReasons(_ revision: Int) {
    guard acting.revision == revision, case .picker(var picker)? = acting.dialog,
      picker.purpose == .closing
    else { return }
    picker.show(picker.items.filter { $0.id == StateReason.completed.rawValue })
    acting.dialog = .picker(picker)
  }

  private mutating func askForOriginal(_ picker: Picker) {
    guard let sheet, let repository = picker.repositories.first, picker.repositories.count == 1
    else {
      message = "A number means an issue of one repository: close the issues of each by themselves."
      return
    }
    let numbers = Set(picker.issues.map(\.issue.number))
    // The user can type any other number.
    let others = sheet.issues.lazy.filter {
      $0.number > 0 && !numbers.contains($0.number) && sheet.repository(of: $0) == repository
    }
    var next = Picker(
      .duplicate, "\(ActingWords.subject(picker.issues)) is a duplicate of", action: "close",
      issues: picker.issues,
      items: others.prefix(Self.mostOffered).map {
        Picker.Item(id: "\($0.number)", text: "#\($0.number) \($0.title.prefix(Self.longestTitle))")
      })
    next.prompt = "a number, or words of a title"
    acting.dialog = .picker(next)
  }

  private mutating func close(
    _ picker: Picker, _ reason: StateReason, duplicateOf original: Int?
  ) {
    change(picker.issues) { listed in
      listed.issue.state == .closed
        ? nil : .close(listed.target, reason, duplicateOf: original)
    }
  }

  mutating func reopen() {
    guard let issues = subject() else { return }
    guard issues.contains(where: { $0.issue.state == .closed }) else {
      message = "\(ActingWords.subject(issues)) \(issues.count == 1 ? "is" : "are") already open."
      return
    }
    change(issues) { $0.issue.state == .closed ? .reopen($0.target) : nil }
  }

  /// Changes the issues that need a change. The first change provides the message for all, unless the message is given.
  private mutating func change(
    _ issues: [ListedIssue], as whole: Change? = nil, named words: String? = nil,
    _ change: (ListedIssue) -> Change?
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
    submit(pairs.map(\.1), to: changed, task, spared: issues.count - changed.count)
  }

  // MARK: Labels, assignees, milestone, reaction

  mutating func askForNames(_ purpose: Picker.Purpose) {
    guard let issues = subject() else { return }
    let noun =
      switch purpose {
      case .labels: "Labels"
      case .assignees: "Assignees"
      default: "Milestone"
      }
    var picker = Picker(
      purpose, "\(noun) of \(ActingWords.subject(issues))",
      action: purpose == .milestone ? "set" : "apply", issues: issues)
    picker.isMultiple = purpose != .milestone
    picker.isLoading = picker.repositories.contains { acting.names[$0]?.has(purpose) != true }
    if purpose == .assignees {
      picker.isLogin = true
      picker.prompt = "type to narrow, or a login"
    }
    offer(&picker)
    ask(picker)
  }

  mutating func askForReaction() {
    guard let issues = subject() else { return }
    ask(
      Picker(
        .reaction, "React to \(ActingWords.subject(issues))", action: "react", issues: issues,
        items: Reactions.Kind.allCases.map {
          Picker.Item(id: $0.rawValue, text: $0.rawValue, detail: $0.emoji)
        }))
  }

  /// Fills a picker with the names known so far: the loaded names, or else those in the list. Of several repositories,
  /// only the names that all of them have are offered.
  private func offer(_ picker: inout Picker) {
    let rows = (sheet?.issues ?? []).prefix(Self.mostOffered)
    switch picker.purpose {
    case .labels:
      let labels = common(&picker, "labels", \.labels, \.name) {
        rows.flatMap(\.labels).sorted { $0.name < $1.name }
      }
      let own = picker.issues.flatMap(\.issue.labels).filter { label in
        picker.repositories.count == 1 || labels.contains { $0.name == label.name }
      }
      picker.show(
        (own + labels).uniqued(\.name).map {
          Picker.Item(id: $0.name, text: $0.name, detail: $0.description ?? "", color: $0.color)
        }, marks: picker.marks { $0.labels.map(\.name) })
    case .assignees:
      let known = picker.repositories.map { acting.names[$0]?.people }
      let logins = common(&picker, "people", \.people?.logins, \.self) { [] }
      picker.problem = known.lazy.compactMap { $0?.problem }.first ?? picker.problem
      var people = logins
      if known.count == 1, known[0]?.isComplete != true {
        people += rows.flatMap(\.assignees).map(\.login) + rows.compactMap(\.user?.login)
      }
      let own = picker.issues.flatMap(\.issue.assignees).map(\.login)
      picker.show(
        (own + people).uniqued { $0 }.map { Picker.Item(id: $0, text: $0) },
        marks: picker.marks { $0.assignees.map(\.login) })
    case .milestone:
      let known = common(&picker, "milestones", \.milestones, \.title) {
        rows.compactMap(\.milestone).filter { $0.number != nil }
      }
      let open = known.filter { $0.state != .closed } + known.filter { $0.state == .closed }
      picker.show(
        [Picker.Item(id: "", text: "none", detail: "no milestone")]
          + open.map { milestone in
            Picker.Item(
              id: milestone.title, text: milestone.title,
              detail: milestone.state == .closed ? "closed" : "")
          })
    case .closing, .duplicate, .reaction, .repository, .command: break
    }
  }

  /// The names that all repositories of a picker have. The picker says how many others there are. Until the names are
  /// loaded, those of one repository are the given ones.
  private func common<Name>(
    _ picker: inout Picker, _ noun: String, _ names: (NamesOfRepository) -> [Name]?,
    _ text: (Name) -> String, known: () -> [Name]
  ) -> [Name] {
    let lists = picker.repositories.map { acting.names[$0].flatMap(names) }
    if lists.count == 1 { return (lists[0] ?? known()).uniqued(text) }
    guard let first = lists.first, var common = first else { return [] }
    var all = Set(common.map { text($0).lowercased() })
    for list in lists.dropFirst() {
      guard let list else { return [] }
      let present = Set(list.map { text($0).lowercased() })
      common.removeAll { !present.contains(text($0).lowercased()) }
      all.formUnion(present)
    }
    let others = all.count - common.count
    if others > 0 {
      picker.problem =
        "\(others.grouped) \(noun) are missing, because not all \(lists.count) repositories have them."
    }
    return common
  }

  /// Shows loaded names in the picker that waits for them.
  mutating func show(_ names: [RepositoryReference: NamesOfRepository], _ revision: Int) {
    for (repository, names) in names {
      acting.names[repository, default: NamesOfRepository()].merge(names)
    }
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

  mutating func comment(beginningWith file: PastedPath? = nil) {
    guard let issues = subject() else { return }
    let composition = Composition.comment(on: issues, beginningWith: file)
    guard issues.count > 1 else { return compose(composition) }
    acting.revision += 1
    acting.dialog = .preview(
      ActingState.Preview(
        changes: [], issues: issues, task: "write one comment for \(ActingWords.subject(issues))",
        composition: composition))
  }

  /// Writes a new issue in the list's repository, or in one of several that the user chooses.
  mutating func writeIssue() {
    guard let sheet else { return }
    let selected = selectedIssue.flatMap(sheet.repository(of:))
    if sheet.reference != nil {
      let known = sheet.repository.flatMap { RepositoryName($0.fullName) }
      guard let known else {
        message = "A new issue needs its repository: open one first."
        return
      }
      return compose(.newIssue(in: RepositoryReference(host: sheet.scope.host, name: known)))
    }
    let places =
      [selected].compactMap(\.self) + sheet.scope.references
      + sheet.issues.compactMap(sheet.repository(of:))
    guard !places.isEmpty else {
      message = "A new issue needs its repository: open one first."
      return
    }
    acting.revision += 1
    acting.dialog = .picker(
      Picker(
        .repository, "New issue in", action: "write",
        items: places.uniqued { "\($0)" }.map { Picker.Item(id: "\($0)", text: "\($0)") }))
  }

  mutating func edit() {
    guard let issues = subject() else { return }
    guard issues.count == 1 else {
      message = "Titles and texts are edited one issue at a time."
      return
    }
    let issue = issues[0]
    guard case .number(let number) = issue.target else {
      message =
        "\(issue.name) isn't created yet: 'issues outbox edit \(issue.name)' edits it."
      return
    }
    compose(.edit(number: number, of: issue.repository))
  }

  mutating func compose(_ composition: Composition) {
    acting.notice = nil
    acting.isComposing = true
    acting.due.append(.compose(composition))
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
    // Nothing matches the typed text. The number of an original isn't among the items.
    if picker.matches.isEmpty, !picker.isMarkedAnew, picker.purpose != .duplicate { return }
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
      guard !picker.issues.contains(where: { $0.issue.number == original }) else {
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
      // A change identifies a milestone by its number, which is meaningless to a reader.
      let words = item.id.isEmpty ? nil : "milestone “\(item.text)”"
      let numbers = picker.repositories.map { repository in
        (repository, milestones(of: repository).first { $0.title == item.id }?.number)
      }
      edit(picker, IssueChange(milestone: .clear), words) { listed in
        let number = numbers.first { $0.0 == listed.repository }?.1
        guard item.id.isEmpty || number != nil else { return IssueChange() }
        return listed.issue.milestone?.number == number
          ? IssueChange() : IssueChange(milestone: number.map { .set($0) } ?? .clear)
      }
    case .reaction:
      guard let kind = picker.item.flatMap({ Reactions.Kind(rawValue: $0.id) }) else { return }
      change(picker.issues) { .react($0.target, kind) }
    case .repository:
      guard let place = picker.item.flatMap({ try? RepositoryReference(parsing: $0.id) }) else {
        return
      }
      acting.dialog = nil
      compose(.newIssue(in: place))
    case .command:
      guard let command = customCommands.first(where: { $0.name == picker.item?.id }) else {
        return
      }
      run(command)
    }
  }

  private func milestones(of repository: RepositoryReference) -> [GitHub.Milestone] {
    acting.names[repository]?.milestones
      ?? (sheet?.issues ?? []).compactMap { issue in
        sheet?.repository(of: issue) == repository ? issue.milestone : nil
      }
  }

  private mutating func edit(
    _ picker: Picker, of names: (GitHub.Issue) -> [String],
    _ change: (_ added: [String], _ removed: [String]) -> IssueChange
  ) {
    let (all, none) = (picker.changes(to: []), picker.changes(to: picker.items.map(\.id)))
    edit(picker, change(all.added, none.removed)) { listed in
      let (added, removed) = picker.changes(to: names(listed.issue))
      return change(added, removed)
    }
  }

  private mutating func edit(
    _ picker: Picker, _ whole: IssueChange, _ words: String? = nil,
    _ part: (ListedIssue) -> IssueChange
  ) {
    let whole = Change.edit(.number(0), whole)
    change(picker.issues, as: whole, named: words) { listed in
      let part = part(listed)
      return part == IssueChange() ? nil : .edit(listed.target, part)
    }
  }
}

extension Picker {
  /// The mark of each name: whether all, some or none of the issues have it.
  fileprivate func marks(_ names: (GitHub.Issue) -> [String]) -> [String: Mark] {
    var counts: [String: Int] = [:]
    for listed in issues { for name in Set(names(listed.issue)) { counts[name, default: 0] += 1 } }
    return counts.mapValues { $0 == issues.count ? .all : .some }
  }
}

extension NamesOfRepository {
  /// Whether the names for a picker are loaded.
  fileprivate func has(_ purpose: Picker.Purpose) -> Bool {
    switch purpose {
    case .labels: labels != nil
    case .assignees: people != nil
    default: milestones != nil
    }
  }
}

extension Sequence {
  /// The elements without later duplicates of a name, ignoring case.
  func uniqued(_ name: (Element) -> String) -> [Element] {
    var seen: Set<String> = []
    return filter { seen.insert(name($0).lowercased()).inserted }
  }
}
