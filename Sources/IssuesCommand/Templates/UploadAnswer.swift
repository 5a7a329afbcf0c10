internal import IssueOutbox
internal import IssueTemplates
internal import IssueTracker

/// Answers to a question for files. They become Markdown: images on this machine, which are uploaded later, or links.
struct UploadAnswer {
  let accepted: [String]
  let server: GitHubServer

  /// Reads paths or links, separated by commas. A single path may contain a comma.
  func values(in line: String) throws(Dialog.Refusal) -> [String] {
    if BodyOptions.isFile(Self.expanded(line)) { return [try markdown(line)] }
    var values: [String] = []
    for part in line.split(separator: ",") {
      let word = String(part).trimmingBlanks
      if !word.isEmpty { values.append(try markdown(word)) }
    }
    return values
  }

  /// The Markdown for a path or a link.
  func markdown(_ answer: String) throws(Dialog.Refusal) -> String {
    if answer.contains("://") || answer.hasPrefix("[") || answer.hasPrefix("![") { return answer }
    let path = Self.expanded(answer)
    guard BodyOptions.isFile(path) else {
      throw Dialog.Refusal(message: "“\(answer)” is neither a file nor a link.")
    }
    guard server.uploadURL != nil else {
      throw Dialog.Refusal(message: "\(server) doesn't store files for texts: give a link to it.")
    }
    guard accepted.isEmpty || accepted.contains(where: { Self.has(path, $0) }) else {
      throw Dialog.Refusal(
        message: "“\(answer)” isn't one of \(accepted.joined(separator: ", ")).")
    }
    guard AttachmentKind(fileName: path) != nil else {
      let kinds = AttachmentKind.allExtensions.joined(separator: ", ")
      throw Dialog.Refusal(
        message: "“\(answer)” can't be uploaded from here, only \(kinds): give a link to it.")
    }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return
      "![\(Self.escaping("\\[]", in: name))](<\(path.hasPrefix("/") ? "" : "./")\(Self.escaping("\\<>", in: path))>)"
  }

  private static func has(_ path: String, _ suffix: String) -> Bool {
    path.lowercased().hasSuffix(".\(suffix.drop { $0 == "." })".lowercased())
  }

  private static func escaping(_ marks: String, in text: String) -> String {
    text.reduce(into: "") { $0 += marks.contains($1) ? "\\\($1)" : "\($1)" }
  }

  /// Replaces `~/`, which the shell leaves alone in `--field log=~/log.png`.
  private static func expanded(_ path: String) -> String {
    guard path.hasPrefix("~/"), let home = World.current.environment["HOME"] else { return path }
    return home + path.dropFirst()
  }
}
