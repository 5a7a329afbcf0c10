internal import IssueTracker
internal import StyledText

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Has a person at the terminal write a text in their editor.
///
/// What they wrote stays in a ``Draft`` until ``finish()``, whatever happens before.
struct Composer: Sendable {
  /// The draft.
  let draft: Draft
  /// Whether it goes on with the draft of a former run.
  private(set) var isRecovered = false
  private let editor: TextEditor
  private let subject: Draft.Subject
  private let environment: [String: String]
  private let original: String

  /// Begins a text, or goes on with one that was broken off.
  ///
  /// - Parameters:
  ///   - subject: What it is for.
  ///   - text: What it begins with.
  ///   - recovers: Whether to go on with the last draft without asking.
  ///   - session: The session.
  /// - Throws: ``CommandFailure`` where no draft can be kept, or there is none to go on with.
  init(
    _ subject: Draft.Subject, beginningWith text: String = "", recovers: Bool = false,
    _ session: CommandSession
  ) async throws(CommandFailure) {
    guard let editor = await TextEditor.find(environment: session.environment) else {
      throw CommandFailure(
        .usage, "there is no editor\nName one in EDITOR, or give the text with --body.")
    }
    self.editor = editor
    self.subject = subject
    environment = session.environment
    original = text
    let former = Draft.abandoned(subject, environment: session.environment).first
    if recovers, former == nil {
      throw CommandFailure(.notFound, "there is no draft to go on with")
    }
    if let former {
      switch recovers ? .goOn : await Self.answer(about: former) {
      case .goOn:
        draft = former
        isRecovered = true
        return
      case .leave: break
      case .delete: former.discard()
      }
    }
    draft = try Draft.begin(subject, text: text, environment: session.environment)
  }

  private enum Answer {
    case goOn
    case leave
    case delete
  }

  private static func answer(about draft: Draft) async -> Answer {
    let age = RelativeTime.describe(draft.changed, relativeTo: Date())
    let text = "There is a draft of yours from \(age). Go on with it? [y]es, [n]o, [d]elete it: "
    while true {
      // The end of the input is no answer: nothing is removed for it.
      guard let line = await Question.line(after: text) else { return .leave }
      switch line.lowercased().filter({ $0 != " " }) {
      case "y", "yes": return .goOn
      case "n", "no", "": return .leave
      case "d", "delete": return .delete
      default: continue
      }
    }
  }

  /// Opens the editor.
  ///
  /// - Returns: The text, without empty lines at its end; nil if there is none, or it is as it was.
  /// - Throws: ``CommandFailure``, saying where the text is.
  func write() async throws(CommandFailure) -> String? {
    let text = try await Self.edited(draft, editor)
    let isUnchanged = !isRecovered && !original.isEmpty && text == original.withoutEmptyEnd
    return text.isEmpty || isUnchanged ? nil : text
  }

  /// Opens the editor with a part of the text, in a draft of its own: the rest stays as it is.
  ///
  /// - Parameter part: The part.
  /// - Returns: What it has become, without empty lines at its end.
  /// - Throws: ``CommandFailure``, saying where the text is.
  func edit(_ part: String) async throws(CommandFailure) -> String {
    let draft = try Draft.begin(subject, text: part, environment: environment)
    let text = try await Self.edited(draft, editor)
    draft.discard()
    return text
  }

  private static func edited(
    _ draft: Draft, _ editor: TextEditor
  ) async throws(CommandFailure) -> String {
    do throws(CommandFailure) {
      try await editor.edit(draft.path)
      return try draft.text().withoutEmptyEnd
    } catch {
      throw CommandFailure(
        error.status, "\(error.message)\nNothing was sent. The text is kept: \(draft.path)")
    }
  }

  /// Removes the draft if there is nothing in it.
  func finishIfEmpty() {
    if draft.isEmpty, draft.title == nil { draft.discard() }
  }

  /// Removes the draft: the text is in the outbox, or there is none.
  func finish() { draft.discard() }
}

extension String {
  /// The text without blanks and line ends at its end.
  fileprivate var withoutEmptyEnd: String {
    var end = endIndex
    while end > startIndex, self[index(before: end)].isWhitespace { end = index(before: end) }
    return String(self[..<end])
  }
}

extension CommandSession {
  /// Whether there is a person at a terminal who can be asked.
  var canAsk: Bool {
    isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && isatty(STDERR_FILENO) == 1
  }
}

extension Draft.Subject {
  /// A text about an issue or a comment.
  init(_ kind: Kind, _ place: Place, _ name: String? = nil) {
    self.init(kind: kind, place: "\(place.server.host)/\(place.name)".lowercased(), name: name)
  }
}
