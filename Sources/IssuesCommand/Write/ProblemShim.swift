internal import IssueOutbox

enum OutboxProblem {
  case notFound, credentials, rateLimited, networkAway, network, badAnswer, refused
}
extension OutboxEntry { var problem: OutboxProblem? { nil } }
extension NameLookup { func comment(_ id: Int64) async throws -> String? { nil } }
