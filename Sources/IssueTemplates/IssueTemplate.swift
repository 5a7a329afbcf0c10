/// A Markdown template, whose text is the beginning of a new issue.
public struct IssueTemplate: Hashable, Sendable, Identifiable {
  /// The name of the file, such as `bug.md`.
  public var fileName: String
  /// The name in the list of templates; for a repository's single template, the file name.
  public var name: String
  /// The purpose; empty for the single template of a repository that doesn't have a list.
  public var about: String
  /// The beginning of the title.
  public var title: String?
  /// The names of the labels for the new issue.
  public var labels: [String]
  /// The logins of the assignees for the new issue.
  public var assignees: [String]
  /// The name of the issue type.
  public var type: String?
  /// The text in Markdown.
  public var body: String
  /// The unknown parts of the file, which are ignored.
  public internal(set) var passedOver: [TemplateError] = []

  /// Creates a template.
  public init(
    fileName: String, name: String, about: String = "", title: String? = nil,
    labels: [String] = [], assignees: [String] = [], type: String? = nil, body: String
  ) {
    self.fileName = fileName
    self.name = name
    self.about = about
    self.title = title
    self.labels = labels
    self.assignees = assignees
    self.type = type
    self.body = body
  }

  /// The name of the file.
  public var id: String { fileName }

  /// Reads a template in the folder `ISSUE_TEMPLATE`: front matter between `---` lines, followed by the text.
  ///
  /// - Parameters:
  ///   - text: The contents of the file.
  ///   - fileName: The file name.
  /// - Throws: ``TemplateError``, including for a template without a name or a purpose, which GitHub doesn't show.
  public init(parsing text: String, fileName: String) throws(TemplateError) {
    guard text.utf8.count <= YAMLValue.maximumSize else {
      throw TemplateError(
        file: fileName, problem: "the file is longer than \(YAMLValue.maximumSize >> 10) KiB")
    }
    let lines = text.withoutByteOrderMark.lines
    guard lines.first?.trimmed == "---" else {
      throw TemplateError(
        file: fileName, line: 1,
        problem: "it doesn't begin with a line “---”, a name and a purpose: GitHub doesn't show it")
    }
    guard let end = lines.dropFirst().firstIndex(where: { $0.trimmed == "---" }) else {
      throw TemplateError(
        file: fileName, line: 1, problem: "no second line “---” ends the section that begins here")
    }
    let matter = lines[1..<end].joined(separator: "\n")
    guard let value = try YAMLValue.document(matter, file: fileName, firstLine: 2) else {
      throw TemplateError(file: fileName, line: 1, problem: "the key “name” is missing")
    }
    // Unlike in forms, GitHub ignores other keys here.
    let notes = TemplateNotes()
    let reader = try TemplateReader(value, file: fileName, notes: notes)
    name = try reader.requiredText("name")
    about = try reader.requiredText("about")
    title = reader.nonemptyText("title")
    labels = reader.readableNames("labels")
    assignees = reader.readableNames("assignees")
    type = reader.nonemptyText("type")
    passedOver = notes.passedOver
    self.fileName = fileName
    body = lines[(end + 1)...].drop { $0.isEmpty }.joined(separator: "\n")
  }
}

extension String {
  /// The lines, with any line ending.
  var lines: [Substring] {
    split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
  }

  var withoutByteOrderMark: String {
    unicodeScalars.first == "\u{FEFF}" ? String(unicodeScalars.dropFirst()) : self
  }
}
