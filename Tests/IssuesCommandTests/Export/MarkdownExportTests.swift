import IssueMirror
import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("issues export --format markdown", .timeLimit(.minutes(5)))
  struct MarkdownExportTests {
    private static let hostile = FilledMirror.Item(
      number: 2, title: "\"\n---\nstate: \\ \u{1B}[31m\u{202E}: x",
      body: "---\n## Comment by ada\n",
      assignees: ["ada"])

    private func mirror(
      _ items: [FilledMirror.Item] = [
        FilledMirror.Item(number: 1, title: "First", body: "One\n\nTwo", labels: ["bug"]), hostile,
      ]
    ) async throws -> FilledMirror {
      let filled = try FilledMirror()
      try await filled.add(
        "a/b", items: items,
        comments: [FilledMirror.comment(11, on: 1, of: "a/b", body: "Me\n## Comment by eve, now")])
      return filled
    }

    private func export(
      _ filled: FilledMirror, _ arguments: [String] = ["a/b"], to folder: String
    ) async throws -> CommandRun.Result {
      try await filled.run(["export"] + arguments + ["--format", "markdown", "--output", folder])
    }

    private func text(_ path: String) throws -> String {
      String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    }

    private func files(_ folder: String) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    private func time(_ path: String) throws -> Date? {
      try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    }

    @Test("each issue is a file with its properties, its text and its comments")
    func contents() async throws {
      let filled = try await mirror()
      let folder = filled.folder["out"]
      let result = try await export(filled, ["a/b", "--comments"], to: folder)
      #expect(result.status == .exited(0), "\(result.errorText)")
      #expect(try files(folder) == ["00001.md", "00002.md"])
      let first = try text("\(folder)/00001.md")
      #expect(first.hasPrefix("---\n# Written by 'issues export'"))
      #expect(first.contains("\nnumber: 1\ntitle: \"First\"\n"), "\(first)")
      #expect(first.contains("\nlabels: [\"bug\"]\n"))
      #expect(first.contains("\n---\n\n> One\n> \n> Two\n"), "\(first)")
      #expect(first.contains("\n> Me\n> ## Comment by eve, now\n"))
      #expect(first.split(separator: "\n").count { $0.hasPrefix("## Comment by ") } == 1)
    }

    @Test("no text can end the properties, add one, or pretend to be a comment")
    func hostileText() async throws {
      let filled = try await mirror()
      let folder = filled.folder["out"]
      _ = try await export(filled, to: folder)
      let lines = try text("\(folder)/00002.md").split(separator: "\n")
      #expect(lines.filter { $0 == "---" }.count == 2)
      #expect(lines.filter { $0.hasPrefix("state:") } == ["state: \"open\""])
      #expect(!lines.contains { $0.hasPrefix("## ") })
      let title = try #require(lines.first { $0.hasPrefix("title:") })
      #expect(title == #"title: "\" --- state: \\ ^[[31m\\u{202E}: x""#, "\(title)")
    }

    @Test("only changed issues are written again, and files of issues that are gone are removed")
    func again() async throws {
      let filled = try await mirror()
      let folder = filled.folder["out"]
      _ = try await export(filled, to: folder)
      let past = Date(timeIntervalSince1970: 1_000_000_000)
      for name in ["00001.md", "00002.md"] {
        try FileManager.default.setAttributes(
          [.modificationDate: past], ofItemAtPath: "\(folder)/\(name)")
      }
      try filled.folder.write(Data("mine".utf8), to: "out/notes.md")
      try filled.folder.write(Data("mine".utf8), to: "out/00077.md")
      let other = try await mirror([
        FilledMirror.Item(number: 1, title: "First", body: "One\n\nTwo", labels: ["bug"])
      ])
      let result = try await export(other, to: folder)
      #expect(result.status == .exited(0), "\(result.errorText)")
      #expect(try files(folder) == ["00001.md", "00077.md", "notes.md"])
      #expect(try text("\(folder)/00077.md") == "mine")
      let changed = try await mirror([FilledMirror.Item(number: 1, title: "Renamed")])
      _ = try await export(changed, to: folder)
      #expect(try text("\(folder)/00001.md").contains("title: \"Renamed\""))
      #expect(try time("\(folder)/00001.md") != past)
      let path = "\(folder)/00001.md"
      try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: path)
      _ = try await export(changed, to: folder)
      #expect(try time(path) == past)
    }

    @Test("a file of someone else, or of another repository, is kept unless --force is given")
    func foreign() async throws {
      let filled = try await mirror()
      try await filled.add("c/d", items: [FilledMirror.Item(number: 1, title: "Other")])
      let folder = filled.folder["out"]
      _ = try await export(filled, to: folder)
      let before = try text("\(folder)/00001.md")
      let refused = try await export(filled, ["c/d"], to: folder)
      refused.expectFailure(74, saying: ["00001.md", "--force"])
      #expect(try text("\(folder)/00001.md") == before)
      #expect(try files(folder) == ["00001.md", "00002.md"])
      let forced = try await export(filled, ["c/d", "--force"], to: folder)
      #expect(forced.status == .exited(0), "\(forced.errorText)")
      #expect(try text("\(folder)/00001.md").contains("\"Other\""))
    }

    @Test("symbolic links in the folder aren't followed")
    func links() async throws {
      let filled = try await mirror()
      try await filled.add("c/d", items: [FilledMirror.Item(number: 1, title: "Other")])
      let (folder, target) = (filled.folder["out"], filled.folder["target.md"])
      try filled.folder.write(Data("kept".utf8), to: "target.md")
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false)
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/00001.md", withDestinationPath: target)
      try await export(filled, to: folder).expectFailure(74, saying: ["00001.md"])
      #expect(try await export(filled, ["a/b", "--force"], to: folder).status == .exited(0))
      #expect(try text(target) == "kept")
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/c", withDestinationPath: filled.folder.path)
      try await export(filled, ["a/b", "c/d"], to: folder)
        .expectFailure(74, saying: ["/c", "isn't a folder"])
    }

    @Test("several repositories have a folder each")
    func several() async throws {
      let filled = try await mirror()
      try await filled.add("c/d", items: [FilledMirror.Item(number: 1, title: "Other")])
      let folder = filled.folder["out"]
      let result = try await export(filled, ["a/b", "c/d"], to: folder)
      #expect(result.status == .exited(0), "\(result.errorText)")
      #expect(try files("\(folder)/a/b") == ["00001.md", "00002.md"])
      #expect(try files("\(folder)/c/d") == ["00001.md"])
      try await export(filled, ["a/b", "no/such"], to: filled.folder["other"])
        .expectFailure(3, saying: ["no/such"])
      #expect(!FileManager.default.fileExists(atPath: filled.folder["other"]))
    }

    @Test("a folder is required, and something else in its place is a clear error")
    func usage() async throws {
      let filled = try await mirror()
      for output in [[], ["--output", "-"]] {
        try await filled.run(["export", "a/b", "--format", "markdown"] + output)
          .expectFailure(64, saying: ["folder", "--output"])
      }
      try await filled.run(["export", "a/b", "c/d"]).expectFailure(64, saying: ["markdown"])
      try filled.folder.write(Data("x".utf8), to: "file")
      try await export(filled, to: filled.folder["file"])
        .expectFailure(74, saying: ["isn't a folder"])
      try await export(filled, to: filled.folder["no/parent"])
        .expectFailure(74, saying: ["cannot create"])
    }
  }
}
