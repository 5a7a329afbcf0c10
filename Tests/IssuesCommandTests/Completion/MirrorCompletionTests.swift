import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("Completion from the mirror", .timeLimit(.minutes(5)))
  struct MirrorCompletionTests {
    private func mirror() async throws -> FilledMirror {
      let filled = try FilledMirror()
      let day = 86_400.0
      try await filled.add(
        "a/b",
        items: [
          FilledMirror.Item(
            number: 12, title: "Old crash", labels: ["bug", "good first issue"], assignees: ["ada"],
            createdAt: Date(timeIntervalSinceNow: -9 * day)),
          FilledMirror.Item(
            number: 120, title: "Evil\n\u{1B}[31m: title\tthere", author: "mia",
            labels: ["$(touch /tmp/x)", "big one", "a,b", "-rf"],
            createdAt: Date(timeIntervalSinceNow: -2 * day)),
          FilledMirror.Item(
            number: 127, title: "Closed", isClosed: true, author: "mia", assignees: ["$(id)"],
            closedAt: Date(timeIntervalSinceNow: -day)),
          FilledMirror.Item(number: 13, title: "Other", author: "`id`"),
          FilledMirror.Item(number: 1_200, title: "A pull request", isPullRequest: true),
        ])
      try await filled.add("A-team/x", items: [])
      try await filled.add(
        "c/d", on: "ghe.example.com", items: [FilledMirror.Item(number: 5, title: "x")])
      return filled
    }

    /// The candidates, and their descriptions where they are asked for.
    private func offered(
      _ line: String, in filled: FilledMirror, described: Bool = false,
      workingDirectory: String? = nil
    ) async throws -> [String] {
      let result = try await filled.run(
        ["---complete", "--", "issues \(line)"], workingDirectory: workingDirectory)
      #expect(result.status == .exited(0), "\(result.errorText)")
      #expect(result.errorText.isEmpty)
      return described ? result.lines : result.lines.map { String($0.prefix { $0 != "\t" }) }
    }

    @Test("issue numbers are completed, with open and new issues first")
    func numbers() async throws {
      let filled = try await mirror()
      for command in ["view", "open"] {
        #expect(
          try await offered("\(command) a/b 12", in: filled) == ["120", "12", "1200", "127"])
        #expect(try await offered("\(command) a/b ", in: filled) == ["120", "12", "13", "127"])
      }
      #expect(try await offered("view ghe.example.com/c/d ", in: filled) == ["5"])
      for line in ["view no/such 1", "view a/b x", "view a/b --stub 1"] {
        #expect(try await offered(line, in: filled).isEmpty, "\(line)")
      }
    }

    @Test("each issue number has a title as its one-line harmless description")
    func titles() async throws {
      let filled = try await mirror()
      #expect(
        try await offered("view a/b 12", in: filled, described: true) == [
          "120\tEvil ^[[31m: title there", "12\tOld crash", "1200\tA pull request", "127\tClosed",
        ])
    }

    @Test("issue numbers are completed in a clone without a repository name")
    func clone() async throws {
      let filled = try await mirror()
      let folder = filled.folder.path
      let setup = try await CommandRun.run(
        "/bin/sh", ["-c", "git init -q; git remote add origin https://github.com/a/b"],
        environment: IssuesProgram.environment, workingDirectory: folder)
      #expect(setup.status == .exited(0), "\(setup.errorText)")
      #expect(try await offered("view 13", in: filled, workingDirectory: folder) == ["13"])
      #expect(
        try await offered("list --label b", in: filled, workingDirectory: folder)
          == ["big one", "bug"])
    }

    @Test("labels and milestones of the given repository are completed")
    func properties() async throws {
      let filled = try FilledMirror()
      try await filled.add(
        "a/b", items: [FilledMirror.Item(number: 1, title: "x", labels: ["bug"])]
      ) {
        let milestone = #""milestone": {"number": 7, "title": "Next one", "state": "open"}"#
        let text = String(decoding: $0, as: UTF8.self)
        return Data(text.replacing(#""milestone": null"#, with: milestone).utf8)
      }
      #expect(try await offered("label edit -R a/b b", in: filled) == ["bug"])
      #expect(try await offered("list a/b --milestone n", in: filled) == ["Next one"])
      for verb in ["edit", "close", "reopen", "delete"] {
        #expect(
          try await offered("milestone \(verb) -R a/b ne", in: filled, described: true)
            == ["Next one\t#7"])
      }
    }

    @Test("fields of the organization are completed, except names unsafe for a shell")
    func fields() async throws {
      let filled = try FilledMirror()
      try await filled.add("a/b", items: [1, 2].map { FilledMirror.Item(number: $0, title: "x") }) {
        let values = #"""
          "milestone": null, "issue_field_values": [7, "x",
            {"issue_field_id": 1, "issue_field_name": "Target date", "data_type": "date", "value": "2026-12-31"},
            {"issue_field_id": 2, "issue_field_name": "Team", "data_type": "text", "value": "x"},
            {"issue_field_id": 3, "issue_field_name": "$(id)", "data_type": "text", "value": "x"},
            {"issue_field_id": 4, "data_type": "text", "value": "x"}]
          """#
        let text = String(decoding: $0, as: UTF8.self)
        return Data(text.replacing(#""milestone": null"#, with: values).utf8)
      }
      for start in ["t", ""] {
        #expect(
          try await offered("edit -R a/b 1 --remove-field \(start)", in: filled)
            == ["Target date", "Team"])
      }
      #expect(try await offered("list a/b --field Te", in: filled) == ["Team"])
    }

    @Test(
      "labels and logins are completed, except names unsafe for a shell",
      arguments: [
        ("list a/b --label ", [#""a,b""#, "big one", "bug", "good first issue"]),
        ("list a/b --label B", ["big one", "bug"]), ("list a/b --label bug,b", ["bug,big one"]),
        ("list a/b --label bug,a", [#"bug,"a,b""#]), ("list a/b --label a,", [#""a,b""#]),
        (#"list a/b --label \"a,"#, [#""a,b""#]),
        (#"list a/b -l\"a,b\",g"#, [#"-l"a,b",good first issue"#]),
        ("label edit -R a/b a,", ["a,b"]),
        ("edit -R a/b 1 --add-assignee mia,a", ["mia,ada"]),
        ("list a/b --author ", ["mia", "monalisa"]), ("list a/b --mention mo", ["monalisa"]),
        ("export a/b --assignee ", ["ada"]),
      ])
    func names(line: String, expected: [String]) async throws {
      let filled = try await mirror()
      #expect(try await offered(line, in: filled) == expected)
    }

    @Test(
      "mirrored repositories are completed",
      arguments: ["stats", "ready", "export", "search --repo", "sync"])
    func repositories(command: String) async throws {
      let filled = try await mirror()
      #expect(
        Set(try await offered("\(command) ", in: filled)).isSuperset(of: [
          "a/b", "A-team/x", "ghe.example.com/c/d",
        ]))
      #expect(try await offered("\(command) A-", in: filled) == ["A-team/x"])
    }

    @Test("completion without a mirror doesn't offer anything or create files")
    func none() async throws {
      let scratch = try ScratchFolder()
      let result = try await IssuesProgram.run(
        ["---complete", "--", "issues list a/b --label "],
        environment: ["XDG_DATA_HOME": scratch.path])
      #expect(result.status == .exited(0))
      #expect(result.outputText.isEmpty)
      #expect(scratch.names.isEmpty)
    }
  }
}
