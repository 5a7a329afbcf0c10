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

    /// What the command offers for the last of the words.
    private func offered(
      _ words: [String], argument: String, in filled: FilledMirror, shell: String = "bash",
      workingDirectory: String? = nil
    ) async throws -> [String] {
      let last = words.last ?? ""
      let result = try await filled.run(
        [
          "---completion", words[0], "--", argument, "\(words.count)", "\(last.utf8.count)",
          "issues",
        ]
          + words,
        environment: ["SAP_SHELL": shell], workingDirectory: workingDirectory)
      #expect(result.status == .exited(0), "\(result.errorText)")
      #expect(result.errorText.isEmpty)
      return result.lines.filter { !$0.isEmpty && $0 != " " }
    }

    @Test("numbers, of what is open and new first")
    func numbers() async throws {
      let filled = try await mirror()
      for command in ["view", "open"] {
        #expect(
          try await offered([command, "a/b", "12"], argument: "positional@1", in: filled) == [
            "120", "12", "1200", "127",
          ])
        #expect(
          try await offered([command, "a/b", ""], argument: "positional@1", in: filled) == [
            "120", "12", "13", "127",
          ])
      }
      #expect(
        try await offered(
          ["view", "ghe.example.com/c/d", ""], argument: "positional@1", in: filled)
          == ["5"])
      for words in [
        ["view", "no/such", "1"], ["view", "a/b", "x"], ["view", "a/b", "1", "--stub", "1"],
      ] {
        #expect(
          try await offered(words, argument: "positional@1", in: filled).isEmpty, "\(words)")
      }
    }

    @Test("shells that show them get the titles, in one harmless line")
    func titles() async throws {
      let filled = try await mirror()
      #expect(
        try await offered(
          ["view", "a/b", "12"], argument: "positional@1", in: filled, shell: "zsh")
          == [
            "120:Evil ^[[31m: title there", "12:Old crash", "1200:A pull request", "127:Closed",
          ])
      #expect(
        try await offered(
          ["view", "a/b", "13"], argument: "positional@1", in: filled, shell: "fish")
          == ["13\tOther"])
    }

    @Test("in a clone a number alone")
    func clone() async throws {
      let filled = try await mirror()
      let setup = try await CommandRun.run(
        "/bin/sh", ["-c", "git init -q; git remote add origin https://github.com/a/b"],
        environment: IssuesProgram.environment, workingDirectory: filled.folder.path)
      #expect(setup.status == .exited(0), "\(setup.errorText)")
      #expect(
        try await offered(
          ["view", "13"], argument: "positional@0", in: filled,
          workingDirectory: filled.folder.path) == ["13"])
      #expect(
        try await offered(
          ["list", "--label", "b"], argument: "--label", in: filled,
          workingDirectory: filled.folder.path) == ["big one", "bug"])
    }

    @Test("labels and milestones of the repository that is to change")
    func properties() async throws {
      let filled = try FilledMirror()
      try await filled.add(
        "a/b", items: [FilledMirror.Item(number: 1, title: "x", labels: ["bug"])]
      ) {
        let milestone = #""milestone": {"number": 7, "title": "Next one", "state": "open"}"#
        let text = String(decoding: $0, as: UTF8.self)
        return Data(text.replacing(#""milestone": null"#, with: milestone).utf8)
      }
      func offered(_ command: String, _ verb: String, _ start: String) async throws -> [String] {
        let words = [command, verb, "-R", "a/b", start]
        let result = try await filled.run(
          [
            "---completion", command, verb, "--", "positional@0", "5", "\(start.utf8.count)",
            "issues",
          ]
            + words, environment: ["SAP_SHELL": "fish"])
        #expect(result.status == .exited(0), "\(result.errorText)")
        return result.lines.filter { !$0.isEmpty && $0 != " " }
      }
      #expect(try await offered("label", "edit", "b") == ["bug"])
      let filter = try await self.offered(
        ["list", "a/b", "--milestone", "n"], argument: "--milestone", in: filled)
      #expect(filter == ["Next one"])
      for verb in ["edit", "close", "reopen", "delete"] {
        #expect(try await offered("milestone", verb, "ne") == ["Next one\t#7"])
      }
    }

    @Test("fields of the organization, and none that a shell could do something with")
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
      let edit = ["edit", "-R", "a/b", "1", "--remove-field"]
      #expect(
        try await offered(edit + ["t"], argument: "--remove-field", in: filled)
          == ["Target date", "Team"])
      #expect(
        try await offered(edit + [""], argument: "--remove-field", in: filled)
          == ["Target date", "Team"])
      #expect(
        try await offered(["list", "a/b", "--field", "Te"], argument: "--field", in: filled)
          == ["Team"])
    }

    @Test("labels and logins, and none that a shell could do something with")
    func names() async throws {
      let filled = try await mirror()
      #expect(
        try await offered(["list", "a/b", "--label", ""], argument: "--label", in: filled) == [
          "a,b", "big one", "bug", "good first issue",
        ])
      #expect(
        try await offered(["list", "a/b", "--label", "bug,b"], argument: "--label", in: filled) == [
          "bug,big one"
        ])
      #expect(
        try await offered(["list", "a/b", "--label", "a,"], argument: "--label", in: filled) == [
          "a,b"
        ])
      #expect(
        try await offered(
          ["edit", "-R", "a/b", "1", "--add-assignee", "mia,a"], argument: "--add-assignee",
          in: filled) == ["mia,ada"])
      #expect(
        try await offered(["list", "a/b", "--label", "B"], argument: "--label", in: filled) == [
          "big one", "bug",
        ])
      #expect(
        try await offered(["list", "a/b", "--author", ""], argument: "--author", in: filled) == [
          "mia", "monalisa",
        ])
      #expect(
        try await offered(["list", "a/b", "--mention", "mo"], argument: "--mention", in: filled)
          == ["monalisa"])
      #expect(
        try await offered(["export", "a/b", "--assignee", ""], argument: "--assignee", in: filled)
          == ["ada"])
    }

    @Test(
      "repositories that are mirrored",
      arguments: [
        ("stats", "positional@0"), ("ready", "positional@0"), ("export", "positional@0"),
        ("search", "--repo"),
        ("sync", "positional@0"),
      ])
    func repositories(command: String, argument: String) async throws {
      let filled = try await mirror()
      #expect(
        Set(try await offered([command, ""], argument: argument, in: filled)).isSuperset(of: [
          "a/b", "A-team/x", "ghe.example.com/c/d",
        ]))
      #expect(try await offered([command, "A-"], argument: argument, in: filled) == ["A-team/x"])
    }

    @Test("without a mirror nothing is offered, and nothing is made")
    func none() async throws {
      let scratch = try ScratchFolder()
      let result = try await IssuesProgram.run(
        ["---completion", "list", "--", "--label", "3", "0", "issues", "list", "--label", ""],
        environment: ["XDG_DATA_HOME": scratch.path, "SAP_SHELL": "bash"])
      #expect(result.status == .exited(0))
      #expect(result.lines.allSatisfy { $0.isEmpty })
      #expect(scratch.names.isEmpty)
    }
  }
}
