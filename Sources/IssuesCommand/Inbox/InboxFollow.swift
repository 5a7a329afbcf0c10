internal import IssueTracker
internal import PlatformModules
internal import StyledText

/// Follows the list of notifications: writes a row for each notification that is new or has a new event.
struct InboxFollow: Sendable {
  /// GitHub's default interval, for responses that don't specify one.
  static let usual = Duration.seconds(60)

  let first: GitHub
  let connection: Connection
  let follow: ListFollow
  /// The subject for the status line.
  let subject: String
  let isWanted: @Sendable (InboxRow) -> Bool
  /// The time of the last change of each listed notification, by its ID.
  var known: [String: Date?]

  /// Follows the list. It ends only with a failure that every later request would repeat, or when the reader has closed
  /// the output.
  mutating func run(_ writer: inout ListWriter<InboxRow>) async throws {
    let elapsed = follow.clock.stopwatch()
    let notice = follow.notice(of: connection.server)
    // The time is earlier than the list's, because lists may show an event late. An older event beyond the list's limit
    // isn't new.
    let beginning = (notice.beginning ?? Date()).addingTimeInterval(-FollowStateMachine.overlap)
    var told: String?
    // The interval is the user's, but never shorter than the server requires.
    var due = elapsed() + max(follow.shortest, notice.pause ?? Self.usual)
    while true {
      try await follow.pause(until: due, subject, elapsed)
      var (rows, wait): ([InboxRow], Duration) = ([], .zero)
      do throws(CommandFailure) {
        rows = try await news(since: beginning)
        told = nil
      } catch {
        guard let pause = follow.wait(after: error) else { throw error }
        if told != error.message { follow.tell(error, of: subject, isLast: false) }
        told = error.message
        wait = pause
      }
      writer.now = Date()
      try await writer.write(rows, heading: "News in \(subject)")
      due = elapsed() + max(follow.shortest, notice.pause ?? Self.usual, wait)
    }
  }

  /// The notifications with unreported events, oldest first. The most recently changed ones are on the first page, so
  /// pages are read until one has nothing new.
  private mutating func news(since beginning: Date) async throws(CommandFailure) -> [InboxRow] {
    var news: [InboxRow] = []
    var pages = PagedListing<Sent<GitHub.Notification>>(
      provider: connection.provider, first: first
    ).makeAsyncIterator()
    do throws(NetworkError) {
      while let page = try await pages.next(pagesAhead: 0, isolation: nil) {
        let rows = page.items.map { InboxRow(sent: $0) }.filter { row in
          known[row.sent.entity.id] != .some(row.sent.entity.updatedAt)
        }
        for row in rows { known[row.sent.entity.id] = row.sent.entity.updatedAt }
        news += rows
        if rows.isEmpty { break }
      }
    } catch {
      throw InboxPlace.explained(
        connection.explanation(of: error, subject), on: connection.server)
    }
    return news.filter { row in
      isWanted(row) && row.sent.entity.updatedAt.map { $0 >= beginning } ?? true
    }.reversed()
  }
}
