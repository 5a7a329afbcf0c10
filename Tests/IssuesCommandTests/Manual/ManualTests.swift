import ArgumentParser
import PlatformModules
import StyledText
import TestSupport
import Testing

@testable import IssuesCommand

extension CommandTests {
  @Suite("The manual", .timeLimit(.minutes(5)))
  struct ManualTests {
    @Test("each subcommand has a manual page with all the text of its help")
    func complete() throws {
      let pages = ManualPage.all
      var count = 0
      let options = try #require(pages.first { $0.name == "issues-options" })
      let sharedRoff = options.roff(date: "2026-01-31", version: "1.2.3")
      let sharedWords = Set(
        options.text(width: 80, color: .none).split { $0.isWhitespace })
      func check(_ command: any ParsableCommand.Type, _ words: [String]) throws {
        let page = try #require(pages.first { $0.words == words }, "\(words)")
        let roff = page.roff(date: "2026-01-31", version: "1.2.3")
        let help = IssuesCommand.helpMessage(for: command, columns: 80)
        let lists = help.split(separator: "\n\n").drop { !$0.hasPrefix("USAGE: ") }.dropFirst()
        #expect(!lists.isEmpty)
        for line in lists.joined(separator: "\n").split(separator: "\n") {
          for option in line.matches(of: /(?:^  |, |\/)(--?[A-Za-z][A-Za-z-]*)/).map(\.output.1) {
            let name = "\\fB\(Roff.escaped(option))\\fR"
            #expect(roff.contains(name) || sharedRoff.contains(name), "\(words) \(option)")
            count += 1
          }
        }
        // Whatever is said, a word at a time: the pages wrap elsewhere.
        let said = sharedWords.union(
          page.text(width: 80, color: .none).split { $0.isWhitespace })
        let title = /^(?:OVERVIEW|USAGE|[A-Z ]+):\s/.anchorsMatchLineEndings()
        let helpWords = (help.split(separator: "\n\n  See 'issues help").first ?? "")
          .replacing(title, with: "").split { $0.isWhitespace }
        #expect(helpWords.count > 20)
        // The names of groups have another form, and the summary loses its capital and its full stop.
        let summary = command.configuration.abstract.split(separator: " ")
        let missing = helpWords.filter { !said.contains($0) && !summary.contains($0) }
        #expect(missing.isEmpty, "\(words): \(missing)")
        for next in command.configuration.subcommands {
          try check(next, words + [next._commandName])
        }
      }
      try check(IssuesCommand.self, ["issues"])
      #expect(count > 1_000)
      let groups = pages.filter { page in page.sections.contains { $0.title == "SUBCOMMANDS" } }
      #expect(groups.count > 5)
      for page in pages {
        #expect(page.sections.map(\.title).contains("OPTIONS"), "\(page.name)")
        #expect(page.sharedSections.map(\.title) == ["ENVIRONMENT", "FILES", "EXIT STATUS"])
        for section in page.sharedSections {
          guard case .entries(let entries)? = section.blocks.first else {
            Issue.record("\(section.title) has no entries")
            continue
          }
          #expect(entries.count > 5)
          #expect(entries.allSatisfy { !$0.term.isEmpty && !$0.text.isEmpty })
        }
        #expect(page.related.contains(["issues"]) != (page.words == ["issues"]), "\(page.name)")
      }
    }

    @Test("help text is parsed by its headings and columns")
    func helpText() {
      let page = ManualPage(
        words: ["issues", "try"],
        text: """
          OVERVIEW: Try a thing.

          It is a thing:

            thing = "a"

            other = "b"

          And more.

          WORDS:
            a  b     first,
                     and second
            long,    a term of
            longer   two lines

          The end.

          EXAMPLES:
            issues try   (once)

          USAGE: issues try [<options>]
                 issues try <thing>

          ARGUMENTS:
            <thing>                 The thing.

          GOING ON:
            --follow-very-long <every-interval>
                                    Go on. (default: 3)
            --json [<fields>]       Write JSON.

          OPTIONS:
            -h, --help              Show help.

            See 'issues help try' for more.
          """)
      #expect(page.briefly == "try a thing")
      #expect(page.synopsis == ["issues try [<options>]", "issues try <thing>"])
      let entries = { (entries: [(String, String)]) in
        ManualBlock.entries(entries.map { ManualEntry(term: $0.0, text: $0.1) })
      }
      #expect(
        page.sections == [
          ManualSection(
            title: "DESCRIPTION",
            blocks: [
              .paragraph("It is a thing:"), .lines([#"thing = "a""#, "", #"other = "b""#]),
              .paragraph("And more."), .paragraph("The end."),
            ]),
          ManualSection(
            title: "WORDS",
            blocks: [
              entries([("a  b", "first, and second"), ("long, longer", "a term of two lines")])
            ]),
          ManualSection(title: "ARGUMENTS", blocks: [entries([("<thing>", "The thing.")])]),
          ManualSection(
            title: "OPTIONS", blocks: [entries([("-h, --help", "Show help.")])],
            parts: [
              ManualSection(
                title: "GOING ON",
                blocks: [
                  entries([
                    ("--follow-very-long <every-interval>", "Go on. (default: 3)"),
                    ("--json [<fields>]", "Write JSON."),
                  ])
                ])
            ]),
          ManualSection(title: "EXAMPLES", blocks: [.lines(["issues try   (once)"])]),
        ])
      #expect(ManualBlock.entries(inColumnsOf: ["no columns", "in these"]) == nil)
      #expect(ManualBlock.entries(inColumnsOf: ["a    b", "longer than a"]) == nil)
    }

    @Test("no text of a manual page is read as roff, wherever it appears")
    func hostile() {
      let hostile = [
        ".so /etc/passwd", "'so /etc/passwd", #"\fBbold\*(xx"#, #"\X'tty: \e[2J'"#, "a\u{1B}[2Jb",
        #"" "quoted"#, "a\rb\u{7}\u{9B}",
      ]
      for text in hostile {
        var page = ManualPage(
          words: ["issues", text], text: "OVERVIEW: \(text)\n\nUSAGE: \(text)\n")
        page.sections = [
          ManualSection(
            title: text,
            blocks: [
              .paragraph(text), .lines([text, text]),
              .entries([ManualEntry(term: text, text: text)]),
            ], parts: [ManualSection(title: text, blocks: [.paragraph(text)])])
        ]
        page.related = [[text]]
        let requests = [
          ".TH", ".SH", ".SS", ".PP", ".RS", ".RE", ".nf", ".fi", ".TP", ".br",
        ]
        for line in page.roff(date: text, version: text).split(separator: "\n") {
          if line.hasPrefix(".") {
            #expect(requests.contains(String(line.prefix(3))), "\(line)")
            // An even number of quotes, none of them the text's.
            #expect(line.count { $0 == "\"" } % 2 == 0, "\(line)")
          }
          #expect(!line.hasPrefix("'"))
          #expect(line.unicodeScalars.allSatisfy { (" "..."~").contains($0) }, "\(line)")
          // Only these, and characters by their names.
          let escapes = line.matches(of: /\\(.{0,2})/).map { String($0.output.1) }
          let known = ["fB", "fI", "fR", "(r", "(a", "(g", "(h", "(t", "(d", "[u", "&."]
          #expect(
            escapes.allSatisfy { known.contains($0) || $0.hasPrefix("-") || $0 == "&" }, "\(line)")
        }
      }
      #expect(Roff.escaped("--a-b") == #"\-\-a\-b"#)
      #expect(Roff.escaped("…“😀") == #"\[u2026]\[u201C]\[u1F600]"#)
      #expect(Roff.line(".so") == #"\&.so"#)
      #expect(Roff.usage("-s, --state <a b>") == #"\fB\-s\fR, \fB\-\-state\fR \fIa b\fR"#)
    }

    private static let checker = [
      "/usr/bin/mandoc", "/usr/local/bin/mandoc", "/opt/homebrew/bin/mandoc",
    ]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

    @Test(
      "mandoc accepts every manual page", .enabled(if: checker != nil, "there is no mandoc")
    )
    func lint() async throws {
      let mandoc = try #require(Self.checker)
      let scratch = try ScratchFolder()
      let made = try await IssuesProgram.run(["help", "--man", scratch["man1"]])
      #expect(made.status == .exited(0), "\(made.errorText)")
      let names = scratch.names(in: "man1")
      #expect(names.contains("issues.1") && names.contains("issues-outbox-resolve.1"))
      #expect(names.count == ManualPage.all.count)
      let result = try await CommandRun.run(
        mandoc, ["-T", "lint", "-W", "warning"] + names.map { scratch["man1/\($0)"] },
        environment: IssuesProgram.environment)
      #expect(result.status == .exited(0))
      #expect(result.outputText.isEmpty, "\(result.outputText)")
      let page = try await CommandRun.run(
        mandoc, ["-T", "ascii", scratch["man1/issues-list.1"]],
        environment: IssuesProgram.environment)
      let plain = page.outputText.replacing(/.\u{8}/, with: "")
      for text in [
        "issues-list - list the issues", "-s, --state state", "'crash in:title -label:bug'",
      ] {
        #expect(plain.contains(text), "\(text)")
      }
    }

    @Test("the same sources make the same manual pages, dated by SOURCE_DATE_EPOCH")
    func reproducible() async throws {
      let scratch = try ScratchFolder()
      for folder in ["a", "b"] {
        let result = try await IssuesProgram.run(
          ["help", "--man", scratch[folder]], environment: ["SOURCE_DATE_EPOCH": "1767225599"])
        #expect(result.status == .exited(0), "\(result.errorText)")
        #expect(result.outputText.isEmpty && result.errorText.isEmpty)
      }
      #expect(scratch.files(in: "a") == scratch.files(in: "b"))
      let page = String(decoding: try #require(scratch.contents("a/issues.1")), as: UTF8.self)
      #expect(page.hasPrefix(#".TH "ISSUES" "1" "2025-12-31" "issues "#))
      let wrong = try await IssuesProgram.run(
        ["help", "--man", scratch["c"]], environment: ["SOURCE_DATE_EPOCH": "yesterday"])
      wrong.expectFailure(64, saying: ["SOURCE_DATE_EPOCH", "yesterday"])
    }

    @Test("help --all shows all pages: plain in a pipe, through the pager on a terminal")
    func all() async throws {
      let piped = try await IssuesProgram.run(["help", "--all"])
      #expect(piped.status == .exited(0))
      #expect(piped.errorText.isEmpty)
      for page in ManualPage.all {
        #expect(piped.lines.contains("\(page.name.uppercased())(1)"))
      }
      #expect(piped.lines.count { $0 == "EXIT STATUS" } == 1)
      #expect(piped.lines.count { $0 == "EXAMPLES" } > 50)
      #expect(!piped.outputText.contains("\u{1B}"))
      let paged = try await IssuesProgram.run(
        ["help", "--all"], environment: ["PAGER": "sed -n 's/^/| /; 1,9p'"],
        connection: .terminal(columns: 60, rows: 24))
      #expect(paged.status == .exited(0))
      #expect(paged.screen.contains("| \u{1B}[1mISSUES(1)"), "\(paged.screen)")
    }

    @Test(
      "help --all takes no other arguments",
      arguments: [["help", "list", "--all"], ["help", "--all", "--man", "x"], ["help", "--al"]])
    func refused(arguments: [String]) async throws {
      let result = try await IssuesProgram.run(arguments)
      result.expectFailure(64, saying: [])
      #expect(result.outputText.isEmpty)
    }

    @Test("the manual's list of files matches the files that the program creates")
    func files() async throws {
      let home = try ScratchFolder()
      var environment = IssuesProgram.environment
      for name in ["CACHE", "CONFIG", "DATA", "STATE"] { environment["XDG_\(name)_HOME"] = "" }
      environment["HOME"] = home.path
      environment["ISSUES_EMBEDDER"] = "sed 's/.*/[1]/'"
      let repository = LoopbackRepository.swift(issues: SyntheticIssues(count: 3))
      let github = LoopbackGitHub(repositories: [repository])
      try await withLoopbackServer(answering: github.handler) { server in
        for command in [
          ["swiftlang/swift"], ["sync", "swiftlang/swift"], ["similar", "swiftlang/swift", "1"],
          ["create", "-R", "swiftlang/swift", "-t", "A", "-b", "B", "--queue"],
        ] {
          let result = try await IssuesProgram.run(
            command + ["--api-url", server.url], environment: environment)
          #expect([.exited(0), .exited(75)].contains(result.status), "\(result.errorText)")
        }
      }
      let configuration = try await IssuesProgram.run(
        ["config", "init"], environment: environment)
      #expect(configuration.status == .exited(0), "\(configuration.errorText)")
      let section = try #require(ManualPage.all[0].sharedSections.first { $0.title == "FILES" })
      guard case .entries(let entries)? = section.blocks.first else {
        Issue.record("no entries")
        return
      }
      // A draft needs an editor; its own tests have one.
      for entry in entries where !entry.term.hasSuffix("/drafts") {
        let path = home.path + entry.term.dropFirst("~".count)
        #expect(FileManager.default.fileExists(atPath: path), "\(entry.term)")
      }
    }
  }
}
