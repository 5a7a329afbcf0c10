import IssueMirror
import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("issues stats", .timeLimit(.minutes(5)))
  struct StatsTests {
    private static let week = 7 * 86_400.0

    private static var decoder: JSONDecoder {
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      return decoder
    }

    /// Monday of this week, by UTC.
    private static var monday: Date {
      let days = (Date().timeIntervalSince1970 / 86_400).rounded(.down)
      // 1970-01-01 was a Thursday.
      let sinceMonday = (days + 3).truncatingRemainder(dividingBy: 7)
      return Date(timeIntervalSince1970: (days - sinceMonday) * 86_400)
    }

    /// A repository whose numbers are the same on every day: figures by week lie in the same weeks
    /// before this one, and figures by age have ages that aren't near a limit.
    private func mirror() async throws -> FilledMirror {
      let monday = Self.monday
      var items = (1...5).map { number in
        FilledMirror.Item(
          number: number, title: "Old \(number)", labels: ["bug"],
          createdAt: Date(timeIntervalSinceNow: -500.5 * 86_400))
      }
      // (weeks ago, weeks until it was closed)
      let recent: [(Double, Double?)] = [
        (0, nil), (1, nil), (1, 1), (2, nil), (2, 0), (3, 2), (3, 3),
      ]
      items += recent.enumerated().map { index, times in
        FilledMirror.Item(
          number: 10 + index, title: "Recent \(index)", isClosed: times.1 != nil,
          author: index < 4 ? "ada" : "grace-h",
          labels: index.isMultiple(of: 2)
            ? ["good first issue", "\u{1B}[31mevil\u{202E}"] : ["bug"],
          createdAt: monday.addingTimeInterval(-times.0 * Self.week),
          closedAt: times.1.map { monday.addingTimeInterval(($0 - times.0) * Self.week) })
      }
      items.append(FilledMirror.Item(number: 99, title: "A pull request", isPullRequest: true))
      let filled = try FilledMirror()
      try await filled.add("swiftlang/swift", items: items)
      return filled
    }

    @Test("stats --all lists every complete mirror, the busiest first, as lines, a table and JSON")
    func all() async throws {
      let filled = try await mirror()
      try await filled.add(
        "octo/cat",
        items: [
          .init(number: 1, title: "x", createdAt: Self.monday),
          .init(number: 2, title: "y", createdAt: Self.monday.addingTimeInterval(-3 * 86_400)),
        ])
      let lines = try await filled.run(["stats", "--all", "--weeks", "2"]).lines.map {
        $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      }
      #expect(
        lines.map { Array($0.prefix(4)) } == [
          ["swiftlang/swift", "8", "3", "3"], ["octo/cat", "2", "2", "0"],
        ])
      #expect(lines.allSatisfy { Int($0[4]) != nil })
      let one = try await filled.run(["stats", "octo/cat", "--json", "repository,open,weeks"])
      let both = try await filled.run([
        "stats", "--all", "--json", "repository,open,weeks", "-q", ".[1]",
      ])
      let again = try await filled.run([
        "stats", "octo/cat", "--json", "repository,open,weeks", "-q", ".",
      ])
      #expect(both.outputText == again.outputText)
      #expect(one.outputText.contains("\"repository\":\"octo/cat\""))
      let table = try await filled.run(
        ["stats", "--all"], environment: IssuesProgram.plainTerminal,
        connection: .terminal(columns: 100, rows: 24))
      #expect(table.screen.contains("2 repositories in the last 12 weeks"), "\(table.screen)")
      try await filled.run(["stats", "--all", "octo/cat"])
        .expectFailure(64, saying: ["leave out names"])
    }

    /// The text with the days of weeks as if today were in the year 2001.
    private func settled(_ text: String) -> String {
      (0..<20).reduce(text) { text, index in
        let day = Self.monday.addingTimeInterval(-Double(index) * Self.week).formatted(.iso8601)
        let fixed = Date(timeIntervalSince1970: 1_000_684_800 - Double(index) * Self.week)
          .formatted(.iso8601)
        return text.replacing(String(day.prefix(10)), with: String(fixed.prefix(10)))
      }
    }

    @Test(
      "a terminal gets the statistics of a repository as bars and tables",
      arguments: [
        ("stats-80.txt", 80, [:]), ("stats-120.txt", 120, [:]), ("stats-30.txt", 30, [:]),
        ("stats-80-ascii.txt", 80, ["LC_ALL": "C"]),
        ("stats-80-palette.txt", 80, ["NO_COLOR": "", "TERM": "xterm-256color"]),
      ] as [(String, Int, [String: String])])
    func terminal(name: String, columns: Int, environment: [String: String]) async throws {
      let result = try await mirror().run(
        ["stats", "swiftlang/swift", "--weeks", "4"],
        environment: IssuesProgram.plainTerminal.merging(environment) { $1 },
        connection: .terminal(columns: columns, rows: 60))
      #expect(result.status == .exited(0), "\(result.errorText)")
      try CommandSnapshot.expect(settled(result.screen), named: name)
    }

    @Test("a pipe gets the statistics of a repository as lines, or as JSON")
    func pipe() async throws {
      let filled = try await mirror()
      let lines = try await filled.run(["stats", "swiftlang/swift", "--weeks", "4"])
      #expect(lines.status == .exited(0))
      #expect(lines.errorText.isEmpty)
      let stable = settled(lines.outputText).replacing(
        /median_age\t\d+/, with: "median_age\tSECONDS")
      try CommandSnapshot.expect(stable, named: "stats.tsv.txt")

      let json = try await filled.run([
        "stats", "--weeks", "4", "--json", "repository,open,closed,weeks,ages,labels,authors",
        "swiftlang/swift",
      ])
      try CommandSnapshot.expect(settled(json.outputText), named: "stats.json")
      let all = try await filled.run(["stats", "--json", "swiftlang/swift"])
      struct Report: Decodable {
        struct Week: Decodable {}
        var host: String
        var medianAge: Int
        var weeks: [Week]
      }
      let report = try Self.decoder.decode(Report.self, from: all.output)
      #expect(report.host == "github.com")
      #expect(report.medianAge > 0)
      #expect(report.weeks.count == 12)
    }

    @Test("--html writes a whole page, and replaces a file only if that is requested")
    func page() async throws {
      let filled = try await mirror()
      let path = filled.folder["swift.html"]
      try filled.folder.write(Data("old".utf8), to: "swift.html")
      let arguments = ["stats", "swiftlang/swift", "--html", path]
      try await filled.run(arguments).expectFailure(74, saying: ["already exists", "--force"])
      #expect(filled.folder.contents("swift.html") == Data("old".utf8))
      let result = try await filled.run(arguments + ["--force"])
      #expect(result.status == .exited(0), "\(result.errorText)")
      #expect(result.outputText.isEmpty)
      let page = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
      #expect(page.hasPrefix("<!DOCTYPE html>"))
      #expect(page.hasSuffix("</html>\n"))
      #expect(page.contains("good first issue"))
      #expect(!page.unicodeScalars.contains("\u{1B}"))
      #expect(filled.folder.names == ["issues", "swift.html"])
      let output = try await filled.run(["stats", "swiftlang/swift", "--html", "-"])
      #expect(output.outputText.hasPrefix("<!DOCTYPE html>"))
      #expect(output.outputText.hasSuffix("</html>\n"))
    }

    @Test("a page that can't be written is reported, and leaves no file behind")
    func unwritable() async throws {
      let filled = try await mirror()
      let result = try await filled.run([
        "stats", "swiftlang/swift", "--html", filled.folder["no/such/folder.html"],
      ])
      result.expectFailure(74, saying: ["cannot write", "folder.html"])
      #expect(filled.folder.names == ["issues"])
    }

    @Test("unmirrored and incomplete repositories aren't counted")
    func missing() async throws {
      let filled = try FilledMirror()
      try await filled.add("half/done", items: [], isComplete: false)
      try await filled.run(["stats", "a/b"]).expectFailure(
        3, saying: ["a/b", "issues sync a/b"])
      try await filled.run(["stats", "half/done"]).expectFailure(
        1, saying: ["incomplete", "issues sync half/done"])
    }

    @Test("statistics without a mirror don't create one")
    func none() async throws {
      let scratch = try ScratchFolder()
      let result = try await IssuesProgram.run(
        ["stats", "a/b"], environment: ["XDG_DATA_HOME": scratch.path])
      result.expectFailure(3, saying: ["issues sync a/b"])
      #expect(scratch.names.isEmpty)
    }

    @Test(
      "invalid options of issues stats are refused",
      arguments: [
        (["stats", "a/b", "--weeks", "0"], "1 to 520"),
        (["stats", "a/b", "--weeks", "x"], "1 to 520"),
        (["stats", "a/b", "--json", "nosuch"], "Fields:"),
        (["stats", "a/b", "--html", "x", "--json", ""], "Use either"),
        (["stats", "a/b", "--force"], "--html"),
        (["stats", "a/b", "--html", "-", "--force"], "--html"),
      ])
    func usage(arguments: [String], words: String) async throws {
      try await IssuesProgram.run(arguments).expectFailure(64, saying: [words])
    }
  }
}
