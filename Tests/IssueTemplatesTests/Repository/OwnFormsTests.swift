import Foundation
import GitHubAPI
import IssueTemplates
import Testing

@Suite("This repository's own files")
struct OwnFormsTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  @Test("all forms of this repository are parsed")
  func forms() throws {
    let folder = ".github/ISSUE_TEMPLATE"
    let names = try FileManager.default.contentsOfDirectory(
      atPath: Self.root.appending(path: folder).path)
    let files = try names.map { (name: $0, text: String?.some(try Self.text("\(folder)/\($0)"))) }
    let own = RepositoryTemplates(files: files, source: nil)
    #expect(own.refused == [])
    #expect(own.templates.map(\.fileName) == ["bug.yml", "idea.yml"])
    #expect(own.configuration.contactLinks.count == 1)
    let forms = own.templates.compactMap { if case .form(let form) = $0 { form } else { nil } }
    #expect(forms.count == own.templates.count)
    for form in forms {
      #expect(form.labels.count == 1, "\(form.fileName)")
      #expect(form.fields.contains { $0.isRequired }, "\(form.fileName)")
      #expect(Set(form.fields.map(\.id)).count == form.fields.count, "\(form.fileName)")
    }
  }

  @Test("the citation file and the package recipe have the current version")
  func versions() throws {
    #expect(
      try Self.text("CITATION.cff").split(separator: "\n").contains(
        "version: \(PackageVersion.current)"))
    let recipe = try Self.text("Packaging/aur/PKGBUILD")
    #expect(recipe.split(separator: "\n").contains("pkgver=\(PackageVersion.current)"))
  }

  @Test("the package index builds the documentation of each library with a catalog")
  func documentation() throws {
    let lines = try Self.text(".spi.yml").split(separator: "\n")
    let listed = lines.map { $0.drop { $0 == " " } }.filter {
      $0.hasPrefix("- ") && !$0.contains(":")
    }
    .map { String($0.dropFirst(2)) }
    let sources = Self.root.appending(path: "Sources")
    let catalogues = try FileManager.default.contentsOfDirectory(atPath: sources.path).filter {
      FileManager.default.fileExists(atPath: sources.appending(path: "\($0)/\($0).docc").path)
    }
    #expect(listed.sorted() == catalogues.sorted())
  }
}
