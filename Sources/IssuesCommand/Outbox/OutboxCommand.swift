internal import ArgumentParser
internal import IssueOutbox

struct OutboxCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outbox",
    abstract: "List, send, fix or drop the changes that aren't on the server yet.",
    discussion: """
      Every change that you make is kept on this machine before it is sent: in \
      $XDG_DATA_HOME/issues/outbox.db or ~/.local/share/issues/outbox.db, which only you can read. It stays \
      there until the server has it or you drop it, and it is never sent twice.

      STATES:
        proposed   an agent proposes it: 'approve' sends it, or 'drop'
        queued     waits to be sent: 'issues outbox send'
        sending    is being sent, or was when a process ended
        sent       the server has it; kept for 30 days
        refused    the server rejected it: 'edit' and 'retry', or 'drop'
        conflict   someone else changed the same text: 'resolve'
        unknown    the response was lost, so the server may have it: 'resolve'

      EXAMPLES:
        issues outbox                    (unsent changes, and why)
        issues outbox show 7
        issues outbox send
        issues outbox resolve 7 --mine
      """,
    subcommands: [
      OutboxListCommand.self, OutboxShowCommand.self, OutboxApproveCommand.self,
      OutboxSendCommand.self, OutboxRetryCommand.self, OutboxEditCommand.self,
      OutboxResolveCommand.self,
      OutboxRetargetCommand.self, OutboxDropCommand.self, OutboxRestoreCommand.self,
    ],
    defaultSubcommand: OutboxListCommand.self)
}

/// An entry's number, such as `7`, or `new-7` for an issue that isn't created yet.
struct OutboxEntryArgument: ExpressibleByArgument, Hashable, Sendable {
  let id: OutboxEntry.ID

  init?(argument: String) {
    guard let id = OutboxEntry.ID(temporaryName: argument) ?? OutboxEntry.ID(argument), id > 0
    else { return nil }
    self.id = id
  }

  @Sendable static func candidates(words: [String], index: Int, prefix: String) async -> [String] {
    guard let outbox = try? Outbox.existing(in: World.current.environment),
      let entries = try? await outbox.entries(in: OutboxEntry.openStates)
    else { return [] }
    return entries.map { ($0, "\($0.id)") }.filter { $0.1.hasPrefix(prefix) }
      .compactMap { ShellCandidate($0.1, detail: "\($0.0.subject) \($0.0.change.summary)") }
      .map(\.line)
  }
}
