internal import IssueMirror
internal import IssueOutbox
internal import IssueTracker
internal import PlatformModules

/// Saves the server's responses in the mirror. Repeating it is harmless, because the newest version is kept.
struct MirrorDelivery: Sendable {
  let session: CommandSession
  var isOff = false

  /// Saves a response. A mirror that can't be written to doesn't block other work: the next sync loads the same data.
  func deliver(_ entry: OutboxEntry) async throws {
    guard !isOff, entry.state == .sent, let answer = entry.answer,
      let existing = try? await session.existingMirror(),
      let repository = try? await existing.repository(named: entry.repository, on: entry.server),
      let mirror = try? await session.mirror(),
      let ticket = try? await mirror.ticket(of: repository)
    else { return }
    let now = Date()
    switch entry.change {
    case .delete(.number(let number)):
      _ = try? await mirror.bury(number, .deleted, of: repository, at: now, asked: ticket)
    case .transfer(.number(let number), let destination, _):
      let place = answer.number.map { "\(destination)#\($0)" } ?? "\(destination)"
      _ = try? await mirror.bury(
        number, .transferred(to: place), of: repository, at: now, asked: ticket)
    default:
      guard let json = answer.json else { return }
      let isComment =
        switch entry.change {
        case .comment, .editComment: true
        default: false
        }
      // A single comment would look like the complete discussion.
      if isComment, repository.commentsSyncedTo == nil { return }
      let list = Data("[".utf8) + json + Data("]".utf8)
      guard var page = try? FeedPage(list, of: isComment ? .comments : .items) else { return }
      page.note(FeedPage.Asked(ticket: ticket))
      _ = try? await mirror.store(page, of: repository, sweep: nil, at: now)
    }
  }
}
