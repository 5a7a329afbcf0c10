internal import HTTPTargets
internal import IssueBrowser
internal import IssueTracker
internal import PlatformModules
internal import StyledText

extension ConfigurationFile {
  /// Adds a view to the file, or replaces one.
  ///
  /// - Returns: The lines of the view.
  func save(_ view: SavedView, replaces: Bool) throws(CommandFailure) -> String {
    let lines = view.lines
    try rewrite("a view can't express that") { (configuration) throws(CommandFailure) in
      guard let index = configuration.views.firstIndex(where: { $0.name == view.name }) else {
        configuration.views.append(view)
        return Section(header: nil, lines: lines)
      }
      guard replaces else {
        let text = configuration.views[index].text + configuration.views[index].placeWords
        throw CommandFailure(
          .usage, "a view @\(view.name) already exists: \(text)\nReplace it with --force.")
      }
      configuration.views[index] = view
      return Section(
        header: ["views.\(view.name)", "views.\"\(view.name)\"", "views.'\(view.name)'"],
        lines: lines)
    }
    return lines
  }

  /// Changes the list of mirrors.
  func saveMirror(
    _ change: (inout [MirrorSource]) throws(CommandFailure) -> Void
  ) throws(CommandFailure) {
    try rewrite("the list of mirrors can't express that") {
      (configuration) throws(CommandFailure) in
      let isNew = configuration.mirror.isEmpty
      try change(&configuration.mirror)
      let words = configuration.mirror.map { "  \(TOMLText.quoted($0.word)),\n" }.joined()
      return Section(
        header: isNew ? nil : ["mirror"], lines: "[mirror]\nsources = [\n\(words)]\n")
    }
  }

  private struct Section {
    /// The possible headers of the section to replace; nil for a new section.
    let header: [String]?
    let lines: String
  }

  /// Changes a section, and leaves everything else unchanged, including comments.
  ///
  /// The new text is parsed before it is written. The result must equal the old configuration plus the change.
  private func rewrite(
    _ refusal: String,
    _ change: (inout Configuration) throws(CommandFailure) -> Section
  ) throws(CommandFailure) {
    var old: String
    do throws(ConfigurationProblem) {
      old = try text() ?? Self.template
      if let problem = ConfigurationReader.read(old).problems.first { throw problem }
    } catch {
      throw CommandFailure(
        .configuration, "\(error.text(in: path))\n'issues config edit' opens it.")
    }
    var expected = ConfigurationReader.read(old).configuration
    let section = try change(&expected)
    let mark = "\u{FEFF}"
    let isMarked = old.unicodeScalars.starts(with: mark.unicodeScalars)
    if isMarked { old = String(old.unicodeScalars.dropFirst()) }
    let lineEnd = old.contains("\r\n") ? "\r\n" : "\n"
    let lines = section.lines.replacing("\n", with: lineEnd)
    let gap = old.isEmpty ? "" : old.utf8.last == UInt8(ascii: "\n") ? lineEnd : lineEnd + lineEnd
    let changed =
      section.header.map { Self.replacing($0, in: old, by: lines) } ?? (old + gap + lines)
    let new = (isMarked ? mark : "") + changed
    let reading = ConfigurationReader.read(new)
    if let problem = reading.problems.first {
      throw CommandFailure(.usage, "\(refusal): \(problem.message)")
    }
    guard reading.configuration == expected, new.utf8.count <= Self.maximumBytes else {
      throw CommandFailure(
        .failed,
        "that can't be written without changing other text in \(path)\n'issues config edit' opens it."
      )
    }
    try write(new)
  }

  /// Replaces the lines from a section's header to the next header, except for empty lines and comments directly before
  /// the next header. Comments elsewhere in the section would be lost, so nothing is replaced if there are any.
  private static func replacing(
    _ names: [String], in text: String, by lines: String
  ) -> String {
    var all = Self.lines(of: text)
    func words(_ line: String) -> String { line.filter { !$0.isWhitespace } }
    let headers = names.map { "[\($0)]" }
    guard
      let start = all.firstIndex(where: { line in
        headers.contains(String(words(line).prefix { $0 != "#" }))
      })
    else { return text }
    var end = all[(start + 1)...].firstIndex { words($0).hasPrefix("[") } ?? all.endIndex
    while end > start + 1, words(all[end - 1]).isEmpty || words(all[end - 1]).hasPrefix("#") {
      end -= 1
    }
    // A comment may explain a mirror. Queries may contain a number sign.
    let isCommented = all[start..<end].contains {
      words($0).hasPrefix("#") || (!lines.contains("#") && $0.contains("#"))
    }
    guard !isCommented else { return text }
    all.replaceSubrange(start..<end, with: [lines])
    return all.joined()
  }

  /// The lines with their line endings.
  private static func lines(of text: String) -> [String] {
    var lines: [String] = []
    var rest = text.unicodeScalars[...]
    while let end = rest.firstIndex(of: "\n") {
      lines.append(String(rest[...end]))
      rest = rest[rest.index(after: end)...]
    }
    return lines + [String(rest)]
  }

  private func write(_ text: String) throws(CommandFailure) {
    _ = try create(text)
    guard (try? self.text()) != text else { return }
    try checkOwner()
    // A symbolic link, such as one into a folder of dot files, is preserved.
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
  /// The setting in TOML.
  var lines: String {
    var lines = "[views.\(name)]\nquery = \(TOMLText.quoted(query))\n"
    if let sort { lines += "sort = \(TOMLText.quoted(sort))\n" }
    if case .repositories(let references) = place {
      let names = references.map { TOMLText.quoted("\($0)") }
      lines += "repositories = [\(names.joined(separator: ", "))]\n"
    } else if place == .everywhere, !QueryWord.namesPlace(query) {
      lines += "repositories = \"all\"\n"
    }
    if let limit { lines += "limit = \(limit)\n" }
    return lines
  }
}

enum TOMLText {
  /// The text as a basic string (<https://toml.io/en/v1.0.0#string>).
  static func quoted(_ text: String) -> String {
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
