/// A repository's configuration of its templates: the file `config.yml` in the same folder.
public struct TemplateConfiguration: Hashable, Sendable {
  /// A link to a place for concerns other than issues.
  public struct ContactLink: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The URL.
    public var url: String
    /// The purpose.
    public var about: String

    /// Creates a link.
    public init(name: String, url: String, about: String) {
      self.name = name
      self.url = url
      self.about = about
    }
  }

  /// Whether users without write access may create issues on the web without a template.
  public var blankIssuesEnabled: Bool
  /// The links to places for concerns other than issues.
  public var contactLinks: [ContactLink]
  /// The unknown parts of the file, which are ignored.
  public internal(set) var passedOver: [TemplateError] = []

  /// Creates a configuration.
  public init(blankIssuesEnabled: Bool = true, contactLinks: [ContactLink] = []) {
    self.blankIssuesEnabled = blankIssuesEnabled
    self.contactLinks = contactLinks
  }

  /// Reads `config.yml`.
  ///
  /// - Parameters:
  ///   - text: The contents of the file.
  ///   - fileName: The file name, for errors.
  /// - Throws: ``TemplateError``.
  public init(parsing text: String, fileName: String = "config.yml") throws(TemplateError) {
    self.init()
    guard let value = try YAMLValue.document(text, file: fileName), !value.isNull else { return }
    let notes = TemplateNotes()
    let reader = try TemplateReader(value, file: fileName, notes: notes)
    reader.passOver(allBut: "blank_issues_enabled", "contact_links")
    blankIssuesEnabled =
      reader.readable { () throws(TemplateError) in try reader.boolean("blank_issues_enabled") }
      ?? true
    let links = reader.readable { () throws(TemplateError) in try reader.list("contact_links") }
    for (index, value) in (links ?? []).enumerated() {
      let link = reader.readable { () throws(TemplateError) in
        let link = try TemplateReader(
          value, file: fileName, place: "contact_links[\(index)]", notes: notes)
        return ContactLink(
          name: try link.requiredText("name"), url: try link.requiredText("url"),
          about: try link.requiredText("about"))
      }
      if let link { contactLinks.append(link) }
    }
    passedOver = notes.passedOver
  }
}
