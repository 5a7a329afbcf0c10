internal import ConcurrencyPrimitives
internal import IssueTracker
internal import PlatformModules
internal import StyledText

/// Lets a user write text in an editor. The text stays in a ``Draft`` until ``finish()``.
struct Composer: Sendable {
  let draft: Draft
  let isRecovered: Bool
  private let editor: TextEditor?
  private let subject: Draft.Subject
  private let session: CommandSession
  /// The initial text, in the form in which ``write()`` returns it if it is unchanged.
  let original: String
  private let mayStay: Bool
  /// The drafts of parts, until the whole text is kept.
  private let parts = Locked<[Draft]>([])
  /// Whether the draft must be kept, because the text isn't sent.
  private let mustStay = Locked(false)

  /// Begins a text, or resumes an interrupted one. With `mayStay`, an unchanged text is accepted. With `recovers`, the
  /// user isn't asked whether to resume. If `needsEditor` is false, an editor may be missing until the text is written.
  init(
    _ subject: Draft.Subject, beginningWith text: String = "", mayStay: Bool = false,
    recovers: Bool = false, needsEditor: Bool = true,
    _ session: CommandSession
  ) async throws(CommandFailure) {
    editor = await TextEditor.find(environment: session.environment)
    if needsEditor, editor == nil { throw Self.noEditor }
    self.subject = subject
    self.session = session
    self.mayStay = mayStay
    let text = text.withLineFeeds
    (draft, isRecovered) = try await Self.draft(subject, text, recovers: recovers, session)
    original = ((isRecovered ? draft.base : nil) ?? text).withoutEmptyEnd
  }

  private static func draft(
    _ subject: Draft.Subject, _ text: String, recovers: Bool = false, _ session: CommandSession
  ) async throws(CommandFailure) -> (Draft, isRecovered: Bool) {
    let former = Draft.abandoned(subject, environment: session.environment).first
    if recovers, former == nil {
      throw CommandFailure(.notFound, "there is no draft to continue")
    }
    if let former {
      switch recovers ? .goOn : await Self.answer(about: former) {
      case .goOn: return (former, true)
      case .leave: break
      case .delete: former.discard()
      }
    }
    return (try Draft.begin(subject, text: text, environment: session.environment), false)
  }

  private static let noEditor = CommandFailure(
    .usage, "there is no editor\nSet EDITOR, or pass the text with --body.")

  var hasEditor: Bool { editor != nil }

  /// Throws if there is no editor. It is called before the user writes text that couldn't be used.
  func requireEditor() throws(CommandFailure) {
    if editor == nil { throw Self.noEditor }
  }

  private enum Answer {
    case goOn
    case leave
    case delete
  }

  private static func answer(about draft: Draft) async -> Answer {
    let age = RelativeTime.describe(draft.changed, relativeTo: Date())
    let text = "You have a draft from \(age). Go on with it? [y]es, [n]o, [d]elete it: "
    while true {
      // The end of the input isn't a decision, so nothing is removed.
      guard let line = await Question.line(after: text) else { return .leave }
      switch line.lowercased().filter({ $0 != " " }) {
      case "y", "yes": return .goOn
      case "n", "no", "": return .leave
      case "d", "delete": return .delete
      default: continue
      }
    }
  }

  /// Opens the editor. Returns nil for an empty or unchanged text. A failure includes the path of the text's file. Text
  /// that the editor didn't save is ignored, unless the user confirms it.
  func write() async throws(CommandFailure) -> String? {
    let (text, isUntouched) = try await edited(draft)
    guard isUntouched else {
      let isUnchanged = !isRecovered && !mayStay && text == original
      return text.isEmpty || isUnchanged ? nil : text
    }
    if !text.isEmpty, isRecovered || mayStay,
      try await Question.ask("Nothing was saved in the editor. Use the text as it is?")
    {
      return text
    }
    mustStay.withLock { $0 = true }
    if isRecovered {
      session.errors.write("The draft is kept, and the next run offers it again: \(draft.path)")
    } else {
      draft.leaveOpen()
      tellOfOpenEditor("Run this again to continue with the saved text: \(draft.path)")
    }
    return nil
  }

  /// Reports that the editor may still be open. An editor that returns at once looks like one that was closed without
  /// saving.
  private func tellOfOpenEditor(_ rest: String) {
    session.errors.write(
      "Nothing was saved in the editor. If it is still open, make it wait, as with 'code --wait'.\n\(rest)"
    )
  }

  /// Opens the editor with a part of the text, in a separate draft.
  func edit(_ part: String) async throws(CommandFailure) -> String {
    var subject = subject
    subject.name = "\(subject.name.map { "\($0)-" } ?? "")part"
    let (draft, isRecovered) = try await Self.draft(subject, part.withLineFeeds, session)
    let (text, isUntouched) = try await edited(draft)
    if isUntouched, !isRecovered {
      draft.leaveOpen()
      tellOfOpenEditor("The text that you save is in \(draft.path), and isn't part of this.")
    } else {
      parts.withLock { $0.append(draft) }
    }
    return text
  }

  /// Saves the whole text, and then discards drafts of its parts.
  func keep(_ whole: TemplateDraft) throws(CommandFailure) {
    try draft.keep(title: whole.title, of: whole.template)
    try draft.keep(text: whole.body)
    discardParts()
  }

  private func discardParts() {
    let done = parts.withLock { parts in
      defer { parts = [] }
      return parts
    }
    for part in done { part.discard() }
  }

  private func edited(
    _ draft: Draft
  ) async throws(CommandFailure) -> (text: String, isUntouched: Bool) {
    guard let editor else { throw Self.noEditor }
    do throws(CommandFailure) {
      let before = draft.stamp
      try await editor.edit(draft.path)
      return (try draft.text().withoutEmptyEnd, draft.stamp == before)
    } catch {
      throw CommandFailure(
        error.status, "\(error.message)\nNothing was sent. The text is kept: \(draft.path)")
    }
  }

  func finishIfEmpty() {
    if draft.isEmpty, draft.title == nil { draft.discard() }
  }

  /// Discards the draft. Call this once the text is in the outbox, or if there is no text.
  func finish() {
    discardParts()
    if !mustStay.withLock({ $0 }) { draft.discard() }
  }
}

extension String {
  /// The text without the U+FEFF that some editors write at the beginning of a file.
  var withoutByteOrderMark: String { first == "\u{FEFF}" ? String(dropFirst()) : self }

  /// The text with LF line endings. CRLF is a single `Character` that differs from `"\n"`.
  var withLineFeeds: String { String(map { $0 == "\r\n" || $0 == "\r" ? "\n" : $0 }) }

  /// The text without whitespace at the end.
  var withoutEmptyEnd: String {
    var end = endIndex
    while end > startIndex, self[index(before: end)].isWhitespace { end = index(before: end) }
    return String(self[..<end])
  }
}

extension CommandSession {
  var canAsk: Bool {
    [world.input, world.output, world.errors].allSatisfy(\.terminal.isTerminal)
  }
}

extension Draft.Subject {
  init(_ kind: Kind, _ place: Place, _ name: String? = nil) {
    self.init(kind: kind, place: "\(place.server.host)/\(place.name)".lowercased(), name: name)
  }
}
