internal import ArgumentParser
internal import IssueOutbox
internal import IssueTracker

struct CommentCommand: IssueSelecting {
  static let configuration = CommandConfiguration(
    commandName: "comment",
    abstract: "Comment on an issue, or edit or delete a comment.",
    usage: """
      issues comment [<options>] [OWNER/REPO] NUMBER
      issues comment [<options>] --where QUERY {--body TEXT | --attach FILE}
      issues comment [<options>] NUMBER --edit ID | --edit-last
      issues comment [<options>] NUMBER --delete ID | --delete-last
      """,
    discussion: """
      On a terminal, without --body and --body-file, you write the text in your editor: $GIT_EDITOR, git's \
      core.editor, $VISUAL or $EDITOR. It is kept in a file until it is in the outbox; if something goes \
      wrong, the next run offers it again. Empty text cancels.

      The id of a comment is the number at the end of its address.

      \(AttachmentOptions.discussion) With --edit and --edit-last, the old text stays.

      \(BulkOptions.discussion)

      \(WriteHelp.results)

      EXAMPLES:
        issues comment 12
        issues comment 12 --body "I see this too."
        git log -1 | issues comment apple/swift#12 --body-file -
        issues comment 12 --attach 'shot.png#The crash'
        issues comment 12 --edit-last --body "I see this too, on Linux."
        issues comment 12 --delete 4300000001
        issues comment --where 'is:open milestone:6.1' --body 'Moved to 6.2.'
      """)

  @OptionGroup var selection: IssuesOptions
  @OptionGroup var text: BodyOptions
  @OptionGroup var attachments: AttachmentOptions

  @Flag(name: .shortAndLong, help: "Write the text in your editor, as without --body.")
  var editor = false

  @Option(help: ArgumentHelp("Edit the comment with this id instead.", valueName: "id"))
  var edit: Int64?

  @Flag(help: "Edit your last comment on the issue instead.")
  var editLast = false

  @Option(help: ArgumentHelp("Delete the comment with this id instead.", valueName: "id"))
  var delete: Int64?

  @Flag(help: "Delete your last comment on the issue instead.")
  var deleteLast = false

  @Flag(help: "Continue the draft of an earlier run, without asking.")
  var recover = false

  @OptionGroup(title: "Bulk") var bulk: BulkOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup var queueing: QueueOptions
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  static var jsonFields: JSONFields.Known { .sent(IssueComment.fieldNames) }

  func validateOptions() throws {
    let others = [edit != nil, editLast, delete != nil, deleteLast].count { $0 }
    guard others <= 1 else {
      throw ValidationError("Choose --edit, --edit-last, --delete or --delete-last.")
    }
    let deletes = delete != nil || deleteLast
    try bulk.require(issues, asks: deletes)
    // An invalid word is refused when it is needed, with the reason.
    guard bulk.query != nil || (try? IssueArguments(issues, repo: repo))?.isOne ?? true else {
      throw ValidationError("Name one issue: NUMBER, OWNER/REPO#NUMBER or URL; or --where QUERY.")
    }
    guard bulk.query == nil || others == 0 && hasText && !recover && !editor else {
      throw ValidationError(
        "With --where give the text of a new comment: --body, --body-file or --attach.")
    }
    guard !deletes || !text.isGiven && !editor && !attachments.areGiven else {
      throw ValidationError(
        "A deleted comment doesn't need text: leave out --body, --editor and --attach.")
    }
    guard !editor || !text.isGiven else {
      throw ValidationError("--editor and --body both give the text: leave one of them out.")
    }
    guard !recover || !text.isGiven else {
      throw ValidationError("--recover continues a draft: leave out --body.")
    }
  }

  private var hasFiles: Bool { !attachments.attach.isEmpty }

  /// Whether the command line has a text. A file alone is one too.
  private var hasText: Bool { text.isGiven || hasFiles }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    let body = try await text.text()
    if bulk.query != nil {
      let body = try hasFiles ? body ?? "" : Self.nonempty(body ?? "")
      let change = BulkChange(
        options: bulk, repo: repo, write: write, fields: fields, typed: [body])
      // The files are the same for all issues, and so is the answer to a question about them.
      var text: String?
      return try await change.run(in: session) { issue, writing in
        if text == nil {
          let files = try await AttachmentText(attachments, writing, on: issue.place.server)
          text = try Self.nonempty(try await files.text(body))
        }
        return [.comment(on: issue.target, body: text ?? "")]
      }
    }
    let writing = try WriteSession(session, write.connection, typed: [body])
    let named = try await namedIssues(issues, repo: repo, writing)
    guard let issue = named.first else { return }
    let files = try await AttachmentText(attachments, writing, on: issue.place.server)
    let (change, composer) = try await change(issue, body, files, writing)
    guard let change else {
      session.errors.write("Nothing was sent.")
      throw CommandFailure(.cancelled, "")
    }
    try await WriteReport.carryOut(
      [(issue.place, [change])], writing, fields: fields, queueOnly: write.queue,
      onceKept: { composer?.finish() })
  }

  private func change(
    _ issue: NamedIssue, _ body: String?, _ files: AttachmentText, _ writing: WriteSession
  ) async throws -> (Change?, Composer?) {
    let lookup = NameLookup(writing: writing, place: issue.place)
    if delete != nil || deleteLast {
      let id: Int64
      if let delete { id = delete } else { id = try await lastComment(of: issue, lookup).id }
      let question =
        "Delete comment \(id) on \(issue.place.name)\(issue.number.map { "#\($0)" } ?? "")?"
      if !bulk.yes, try await !Question.ask(question) { return (nil, nil) }
      return (.deleteComment(id: id, on: issue.number), nil)
    }
    if edit != nil || editLast {
      let id: Int64
      var old: String?
      if let edit {
        id = edit
        if body == nil {
          old = try await lookup.comment(edit)
        } else if write.queue {
          // The old text is kept for a later comparison. A change that is sent at once is compared when it is sent.
          old = try? await lookup.comment(edit)
        }
      } else {
        let comment = try await lastComment(of: issue, lookup)
        (id, old) = (comment.id, comment.body)
      }
      let (text, composer) = try await written(
        body, files, Draft.Subject(.comment, issue.place, "\(id)"), old ?? "", writing.session)
      return (
        text.map {
          .editComment(
            id: id, on: issue.number, body: TextChange($0, base: composer?.original ?? old))
        }, composer
      )
    }
    let (text, composer) = try await written(
      body, files, Draft.Subject(.newComment, issue.place, issue.word), "", writing.session)
    return (text.map { .comment(on: issue.target, body: $0) }, composer)
  }

  private func lastComment(
    of issue: NamedIssue, _ lookup: NameLookup
  ) async throws(CommandFailure) -> IssueComment {
    guard let number = issue.number else {
      throw CommandFailure(.usage, "\(issue.word) has no comments on the server yet")
    }
    return try await lookup.lastOwnComment(on: number)
  }

  private static func nonempty(_ body: String) throws(CommandFailure) -> String {
    guard body.contains(where: { !$0.isWhitespace }) else {
      throw CommandFailure(.usage, "the comment is empty: nothing was sent")
    }
    return body
  }

  private func written(
    _ body: String?, _ files: AttachmentText, _ subject: Draft.Subject, _ old: String,
    _ session: CommandSession
  ) async throws(CommandFailure) -> (String?, Composer?) {
    if let body { return (try Self.nonempty(try await files.text(body)), nil) }
    if hasFiles, !editor, !recover {
      return (try await files.text(old, changedFrom: old), nil)
    }
    guard session.canAsk else {
      throw CommandFailure(
        .usage, "there is no text\nGive it with --body TEXT, or --body-file - for standard input.")
    }
    let composer = try await Composer(
      subject, beginningWith: old, recovers: recover, session)
    guard let text = try await composer.write() else {
      composer.finish()
      return (nil, composer)
    }
    return (
      try await files.text(text, changedFrom: composer.original, keptIn: composer.draft), composer
    )
  }
}
