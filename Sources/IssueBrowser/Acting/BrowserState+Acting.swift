internal import IssueOutbox
internal import IssueTracker

extension BrowserState {
  mutating func act(_ command: ActingCommand) {
    switch command {
    case .close: askForReason()
    case .reopen: reopen()
    case .undo: undo()
    case .closeNotice: acting.notice = nil
    case .picker(let command): pick(command)
    }
  }

  /// Closes the screen once every change is on the disk. Asked again, it closes at once.
  mutating func quit() {
    let isAdding = acting.batches.contains { $0.phase == .adding }
    if isAdding, !acting.closes { acting.closes = true } else { isFinished = true }
  }

  // MARK: What a change is about

  /// The repository under its present name.
  var actingPlace: RepositoryReference? {
    guard let sheet, let name = sheet.repository.flatMap({ RepositoryName($0.fullName) }) else {
      return nil
    }
    return RepositoryReference(host: sheet.reference.host, name: name)
  }

  /// The issue being read, or selected in the list.
  private var actingIssues: [Issue] {
    (pane == .reader ? reader?.issue : selectedIssue).map { [$0] } ?? []
  }

  /// What a question is about; nil, with a message, if there is nothing to change.
  private mutating func subject() -> (issues: [Issue], place: RepositoryReference)? {
    guard let place = actingPlace, !actingIssues.isEmpty else {
      message = "There is no issue to change."
      return nil
    }
    return (actingIssues, place)
  }

  // MARK: Questions

  private mutating func ask(_ picker: Picker) {
    acting.revision += 1
    acting.notice = nil
    acting.dialog = .picker(picker)
    acting.due.append(.check(picker.repository, revision: acting.revision))
  }

  private mutating func askForReason() {
    guard let (issues, place) = subject() else { return }
    let open = issues.filter { $0.state != .closed }
    guard !open.isEmpty else {
      message = "\(ActingWords.subject(issues)) is closed already."
      return
    }
    ask(
      Picker(
        .closing, "Close \(ActingWords.subject(open))", action: "close", issues: open, in: place,
        items: [
          Picker.Item(id: StateReason.completed.rawValue, text: "completed"),
          Picker.Item(id: StateReason.notPlanned.rawValue, text: "not planned"),
          Picker.Item(
            id: StateReason.duplicate.rawValue, text: "duplicate", detail: "of another issue"),
        ]))
  }

  private mutating func pick(_ command: PickerCommand) {
    guard case .picker(var picker)? = acting.dialog else { return }
    switch command {
    case .leave:
      acting.dialog = nil
      return
    case .take: return take(picker)
    case .move(let rows): picker.move(rows)
    case .edit(let edit): picker.edit(edit)
    case .toggle: picker.toggle()
    }
    acting.dialog = .picker(picker)
  }

  private mutating func take(_ picker: Picker) {
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
    }
  }

  private mutating func askForOriginal(_ picker: Picker) {
    let numbers = Set(picker.issues.map(\.number))
    // Enough to find one by its title; any other number can be typed.
    let others = (sheet?.issues ?? []).lazy.filter { $0.number > 0 && !numbers.contains($0.number) }
    var next = Picker(
      .duplicate, "\(ActingWords.subject(picker.issues)) is a duplicate of", action: "close",
      issues: picker.issues, in: picker.repository,
      items: others.prefix(500).map {
        Picker.Item(id: "\($0.number)", text: "#\($0.number) \($0.title)")
      })
    next.prompt = "a number, or words of a title"
    acting.dialog = .picker(next)
  }

  private mutating func close(
    _ picker: Picker, _ reason: StateReason, duplicateOf original: Int?
  ) {
    submit(
      picker.issues.map {
        .close(IssueTarget(shownAs: $0.number), reason, duplicateOf: original)
      }, to: picker.issues, in: picker.repository)
  }

  private mutating func reopen() {
    guard let (issues, place) = subject() else { return }
    let closed = issues.filter { $0.state == .closed }
    guard !closed.isEmpty else {
      message = "\(ActingWords.subject(issues)) is open already."
      return
    }
    submit(
      closed.map { .reopen(IssueTarget(shownAs: $0.number)) }, to: closed, in: place)
  }

  // MARK: Making changes, and undoing them

  private mutating func submit(
    _ changes: [Change], to issues: [Issue], in place: RepositoryReference
  ) {
    guard let first = changes.first else { return }
    acting.dialog = nil
    acting.notice = nil
    let batch = acting.begin(changes, to: place, ActingWords.task(first, issues))
    acting.due.append(.submit(batch: batch.id))
  }

  /// Undoes the newest change of this screen, unless it is on its way to the server.
  private mutating func undo() {
    guard let batch = acting.batches.last else {
      message = "There is nothing to undo: the server has every change of this screen."
      return
    }
    switch batch.phase {
    case .adding: acting[batch: batch.id]?.isUndone = true
    case .waiting, .kept: beginUndoing(batch)
    case .sending: message = "\(batch.task.capitalizedFirst): it is being sent and can't be undone."
    }
  }

  private mutating func beginUndoing(_ batch: ActingState.Batch) {
    acting[batch: batch.id] = nil
    acting.due.append(.undo(batch))
  }

  // MARK: Results

  mutating func take(_ result: ActingResult) {
    switch result {
    case .refused(let reason, let revision):
      guard acting.revision == revision else { return }
      acting.dialog = nil
      note(reason)
    case .added(let entries, let id):
      acting[batch: id]?.entries = entries
      acting[batch: id]?.phase = .waiting
      if let batch = acting[batch: id], batch.isUndone { beginUndoing(batch) }
      if acting.closes { quit() }
    case .notAdded(let reason, let id):
      acting[batch: id] = nil
      // Whoever leaves has to know, too.
      acting.closes = false
      note(reason)
    case .phase(let phase, let id): acting[batch: id]?.phase = phase
    case .pending(let pending, let reference, let sent): follow(pending, of: reference, sent)
    case .settled(let entry, let id): settle(entry, id)
    case .kept(let reason, let id):
      guard let batch = acting[batch: id] else { return }
      acting[batch: id]?.phase = .kept
      note("\(batch.task.capitalizedFirst) is kept in the outbox: \(reason)")
    case .ended(let id):
      guard let batch = acting[batch: id] else { return }
      acting[batch: id] = nil
      if acting.notice == nil { message = "\(batch.task.capitalizedFirst): done" }
    case .undone(let batch, let failure):
      if let failure { note(failure) } else { message = "Undone: \(batch.task)" }
    }
  }

  /// Shows up to two lines of words.
  private mutating func note(_ text: String) {
    let lines = text.split(whereSeparator: \.isNewline).prefix(2).map(String.init)
    acting.notice = ActingState.Notice(lines: lines)
  }

  private mutating func settle(_ entry: OutboxEntry, _ id: Int) {
    acting[batch: id]?.answered += 1
    let task = ActingWords.task(entry).capitalizedFirst
    switch entry.state {
    case .refused:
      note("\(task): \(entry.reason ?? "the server refused it").\n\(Self.outboxAdvice)")
    case .conflict:
      note(
        "\(task): somebody else has changed it meanwhile, and nothing was overwritten.\n"
          + "Press O to see both texts and to choose.")
    case .unknown:
      note(
        "\(task): the answer was lost, and the server may or may not have the change.\n"
          + "Press O to look, and to send it again or drop it.")
    case .sent:
      let omitted = entry.answer?.dropped ?? []
      if !omitted.isEmpty {
        note("\(task): the server left something out.\n\(omitted.joined(separator: "; "))")
      }
    case .queued, .sending: break
    }
  }

  private static var outboxAdvice: String {
    "The change is kept in the outbox: press O to send it again or drop it."
  }

  // MARK: Rows

  /// Shows what waits now, and what the server has answered. The selection stays on its issue.
  private mutating func follow(
    _ pending: PendingChanges?, of reference: RepositoryReference, _ sent: SentChange?
  ) {
    guard case .issues(var sheet) = content, sheet.reference == reference else { return }
    let sent = sent.flatMap { sheet.isOf($0.entry) ? $0 : nil }
    let selected = selectedIssue?.number
    let read = sheet.follow(pending, sent, reading: reader?.issue)
    content = .issues(sheet)
    if let selected {
      let number = sent?.number(of: selected) ?? selected
      if let row = sheet.issues.firstIndex(where: { $0.number == number }) {
        top += row - selection
        selection = row
      }
    }
    revealSelection()
    guard let read else {
      if let reader, reader.issue.number < 0 { closeReader() }
      return
    }
    acting.shown += 1
    reader?.issue = read
    if let comment = sent?.comment, sent?.entry.answer?.number == read.number,
      reader?.isLoading == false, reader?.comments.contains(where: { $0.id == comment.id }) == false
    {
      reader?.comments.append(comment)
    }
  }
}

extension SentChange {
  /// The number that a shown issue has now: one that was `new-4` has one of the server's.
  func number(of shown: Int) -> Int? {
    guard case .createIssue = entry.change, shown == -Int(entry.id) else { return nil }
    return entry.answer?.number
  }
}

extension String {
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
