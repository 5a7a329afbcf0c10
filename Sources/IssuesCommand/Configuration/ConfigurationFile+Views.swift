internal import HTTPTargets
internal import IssueBrowser
internal import IssueTracker
internal import StyledText

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension ConfigurationFile {
  /// Adds a view to the file, or replaces one, and leaves everything else as it stands, comments too.
  ///
  /// The new text is read before it is written: it must say what the old one says, and the view.
  ///
  /// - Returns: The lines of the view.
  func save(_ view: SavedView, replaces: Bool) throws(CommandFailure) -> String {
    let old: String
    do throws(ConfigurationProblem) {
      old = try text() ?? ""
      if let problem = ConfigurationReader.read(old).problems.first { throw problem }
    } catch {
      throw CommandFailure(
        .configuration, "\(error.text(in: path))\n'issues config edit' opens it.")
    }
    let configuration = ConfigurationReader.read(old).configuration
    var expected = configuration
    let lines = view.lines
    let new: String
    if let index = configuration.views.firstIndex(where: { $0.name == view.name }) {
      guard replaces else {
        let text = configuration.views[index].text + configuration.views[index].placeWords
        throw CommandFailure(
          .failed, "there is a view @\(view.name) already: \(text)\nReplace it with --force.")
      }
      expected.views[index] = view
      new = Self.replacing(view.name, in: old, by: lines)
    } else {
      expected.views.append(view)
      let gap = old.isEmpty ? "" : old.hasSuffix("\n") ? "\n" : "\n\n"
      new = old + gap + lines
    }
    let reading = ConfigurationReader.read(new)
    if let problem = reading.problems.first {
      throw CommandFailure(.usage, "a view can't say that: \(problem.message)")
    }
    guard reading.configuration == expected, new.utf8.count <= Self.maximumBytes else {
      throw CommandFailure(
        .failed,
        "the view can't be written without changing the rest of \(path)\n'issues config edit' opens it."
      )
    }
    try write(new)
    return lines
  }

  /// The lines from the view's header to the next one, except for blanks and comments before that.
  private static func replacing(_ name: String, in text: String, by lines: String) -> String {
    var all = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    func words(_ line: String) -> String { line.filter { $0 != " " && $0 != "\t" && $0 != "\r" } }
    let headers = ["[views.\(name)]", "[views.\"\(name)\"]", "[views.'\(name)']"]
    guard
      let start = all.firstIndex(where: { line in
        headers.contains(String(words(line).prefix { $0 != "#" }))
      })
    else { return text }
    var end = all[(start + 1)...].firstIndex { words($0).hasPrefix("[") } ?? all.endIndex
    while end > start + 1, words(all[end - 1]).isEmpty || words(all[end - 1]).hasPrefix("#") {
      end -= 1
    }
    all.replaceSubrange(
      start..<end, with: lines.split(separator: "\n").map(String.init))
    return all.joined(separator: "\n")
  }

  private func write(_ text: String) throws(CommandFailure) {
    _ = try create(text)
    guard (try? self.text()) != text else { return }
    // A link, as to a folder of dot files, stays one.
    let place = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
    do throws(FileFailure) {
      let file = try AtomicFile(named: place, replaces: true)
      try file.write(Array(text.utf8))
      try file.commit()
    } catch {
      throw CommandFailure(.output, "the configuration can't be written: \(error)")
    }
  }
}

extension SavedView {
  /// In TOML.
  var lines: String {
    var lines = "[views.\(name)]\nquery = \(Self.quoted(query))\n"
    if let sort { lines += "sort = \(Self.quoted(sort))\n" }
    if case .repositories(let references) = place {
      let names = references.map { Self.quoted("\($0)") }
      lines += "repositories = [\(names.joined(separator: ", "))]\n"
    } else if place == .everywhere, !QueryWord.namesPlace(query) {
      lines += "repositories = \"all\"\n"
    }
    if let limit { lines += "limit = \(limit)\n" }
    return lines
  }

  /// A basic string (<https://toml.io/en/v1.0.0#string>).
  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\":
        quoted += "\\\(scalar)"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
