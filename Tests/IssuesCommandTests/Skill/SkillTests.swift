import ArgumentParser
import IssueMirror
import PlatformModules
import TestSupport
import Testing

@testable import IssuesCommand

extension CommandTests {
  @Suite("issues skill", .timeLimit(.minutes(5)))
  struct SkillTests {
    @Test("the skill has the form of a skill, and under 150 lines")
    func form() async throws {
      let result = try await IssuesProgram.run(["skill"])
      #expect(result.status == .exited(0))
      #expect(result.outputText == SkillText.file)
      let lines = result.lines
      #expect(lines.count < 150)
      #expect(lines.allSatisfy { $0.count <= 120 || $0.hasPrefix("description: ") })
      #expect(lines[0] == "---")
      #expect(lines[1] == "name: issues")
      #expect(lines[2] == "description: \(SkillText.description)")
      #expect(lines[3] == "---")
      // https://agentskills.io/specification
      #expect(SkillText.description.count <= 1_024)
      #expect(!SkillText.description.contains(": ") && !SkillText.description.contains("\n"))
      #expect(SkillText.name.wholeMatch(of: /[a-z0-9-]{1,64}/) != nil)
    }

    @Test("the program accepts each command in the skill")
    func commands() throws {
      var count = 0
      for block in SkillText.file.split(separator: "```sh\n").dropFirst() {
        for line in block.prefix(upTo: try #require(block.firstRange(of: "```")).lowerBound)
          .split(separator: "\n")
        {
          let arguments = Self.words(String(line))
          try #require(arguments.first == "issues", "\(line)")
          let rest = GHArguments.movingRepository(in: Array(arguments.dropFirst()))
          _ = try IssuesCommand.parseAsRoot(rest)
          count += 1
        }
      }
      #expect(count > 8)
    }

    /// As a shell splits them.
    private static func words(_ line: String) -> [String] {
      var words: [String] = []
      var (word, isQuoted, isInWord) = ("", false, false)
      for character in line {
        switch character {
        case "'":
          isQuoted.toggle()
          isInWord = true
        case " " where !isQuoted:
          if isInWord { words.append(word) }
          (word, isInWord) = ("", false)
        case "#" where !isQuoted && !isInWord: return words
        default:
          word.append(character)
          isInWord = true
        }
      }
      return isInWord ? words + [word] : words
    }

    @Test("the search accepts each qualifier in the skill")
    func queryWords() throws {
      for (word, meaning) in SkillText.queryWords {
        #expect(!(try SearchQuery(parsing: word).text.isEmpty), "\(word)")
        for other in meaning.matches(of: /[a-z]+:[a-z]+/).map(\.output) {
          _ = try SearchQuery(parsing: String(other))
        }
      }
    }

    @Test("the skill has the program's exit statuses and default limits")
    func numbers() async throws {
      let file = SkillText.file
      for status in ExitStatus.allCases {
        #expect(file.contains("| \(status.rawValue) | \(status.summary) |"))
      }
      let rows = file.split(separator: "\n").filter { $0.wholeMatch(of: /\| \d+ \| .* \|/) != nil }
      #expect(rows.count == ExitStatus.allCases.count)
      let filled = try FilledMirror()
      try await filled.add(
        "a/b", items: (1...40).map { FilledMirror.Item(number: $0, title: "Crash \($0)") })
      let list = try await filled.run(["search", "crash", "-R", "a/b"])
      #expect(file.contains("show \(list.lines.count) items"))
      // It says so on standard error.
      #expect(list.errorText.contains("limit of \(list.lines.count)"))
    }

    @Test(
      "'issues skill' writes the file into the agent's folder of skills",
      arguments: [
        ("claude", ".claude/skills"), ("codex", ".agents/skills"), ("copilot", ".agents/skills"),
        ("cursor", ".agents/skills"), ("gemini", ".agents/skills"), ("opencode", ".agents/skills"),
      ])
    func written(agent: String, place: String) async throws {
      let home = try ScratchFolder()
      let path = home["\(place)/issues/SKILL.md"]
      let result = try await IssuesProgram.run(
        ["skill", "--agent", agent], environment: ["HOME": home.path])
      #expect(result.status == .exited(0), "\(result.errorText)")
      #expect(result.output.isEmpty)
      #expect(result.errorText.contains(path))
      #expect(home.contents("\(place)/issues/SKILL.md") == Data(SkillText.file.utf8))
      #expect(home.names(in: "\(place)/issues") == ["SKILL.md"])

      let project = try ScratchFolder()
      let other = try await IssuesProgram.run(
        ["skill", "--agent", agent, "--project"], workingDirectory: project.path)
      #expect(other.status == .exited(0), "\(other.errorText)")
      #expect(project.contents("\(place)/issues/SKILL.md") == Data(SkillText.file.utf8))
    }

    @Test("a different skill file stays unless --force replaces it; an equal one isn't touched")
    func present() async throws {
      let home = try ScratchFolder()
      let name = ".claude/skills/issues/SKILL.md"
      try FileManager.default.createDirectory(
        atPath: home[".claude/skills/issues"], withIntermediateDirectories: true)
      _ = try home.write(Data("mine".utf8), to: name)
      let arguments = ["skill", "--agent", "claude"]
      let environment = ["HOME": home.path]
      try await IssuesProgram.run(arguments, environment: environment)
        .expectFailure(74, saying: ["already exists", "--force"])
      #expect(home.contents(name) == Data("mine".utf8))
      let forced = try await IssuesProgram.run(arguments + ["--force"], environment: environment)
      #expect(forced.status == .exited(0), "\(forced.errorText)")
      #expect(home.contents(name) == Data(SkillText.file.utf8))
      let again = try await IssuesProgram.run(arguments, environment: environment)
      #expect(again.status == .exited(0))
      #expect(again.errorText.contains("up to date"))
    }

    @Test(
      "'issues skill' refuses incompatible options",
      arguments: [
        (["--agent", "nosuch"], "claude"), (["--project"], "--agent"), (["--force"], "--agent"),
      ])
    func usage(arguments: [String], words: String) async throws {
      let result = try await IssuesProgram.run(["skill"] + arguments)
      #expect(result.status == .exited(64), "\(result.errorText)")
      #expect(result.errorText.contains(words), "\(result.errorText)")
    }

    @Test(
      "a symbolic link in a project isn't followed out of the project",
      arguments: [".claude", ".claude/skills"])
    func link(name: String) async throws {
      let (project, outside) = (try ScratchFolder(), try ScratchFolder())
      let link = project[name]
      try FileManager.default.createDirectory(
        atPath: URL(filePath: link).deletingLastPathComponent().path(percentEncoded: false),
        withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: link, withDestinationPath: outside.path)
      try await IssuesProgram.run(
        ["skill", "--agent", "claude", "--project", "--force"], workingDirectory: project.path
      ).expectFailure(74, saying: [name, "symbolic link", "without --project"])
      #expect(outside.names.isEmpty)
    }

    @Test("without a home folder, issues skill says what to do")
    func homeless() async throws {
      try await IssuesProgram.run(["skill", "--agent", "codex"], environment: ["HOME": ""])
        .expectFailure(1, saying: ["--project"])
    }
  }
}
