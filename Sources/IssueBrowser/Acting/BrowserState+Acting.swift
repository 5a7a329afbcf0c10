internal import IssueOutbox
internal import IssueTracker
internal import StyledText

extension BrowserState {
  mutating func act(_ command: ActingCommand) {
    switch command {
    case .close: askForReason()
    case .reopen: reopen()
    case .labels: askForNames(.labels)
    case .assignees: askForNames(.assignees)
    case .milestone: askForNames(.milestone)
    case .react: askForReaction()
    case .comment: comment()
    case .attach(let file): comment(beginningWith: file)
    case .newIssue: writeIssue()
    case .edit: edit()
    case .inbox(let action): act(action)
    case .undo: undo()
    case .outbox: openOutbox()
    case .outboxPage(let command): handle(command)
    case .closeNotice: acting.notice = nil
    case .toggleRow, .range, .selectAll: select(command)
    case .endSelection: acting.selection = nil
    case .confirm: confirm()
    case .leave: leaveDialog()
    case .picker(let command): pick(command)
    case .commands: chooseCommand()
    case .run(let command): run(command)
    }
  }

  /// Closes the screen once all of the user's changes are saved. A second call closes it at once.
  mutating func quit() {
    if acting.isKeeping, !acting.closes { acting.closes = true } else { isFinished = true }
  }

  private mutating func closeIfAsked() {
    if acting.closes, !acting.isKeeping, !acting.isComposing { isFinished = true }
  }

  /// Closes the question. A late result can't be applied to a later question.
  mutating func leaveDialog() {
    acting.dialog = nil
    acting.revision += 1
  }

  // MARK: Making changes, and undoing them

  /// Makes changes, each to the issue at its index. Changes to several issues are first shown to the user for review.
  mutating func submit(
    _ changes: [Change], to issues: [ListedIssue], _ task: String, spared: Int = 0
  ) {
    acting.dialog = nil
    let changes = zip(changes, issues).map { RepositoryChange($0, in: $1.repository) }
    guard issues.count > 1 else { return make(changes, task) }
    acting.dialog = .preview(
      ActingState.Preview(changes: changes, issues: issues, task: task, spared: spared))
  }

  private mutating func confirm() {
    guard case .preview(let preview)? = acting.dialog else { return }
    acting.dialog = nil
    if let composition = preview.composition {
      acting.selection = nil
      return compose(composition)
    }
    make(preview.changes, preview.task)
  }

  private mutating func make(_ changes: [RepositoryChange], _ task: String) {
    guard !changes.isEmpty else { return }
    acting.notice = nil
    if pane != .reader { acting.selection = nil }
    let batch = acting.begin(changes, task)
    acting.due.append(.submit(batch: batch.id))
    followInbox()
  }

  /// Undoes the newest change from this screen, unless it is already being sent.
  private mutating func undo() {
    guard let batch = acting.newest else {
      message = "There is nothing to undo: the server has every change of this screen."
      return
    }
    switch batch.phase {
    case .adding: acting[batch: batch.id]?.isUndone = true
    case .waiting, .kept: beginUndoing(batch)
    case .sending: message = "Can't be undone, because it is being sent: \(batch.task)"
    case .undoing: break
    }
    followInbox()
  }

  private mutating func beginUndoing(_ batch: ActingState.Batch) {
    acting[batch: batch.id]?.phase = .undoing
    acting.due.append(.undo(batch))
  }

  // MARK: Results

  mutating func take(_ result: ActingResult) {
    defer { followInbox() }
    if result.isOutcome { acting.outcomes += 1 }
    switch result {
    case .refused(let reason, let revision):
      guard acting.revision == revision else { return }
      acting.dialog = nil
      note(reason)
    case .lacksReasons(let revision): offerNoReasons(revision)
    case .added(let entries, let id):
      acting[batch: id]?.entries = entries
      acting[batch: id]?.phase = .waiting
      if let batch = acting[batch: id], batch.isUndone {
        beginUndoing(batch)
      } else {
        acting.due.append(.deliver(batch: id, atOnce: false))
      }
      closeIfAsked()
    case .notAdded(let reason, let id):
      acting[batch: id] = nil
      // The notice must also reach a user who is closing the screen.
      acting.closes = false
      note(reason)
    case .phase(let phase, let id):
      guard acting[batch: id]?.phase != .undoing else { return }
      acting[batch: id]?.phase = phase
      acting[batch: id]?.waitsUntil = nil
    case .limited(let end, let id): acting[batch: id]?.waitsUntil = end
    case .uploading(let upload, let id): acting[batch: id]?.upload = upload
    case .unsent(let unsent):
      guard acting.unsent != unsent else { return }
      acting.unsent = unsent
      reloadStart()
    case .pending(let pending, let scope, let sent): follow(pending, of: scope, sent)
    case .settled(let entry, let id): settle(entry, id)
    case .kept(let reason, let end, let id):
      guard let batch = acting[batch: id] else { return }
      acting[batch: id]?.phase = .kept
      acting[batch: id]?.waitsUntil = end
      note("\(batch.task.capitalizedFirst) is kept in the outbox: \(reason)", keptBatch: id)
    case .ended(let id):
      guard let batch = acting[batch: id] else { return }
      acting[batch: id] = nil
      if acting.notice == nil {
        message = "Done: \(batch.task)\(consequence(of: batch))"
      }
    case .composed(let entries):
      acting.isComposing = false
      take(composed: entries)
      closeIfAsked()
    case .ran(let outcome):
      (acting.isComposing, acting.running) = (false, nil)
      message = outcome
      closeIfAsked()
    case .notComposed(let reason):
      (acting.isComposing, acting.running) = (false, nil)
      acting.closes = false
      note(reason)
    case .failed(let reason): note(reason)
    case .outbox(let entries): show(entries)
    case .decided(let released, let dropped, let failure):
      acting.decisions -= 1
      acting.forget(dropped)
      if let released { send([released], atOnce: true) }
      if let failure {
        acting.closes = false
        note(failure)
      }
      closeIfAsked()
    case .names(let names, let revision): show(names, revision)
    case .namesMissing(let reason, let revision): lack(reason, revision)
    case .undone(let batch, let failure):
      acting[batch: batch.id] = nil
      if let failure {
        acting.closes = false
        note(failure)
      } else {
        message = "Undone: \(batch.task)"
      }
      closeIfAsked()
    }
  }

  private mutating func send(_ entries: [OutboxEntry], atOnce: Bool) {
    guard let first = entries.first else { return }
    let task =
      entries.count == 1
      ? task(of: first) : ActingWords.task(first.change, "\(entries.count.grouped) issues")
    acting.forget(entries.map(\.id))
    var batch = acting.begin(
      entries.map { RepositoryChange($0.change, in: place(of: $0)) }, task)
    (batch.entries, batch.phase) = (entries.map(\.id), .waiting)
    acting[batch: batch.id] = batch
    acting.due.append(.deliver(batch: batch.id, atOnce: atOnce))
  }

  /// The repository that a change is for. The name of the screen's own server is omitted.
  func place(of entry: OutboxEntry) -> RepositoryReference {
    RepositoryReference(
      host: entry.server.host == host ? nil : entry.server.host, name: entry.repository)
  }

  /// The change in words. In a list of several repositories, they name the repository.
  private func task(of entry: OutboxEntry) -> String {
    guard let sheet, sheet.reference == nil else { return ActingWords.task(entry) }
    if case .createIssue = entry.change {
      return "\(ActingWords.task(entry)) in \(entry.repository)"
    }
    return ActingWords.task(entry.change, "\(entry.repository)\(entry.target?.name ?? "")")
  }

  private mutating func take(composed entries: [OutboxEntry]?) {
    guard let entries else {
      message = "Nothing was written, so nothing is sent."
      return
    }
    send(entries, atOnce: false)
  }

  /// Shows a message of up to two lines.
  mutating func note(_ text: String, keptBatch: Int? = nil) {
    let lines = text.split(whereSeparator: \.isNewline).prefix(2).map { String($0.prefix(1_000)) }
    acting.notice = ActingState.Notice(lines: lines, keptBatch: keptBatch)
  }

  private mutating func settle(_ entry: OutboxEntry, _ id: Int) {
    acting[batch: id]?.answered += 1
    let task = task(of: entry).capitalizedFirst
    switch entry.state {
    case .refused:
      note("\(task): \(entry.reason ?? "the server refused it").\n\(outboxAdvice)")
    case .conflict:
      note(
        "\(task): someone else has changed it in the meantime, and nothing was overwritten.\n"
          + "Press O to see both texts and to choose.")
    case .unknown:
      note(
        "\(task): the response was lost, and the server may or may not have the change.\n"
          + "Press O to look, and to send it again or drop it.")
    case .sent:
      if let sent = SentChange(entry) { settleInbox(sent) }
      let omitted = entry.answer?.dropped ?? []
      if !omitted.isEmpty {
        note("\(task): the server left something out.\n\(omitted.joined(separator: "; "))")
      }
    case .proposed, .queued, .sending: break
    }
  }

  private var outboxAdvice: String {
    "The change is kept in the outbox: press \(keyMap.shown("O")) to send it again or drop it."
  }

  /// The effect of changes on the rows of the list, as a message to the user.
  private func consequence(of batch: ActingState.Batch) -> String {
    let answers = acting.answers.filter { batch.entries.contains($0.entry.id) }
    guard let sheet, let answer = answers.last(where: \.isCreation) ?? answers.last,
      sheet.isOf(answer.entry)
    else { return "" }
    if answer.isCreation, let number = answer.entry.answer?.number {
      let key = sheet.key(of: number, in: answer.entry.repository)
      let isListed = sheet.issues.contains { sheet.key(of: $0) == key }
      return isListed ? " (#\(number))" : " (#\(number), which isn't among these rows)"
    }
    let targets = Set(
      batch.changes.compactMap { change in
        if case .number(let number)? = change.change.target {
          sheet.key(of: number, in: change.repository.name)
        } else {
          nil
        }
      })
    let leaving = sheet.issues.count {
      targets.contains(sheet.key(of: $0)) && sheet.certainFilter?.matches($0) == false
    }
    if leaving == 0 { return "" }
    let leaves = targets.count == 1 ? "it leaves" : "\(leaving.grouped) of them leave"
    return ", and \(leaves) the list at the next reload"
  }

  // MARK: Rows

  /// The responses that an arriving page may not reflect yet.
  var recentAnswers: [SentChange] { acting.answers.filter { $0.isRecent(at: now) } }

  /// Applies recent changes to a list that is shown again.
  mutating func catchUp() {
    followInbox()
    guard acting.hasActed, case .issues(var sheet) = list.content else { return }
    let selected = selectedIssue.map(sheet.key)
    sheet.catchUp(with: acting.answers, keeping: selected)
    list.content = .issues(sheet)
    if let row = sheet.issues.firstIndex(where: { sheet.key(of: $0) == selected }) {
      list.cursor.selection = row
    }
    revealSelection()
    acting.due.append(.follow)
  }

  /// Shows the pending changes and the server's response. The selection stays on its issue.
  private mutating func follow(
    _ pending: [String?: PendingChanges], of scope: ListScope, _ sent: SentChange?
  ) {
    if let sent { acting.note(sent, at: now) }
    guard case .issues(var sheet) = list.content, sheet.scope == scope else { return }
    let sent = sent.flatMap { sheet.isOf($0.entry) ? $0 : nil }
    if let sent { acting.selection?.follow(sent) }
    let selected = selectedIssue.map(sheet.key)
    let read = sheet.follow(pending, sent, reading: reader?.issue, acting.names)
    list.content = .issues(sheet)
    if var selected {
      selected.number = sent?.number(of: selected.number) ?? selected.number
      if let row = sheet.issues.firstIndex(where: { sheet.key(of: $0) == selected }) {
        // A list at its beginning stays there, so that a new issue is visible.
        if list.cursor.top > 0 { list.cursor.top += row - list.cursor.selection }
        list.cursor.selection = row
      }
    }
    revealSelection()
    guard let read else {
      if let issue = reader?.issue,
        issue.number < 0 || sent?.goneKey(in: sheet) == sheet.key(of: issue)
      {
        closeReader()
      }
      return
    }
    acting.shown += 1
    reader?.issue = read
    if let sent, let comment = sent.comment,
      sent.entry.answer?.number.flatMap({ sheet.key(of: $0, in: sent.entry.repository) })
        == sheet.key(of: read),
      reader?.isLoading == false, reader?.standing == .online,
      reader?.comments.contains(where: { $0.id == comment.id }) == false
    {
      reader?.comments.append(comment)
    }
  }
}

extension ActingResult {
  /// Whether the result may change the issues in a list.
  fileprivate var isOutcome: Bool {
    switch self {
    case .added, .composed, .settled, .undone, .decided: true
    default: false
    }
  }
}

extension String {
  /// The text as a sentence. An address at its beginning stays as it is.
  var capitalizedFirst: String {
    prefix { $0 != " " }.contains("://") ? self : prefix(1).uppercased() + dropFirst()
  }
}
