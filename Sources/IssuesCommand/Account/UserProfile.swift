internal import IssueTracker
internal import StyledText

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Shows a user: a line a field, or JSON.
struct UserProfile: Sendable {
  private let sent: Sent<User>

  init(_ user: Sent<User>) {
    sent = user
  }

  private var user: User { sent.entity }

  /// What is known, by name.
  private var lines: [(name: String, value: String)] {
    let all: [(name: String, value: String?)] = [
      ("login", user.login),
      ("name", user.name),
      ("type", user.type),
      ("bio", user.bio),
      ("company", user.company),
      ("location", user.location),
      ("blog", user.blog),
      ("email", user.email),
      ("public_repos", user.publicReposCount.map(String.init)),
      ("followers", user.followersCount.map(String.init)),
      ("following", user.followingCount.map(String.init)),
      ("created_at", user.createdAt.map(Timestamp.string(from:))),
      ("html_url", user.htmlURL),
    ]
    return all.compactMap { line in
      line.value.flatMap { $0.isEmpty ? nil : (line.name, $0) }
    }
  }

  /// Writes the profile: aligned on a terminal, `name<TAB>value` in a pipe, an object with `--json`.
  func write(to session: CommandSession, fields: JSONFields?) async throws {
    if let fields {
      try await JSONSink.write(JSONObject(sent.json), fields, to: session)
    } else if session.style.layout == .table {
      var table = Table(
        columns: [
          Column(title: "FIELD"), Column(title: "VALUE", sizing: .flexible(minimum: 10)),
        ], width: session.style.width, color: session.style.color)
      let rows = lines.map { [StyledLine($0.name, style: .heading), StyledLine($0.value)] }
      try await session.output.write("\n\(table.page(rows))")
    } else {
      let tsv = TSV(color: session.style.color)
      let rows = lines.map { [StyledLine($0.name, style: .heading), StyledLine($0.value)] }
      try await session.output.write(tsv.page(rows))
    }
  }
}
