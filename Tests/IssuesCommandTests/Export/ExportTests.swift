import IssueMirror
import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("issues export", .timeLimit(.minutes(5)))
  struct ExportTests {
    private static let items = [
      FilledMirror.Item(
        number: 1, title: "=HYPERLINK(\"http://evil.example\")", body: "- a list\r\n- of, two\n",
        labels: ["bug", "good, first"]),
      FilledMirror.Item(
        number: 2, title: "日本語 \u{1B}[31m\u{9B}31m\u{202E} \"quoted\"", body: nil,
        assignees: ["ada", "grace-h"]),
      FilledMirror.Item(
        number: 3, title: "Closed", isClosed: true, closedAt: Date(timeIntervalSinceNow: -86_400)),
      FilledMirror.Item(number: 4, title: "A pull request", isPullRequest: true),
    ]
    private static let comments = [
      FilledMirror.comment(11, on: 1, of: "a/b", body: "first\n, and \"more\""),
      FilledMirror.comment(12, on: 1, of: "a/b", body: "@second"),
    ]

    private static var decoder: JSONDecoder {
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      return decoder
    }

    private func mirror(comments: [String]? = Self.comments) async throws -> FilledMirror {
      let filled = try FilledMirror()
      try await filled.add("a/b", items: Self.items, comments: comments)
      return filled
    }

    private static func json(_ numbers: Int...) -> String {
      numbers.map { escaped(items[$0 - 1].json) }.joined(separator: ",\n")
    }

    /// Without the blanks of the server's answer, too.
    private static func escaped(_ json: String) -> String {
      [
        ("\u{9B}", "\\u009B"), ("\u{202E}", "\\u202E"), ("\": ", "\":"), (", \"", ",\""),
        ("}, {", "},{"),
      ]
      .reduce(json) { $0.replacing($1.0, with: $1.1) }
    }

    @Test("JSON equals the server's, except for escapes and whitespace, in list order")
    func bytes() async throws {
      let filled = try await mirror()
      for (arguments, expected) in [
        ([], Self.json(2, 1)), (["--order", "asc", "--state", "all"], Self.json(1, 2, 3)),
        (["--include-pull-requests", "--sort", "created", "--order", "asc"], Self.json(1, 2, 4)),
        (["--label", "BUG"], Self.json(1)),
        (["--format", "json", "--state", "closed"], Self.json(3)),
      ] as [([String], String)] {
        let result = try await filled.run(["export", "a/b"] + arguments)
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.outputText == "[\n\(expected)\n]\n", "\(arguments)")
        #expect(result.errorText.isEmpty)
      }
      let none = try await filled.run(["export", "a/b", "--author", "nobody"])
      #expect(none.outputText == "[]\n")
    }

    @Test("--comments adds comments to each object and changes nothing else")
    func withComments() async throws {
      let result = try await mirror().run(["export", "a/b", "--comments", "--order", "asc"])
      #expect(result.status == .exited(0), "\(result.errorText)")
      let list = Self.comments.map(Self.escaped).joined(separator: ",")
      let first = Self.escaped(Self.items[0].json).dropLast() + #","comments_list":[\#(list)]}"#
      let second = Self.escaped(Self.items[1].json).dropLast() + #","comments_list":[]}"#
      #expect(result.outputText == "[\n\(first),\n\(second)\n]\n")
      struct Entry: Decodable {
        struct Comment: Decodable { var id: Int }
        var commentsList: [Comment]
      }
      let entries = try Self.decoder.decode([Entry].self, from: result.output)
      #expect(entries.map { $0.commentsList.map(\.id) } == [[11, 12], []])
    }

    @Test(
      "invalid UTF-8 and half surrogate pairs are repaired as in a list",
      arguments: ["json", "csv"])
    func damaged(format: String) async throws {
      let filled = try FilledMirror()
      let items = [
        FilledMirror.Item(number: 1, title: "a BYTES b", body: "BYTES"),
        FilledMirror.Item(number: 2, title: "c HALF d", body: "HALF"),
      ]
      try await filled.add(
        "a/b", items: items, comments: [FilledMirror.comment(11, on: 1, of: "a/b", body: "BYTES")]
      ) { list in
        var text = list
        for (word, bytes) in [
          ("BYTES", [0xFF, 0xC3, 0x28, 0x9B]),
          ("HALF", Array("\\udc00\\uD800x\\ud83d\\ude00".utf8)),
        ] {
          while let range = text.firstRange(of: Data(word.utf8)) {
            text.replaceSubrange(range, with: bytes)
          }
        }
        return text
      }
      let result = try await filled.run([
        "export", "a/b", "--format", format, "--comments", "--order", "asc",
      ])
      #expect(result.status == .exited(0), "\(result.errorText)")
      let text = try #require(String(validating: result.output, as: UTF8.self))
      #expect(text.contains("a \u{FFFD}\u{FFFD}(\u{FFFD} b"))
      guard format == "json" else { return }
      struct Entry: Decodable {
        struct Comment: Decodable { var body: String }
        var title: String
        var commentsList: [Comment]
      }
      let entries = try Self.decoder.decode([Entry].self, from: result.output)
      #expect(
        entries.map(\.title) == [
          "a \u{FFFD}\u{FFFD}(\u{FFFD} b", "c \u{FFFD}\u{FFFD}x😀 d",
        ])
      #expect(entries[0].commentsList.map(\.body) == ["\u{FFFD}\u{FFFD}(\u{FFFD}"])
      let list = try await filled.run([
        "list", "a/b", "--offline", "--order", "asc", "--json", "title",
      ])
      let listed = try JSONDecoder().decode([[String: String]].self, from: list.output)
      #expect(listed.compactMap { $0["title"] } == entries.map(\.title))
    }

    @Test("exported values are harmless on a terminal")
    func terminal() async throws {
      for format in ["json", "csv"] {
        let result = try await mirror().run(
          ["export", "a/b", "--format", format], environment: IssuesProgram.plainTerminal,
          connection: .terminal(columns: 80, rows: 30))
        #expect(result.status == .exited(0), "\(result.errorText)")
        for line in result.screen.split(whereSeparator: \.isNewline) {
          #expect(HostileText.dangers(in: String(line)).isEmpty, "\(line)")
        }
        #expect(result.screen.contains("日本語"))
      }
    }

    @Test("CSV preserves values, except for characters unsafe in a terminal or spreadsheet")
    func csv() async throws {
      let result = try await mirror().run([
        "export", "a/b", "--format", "csv", "--state", "all", "--comments", "--order", "asc",
        "--include-pull-requests",
      ])
      #expect(result.status == .exited(0), "\(result.errorText)")
      let rows = CSVText.rows(result.outputText)
      #expect(rows.first == IssueTable.columns)
      #expect(rows.allSatisfy { $0.count == IssueTable.columns.count })
      #expect(
        rows.dropFirst().map { $0[0] } == [
          "issue", "comment", "comment", "issue", "issue", "pull_request",
        ])
      #expect(rows.dropFirst().map { $0[1] } == ["1", "1", "1", "2", "3", "4"])
      let (title, body) = (IssueTable.columns.firstIndex(of: "title"), IssueTable.columns.count - 1)
      let column = try #require(title)
      #expect(rows[1][column] == "'=HYPERLINK(\"http://evil.example\")")
      #expect(rows[1][body] == "'- a list\r\n'- of, two\n")
      #expect(rows[2][body] == "first\n, and \"more\"")
      #expect(rows[3][body] == "'@second")
      #expect(rows[4][column] == "日本語 ^[[31m\\u{9B}31m\\u{202E} \"quoted\"")
      #expect(rows[1].contains("bug, good, first"))
      #expect(rows[4].contains("ada, grace-h"))
    }

    @Test("CSV keeps CRLF line endings")
    func lineEnds() async throws {
      let filled = try FilledMirror()
      let body = "one\r\ntwo\nthree\rfour\r\n"
      try await filled.add("a/b", items: [FilledMirror.Item(number: 1, title: "x", body: body)])
      let result = try await filled.run(["export", "a/b", "--format", "csv"])
      let rows = CSVText.rows(result.outputText)
      #expect(rows.last?.last == "one\r\ntwo\nthree\nfour\r\n")
    }

    @Test("an empty export to CSV contains only the header")
    func emptyCSV() async throws {
      let result = try await mirror().run([
        "export", "a/b", "--format", "csv", "--author", "nobody",
      ])
      #expect(CSVText.rows(result.outputText) == [IssueTable.columns])
    }

    @Test(
      "an export writes a complete file and replaces an existing one only with --force",
      arguments: ["json", "csv", "sqlite"])
    func file(format: String) async throws {
      let filled = try await mirror()
      let path = filled.folder["out"]
      let arguments = ["export", "a/b", "--format", format, "--output", path]
      let result = try await filled.run(arguments)
      #expect(result.status == .exited(0), "\(result.errorText)")
      #expect(result.outputText.isEmpty && result.errorText.isEmpty)
      let written = try Data(contentsOf: URL(filePath: path))
      let magic = ["json": "[\n{", "csv": "kind,number", "sqlite": "SQLite format 3"]
      #expect(written.starts(with: Data((magic[format] ?? "?").utf8)))
      #expect(filled.folder.names == ["issues", "out"])

      try Data("mine".utf8).write(to: URL(filePath: path))
      try await filled.run(arguments).expectFailure(74, saying: ["already exists", "--force"])
      #expect(try Data(contentsOf: URL(filePath: path)) == Data("mine".utf8))
      let forced = try await filled.run(arguments + ["--force"])
      #expect(forced.status == .exited(0), "\(forced.errorText)")
      #expect(try Data(contentsOf: URL(filePath: path)).count == written.count)
      #expect(filled.folder.names == ["issues", "out"])
    }

    @Test(
      "an export replaces a symbolic link instead of following it",
      arguments: [["export", "a/b", "--output"], ["stats", "a/b", "--html"]])
    func link(arguments: [String]) async throws {
      let filled = try await mirror()
      try filled.folder.write(Data("precious".utf8), to: "victim")
      let path = filled.folder["out"]
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "victim")
      let arguments = arguments + [path]
      try await filled.run(arguments).expectFailure(74, saying: ["already exists", "--force"])
      let forced = try await filled.run(arguments + ["--force"])
      #expect(forced.status == .exited(0), "\(forced.errorText)")
      #expect(filled.folder.contents("victim") == Data("precious".utf8))
      #expect((filled.folder.contents("out")?.count ?? 0) > 100)
      #expect(filled.folder.names == ["issues", "out", "victim"])
    }

    @Test("a replaced file keeps its owner-only permissions")
    func permissions() async throws {
      let filled = try await mirror()
      let path = try filled.folder.write(Data("old".utf8), to: "out")
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      let result = try await filled.run(["export", "a/b", "--output", path, "--force"])
      #expect(result.status == .exited(0), "\(result.errorText)")
      #expect(filled.folder.permissions("out") == 0o600)
    }

    @Test("the export reports the written file to a terminal")
    func told() async throws {
      let filled = try await mirror()
      let result = try await filled.run(
        ["export", "a/b", "--output", filled.folder["x.json"]],
        environment: IssuesProgram.plainTerminal, connection: .terminal(columns: 200, rows: 30))
      #expect(result.screen.contains("Wrote 2 issues to \(filled.folder["x.json"])."))
      #expect(result.screen.contains("From the mirror of a/b, synced about 3 hours ago"))
    }

    @Test("missing comments in the mirror are an error")
    func noComments() async throws {
      try await mirror(comments: nil).run(["export", "a/b", "--comments"]).expectFailure(
        3, saying: ["no comments of a/b", "issues sync a/b --comments"])
    }

    @Test("an unmirrored or incomplete repository isn't exported, and no file is created")
    func missing() async throws {
      let filled = try FilledMirror()
      try await filled.add("half/done", items: Self.items, isComplete: false)
      for (name, status) in [("a/b", Int32(3)), ("half/done", 1)] {
        let result = try await filled.run(["export", name, "--output", filled.folder["x"]])
        result.expectFailure(status, saying: ["issues sync \(name)"])
        #expect(filled.folder.names == ["issues"])
      }
    }

    @Test(
      "an export to an invalid folder is reported", arguments: ["no/such", "issues"])
    func unwritable(path: String) async throws {
      let filled = try await mirror()
      let result = try await filled.run([
        "export", "a/b", "--output", filled.folder[path], "--force",
      ])
      result.expectFailure(74, saying: ["cannot write to “\(filled.folder[path])”"])
      #expect(filled.folder.names == ["issues"])
    }

    @Test(
      "an export to a full disk names the file and keeps the old one",
      arguments: ["sqlite", "json", "csv"])
    func fullDisk(format: String) async throws {
      let filled = try FilledMirror()
      let text = String(repeating: "word ", count: 800)
      try await filled.add(
        "a/b", items: (1...100).map { FilledMirror.Item(number: $0, title: "x", body: text) })
      let path = try filled.folder.write(Data("old".utf8), to: "out")
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      // In blocks of 512 bytes, or of 1024 where the shell is bash.
      let limited = try await Self.export(format, to: path, "trap '' XFSZ; ulimit -f 100;", filled)
      limited.expectFailure(74, saying: ["cannot write to “\(path)”: "])
      #expect(!limited.errorText.contains("mirror"))
      #expect(filled.folder.names == ["issues", "out"])
      #expect(filled.folder.contents("out") == Data("old".utf8))
      #expect(filled.folder.permissions("out") == 0o600)
      let whole = try await Self.export(format, to: path, "", filled)
      #expect(whole.status == .exited(0), "\(whole.errorText)")
      #expect(filled.folder.names == ["issues", "out"])
      #expect((filled.folder.contents("out")?.count ?? 0) > 100 << 10)
      #expect(filled.folder.permissions("out") == 0o600)
    }

    private static func export(
      _ format: String, to path: String, _ limit: String, _ filled: FilledMirror
    ) async throws -> CommandRun.Result {
      try await CommandRun.run(
        "/bin/sh",
        [
          "-c", limit + #" exec "$0" export a/b --format "$2" --force --output "$1""#,
          try BuiltProducts.path(of: "issues"), path, format,
        ], environment: IssuesProgram.environment.merging(filled.environment) { $1 })
    }

    @Test("'--output -' writes to standard output, except for a database")
    func standardOutput() async throws {
      let filled = try await mirror()
      let plain = try await filled.run(["export", "a/b"])
      let dash = try await filled.run(["export", "a/b", "--output", "-"])
      #expect(dash.status == .exited(0), "\(dash.errorText)")
      #expect(dash.output == plain.output && !dash.output.isEmpty)
    }

    @Test("a reader that closes the pipe early isn't an error")
    func closedPipe() async throws {
      let filled = try await mirror()
      let run = try IssuesProgram.start(
        ["export", "a/b"], environment: filled.environment, closesOutputAfter: 1)
      let result = try await run.result()
      #expect(result.status == .exited(0), "\(result.errorText)")
      #expect(filled.folder.names == ["issues"])
    }

    @Test("--full-text adds a search index to an exported database")
    func fullText() async throws {
      let filled = try FilledMirror()
      try await filled.add("a/b", items: [.init(number: 1, title: "Crash")])
      for (options, isThere) in [([], false), (["--full-text"], true)] {
        let path = filled.folder["\(isThere).db"]
        let result = try await filled.run(
          ["export", "a/b", "--format", "sqlite", "-o", path] + options)
        #expect(result.status == .exited(0), "\(result.errorText)")
        let bytes = try #require(filled.folder.contents("\(isThere).db"))
        #expect((bytes.firstRange(of: Data("issues_fts".utf8)) != nil) == isThere)
      }
    }

    @Test(
      "contradictory options of 'export' are refused",
      arguments: [
        (["export", "a/b", "--format", "sqlite"], "--output"),
        (["export", "a/b", "--force"], "--output"),
        (["export", "a/b", "--full-text"], "--format sqlite"),
        (["export", "a/b", "--full-text", "--format", "csv"], "--format sqlite"),
        (["export", "a/b", "--format", "sqlite", "-o", "-"], "--output"),
        (["export", "a/b", "--output", "-", "--force"], "--output"),
        (["export", "a/b", "--format", "xml"], "json"),
      ])
    func usage(arguments: [String], words: String) async throws {
      try await IssuesProgram.run(arguments).expectFailure(64, saying: [words])
    }
  }
}

/// Reads RFC 4180 as it is written.
enum CSVText {
  static func rows(_ text: String) -> [[String]] {
    var (rows, row, cell) = ([[String]](), [String](), String.UnicodeScalarView())
    var isQuoted = false
    let scalars = Array(text.unicodeScalars)
    var index = 0
    while index < scalars.count {
      let next = index + 1 < scalars.count ? scalars[index + 1] : nil
      switch scalars[index] {
      case "\"" where isQuoted && next == "\"":
        cell.append("\"")
        index += 1
      case "\"": isQuoted.toggle()
      case "," where !isQuoted:
        row.append(String(cell))
        cell = String.UnicodeScalarView()
      case "\r" where !isQuoted && next == "\n":
        rows.append(row + [String(cell)])
        (row, cell) = ([], String.UnicodeScalarView())
        index += 1
      case let scalar: cell.append(scalar)
      }
      index += 1
    }
    return rows
  }
}
