import TestSupport
import Testing

extension CommandTests {
  @Suite("--help", .timeLimit(.minutes(5)))
  struct HelpTests {
    @Test(
      "the help is as it was read and approved, and fits into 80 columns",
      arguments: [
        ("help.txt", ["--help"]), ("help.txt", ["help"]), ("help-list.txt", ["help", "list"]),
        ("help-list.txt", ["list", "--help"]), ("help-mine.txt", ["help", "mine"]),
        ("help-view.txt", ["help", "view"]),
        ("help-view.txt", ["view", "--help"]), ("help-context.txt", ["help", "context"]),
        ("help-similar.txt", ["similar", "--help"]), ("help-open.txt", ["help", "open"]),
        ("help-tree.txt", ["help", "tree"]), ("help-ready.txt", ["ready", "--help"]),
        ("help-create.txt", ["help", "create"]), ("help-comment.txt", ["comment", "--help"]),
        ("help-edit.txt", ["help", "edit"]), ("help-close.txt", ["help", "close"]),
        ("help-reopen.txt", ["help", "reopen"]), ("help-lock.txt", ["lock", "--help"]),
        ("help-unlock.txt", ["help", "unlock"]), ("help-react.txt", ["react", "--help"]),
        ("help-pin.txt", ["help", "pin"]), ("help-unpin.txt", ["help", "unpin"]),
        ("help-transfer.txt", ["help", "transfer"]), ("help-delete.txt", ["help", "delete"]),
        ("help-user.txt", ["help", "user"]),
        ("help-browse.txt", ["help", "browse"]), ("help-browse.txt", ["browse", "--help"]),
        ("help-repos.txt", ["repos", "-h"]), ("help-auth.txt", ["auth", "--help"]),
        ("help-auth-status.txt", ["help", "auth", "status"]),
        ("help-search-repos.txt", ["help", "search-repos"]),
        ("help-search.txt", ["help", "search"]), ("help-export.txt", ["export", "--help"]),
        ("help-stats.txt", ["help", "stats"]),
        ("help-sync.txt", ["help", "sync"]), ("help-sync.txt", ["sync", "--help"]),
        ("help-mirror.txt", ["help", "mirror"]),
        ("help-mirror-list.txt", ["mirror", "list", "--help"]),
        ("help-mirror-remove.txt", ["help", "mirror", "remove"]),
        ("help-mirror-repair.txt", ["help", "mirror", "repair"]),
        ("help-sql.txt", ["sql", "--help"]),
        ("help-mcp.txt", ["help", "mcp"]), ("help-skill.txt", ["skill", "--help"]),
        ("help-mirror-path.txt", ["mirror", "path", "--help"]),
        ("help-mirror-check.txt", ["help", "mirror", "check"]),
        ("help-worker.txt", ["help", "worker"]),
        ("help-worker-run.txt", ["worker", "run", "--help"]),
        ("help-worker-status.txt", ["help", "worker", "status"]),
        ("help-worker-add.txt", ["worker", "add", "--help"]),
        ("help-worker-remove.txt", ["help", "worker", "remove"]),
        ("help-complete.txt", ["complete", "--help"]),
        ("help-history.txt", ["help", "history"]),
        ("help-config.txt", ["config", "--help"]),
        ("help-config-show.txt", ["help", "config", "show"]),
        ("help-config-init.txt", ["help", "config", "init"]),
        ("help-config-edit.txt", ["help", "config", "edit"]),
        ("help-outbox.txt", ["help", "outbox"]),
        ("help-outbox-list.txt", ["outbox", "list", "--help"]),
        ("help-outbox-show.txt", ["help", "outbox", "show"]),
        ("help-outbox-send.txt", ["outbox", "send", "--help"]),
        ("help-outbox-retry.txt", ["help", "outbox", "retry"]),
        ("help-outbox-edit.txt", ["outbox", "edit", "--help"]),
        ("help-outbox-resolve.txt", ["help", "outbox", "resolve"]),
        ("help-outbox-retarget.txt", ["outbox", "retarget", "--help"]),
        ("help-outbox-drop.txt", ["outbox", "drop", "--help"]),
        ("help-outbox-restore.txt", ["help", "outbox", "restore"]),
        ("help-cache.txt", ["help", "cache"]),
        ("help-cache-info.txt", ["cache", "info", "--help"]),
        ("help-cache-clear.txt", ["help", "cache", "clear"]),
        ("help-label.txt", ["help", "label"]),
        ("help-label-list.txt", ["label", "list", "--help"]),
        ("help-label-create.txt", ["help", "label", "create"]),
        ("help-label-edit.txt", ["label", "edit", "-h"]),
        ("help-label-delete.txt", ["help", "label", "delete"]),
        ("help-label-clone.txt", ["label", "clone", "--help"]),
        ("help-milestone.txt", ["milestone", "--help"]),
        ("help-milestone-list.txt", ["help", "milestone", "list"]),
        ("help-milestone-create.txt", ["milestone", "create", "--help"]),
        ("help-milestone-edit.txt", ["help", "milestone", "edit"]),
        ("help-milestone-close.txt", ["help", "milestone", "close"]),
        ("help-milestone-reopen.txt", ["help", "milestone", "reopen"]),
        ("help-milestone-delete.txt", ["help", "milestone", "delete"]),
      ] as [(String, [String])])
    func help(name: String, arguments: [String]) async throws {
      let result = try await IssuesProgram.run(arguments)
      #expect(result.status == .exited(0))
      #expect(result.errorText.isEmpty)
      #expect(result.lines.allSatisfy { $0.unicodeScalars.count <= 80 })
      try CommandSnapshot.expect(result.outputText, named: name)
    }

    @Test("no line of the lists of variables and statuses is wrapped")
    func unwrapped() async throws {
      let result = try await IssuesProgram.run(["--help"])
      let lists = try #require(
        result.outputText.firstMatch(
          of: /ENVIRONMENT:\n(.*?)\nUSAGE:/
            .dotMatchesNewlines())
      ).output.1
      let entries = lists.split(separator: "\n").filter { !$0.hasSuffix(":") }
      #expect(entries.count > 15)
      #expect(entries.allSatisfy { $0.hasPrefix("  ") })
    }

    @Test("the version is a version")
    func version() async throws {
      let result = try await IssuesProgram.run(["--version"])
      #expect(result.status == .exited(0))
      #expect(result.outputText.wholeMatch(of: /\d+\.\d+\.\d+(-[a-z0-9.]+)?\n/) != nil)
    }

    @Test("the version of each library, where it's wanted", arguments: ["--verbose", "-v"])
    func libraryVersions(verbose: String) async throws {
      let result = try await IssuesProgram.run(["--version", verbose])
      #expect(result.status == .exited(0))
      let lines = result.outputText.split(separator: "\n").map(String.init)
      let names = ["issues", "Swift", "SQLite", "ncurses", "cmark-gfm", "libcurl"]
      try #require(lines.count == names.count, "\(lines)")
      for (line, name) in zip(lines, names) {
        #expect(line.hasPrefix(name))
        #expect(line.contains(/\b\d+\.\d+\.\d+/), "\(line)")
      }
      // The library that checks certificates is one of libcurl's.
      #expect(
        lines[5].contains(/(OpenSSL|GnuTLS|LibreSSL|BoringSSL|mbedTLS|wolfSSL|SecureTransport)/))
    }
  }
}
