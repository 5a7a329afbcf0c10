internal import ArgumentParser
internal import IssueMirror

/// `issues mirror list`, which is also `issues mirror` alone.
struct MirrorListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the repositories that are mirrored.",
    usage: "issues mirror list [<options>]",
    discussion: """
      A table on a terminal; in a pipe a line a repository: its name, how many issues are open and how \
      many there are, how many pull requests, how many comments are kept, and the time of the last sync, \
      empty before the first is completed, between tabs.

      EXAMPLES:
        issues mirror list
        issues mirror list --json full_name,synced_at
      """)

  @OptionGroup(title: "Output") var output: OutputOptions

  func validate() throws {
    _ = try output.fields(of: MirrorEntry.Field.self)
  }

  func run() async throws {
    let fields = try output.fields(of: MirrorEntry.Field.self)
    let status = await CommandSession.run(color: output.color) { session in
      try fields?.prepare()
      var writer = try ListWriter<MirrorEntry>(session, fields: fields)
      var entries: [MirrorEntry] = []
      var size = 0
      if let mirror = try session.existingMirror() {
        for repository in try await mirror.repositories() {
          var entry = MirrorEntry(
            repository: repository, counts: try await mirror.counts(of: repository))
          if let name = RepositoryName(repository.fullName),
            let server = try? GitHubServer(host: repository.host),
            let present = try await mirror.repository(named: name, on: server)
          {
            entry.isReplaced = present.id != repository.id
          }
          entry.setAside = try await mirror.setAside(of: repository)
          entries.append(entry)
        }
        size = mirror.size()
      }
      let noun = entries.count == 1 ? "repository" : "repositories"
      try await writer.write(
        entries, heading: "Mirror of \(entries.count) \(noun), \(ByteCount.text(size))")
      try await writer.finish()
      for entry in entries where writer.isTable {
        for item in entry.setAside {
          let name = item.commentID.map { "comment \($0) on #\(item.number)" } ?? "#\(item.number)"
          session.errors.write(
            "\(entry.repository.typedName) lacks \(name), which can't be read: \(item.reason)")
        }
      }
      if entries.isEmpty, writer.isTable {
        session.errors.write("Nothing is mirrored yet: issues sync OWNER/REPO")
      }
    }
    throw ExitCode(status.rawValue)
  }
}
