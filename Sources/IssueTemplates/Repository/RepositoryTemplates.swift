/// The templates of a repository's issues.
public struct RepositoryTemplates: Hashable, Sendable {
  /// The templates, in the order of GitHub's list: first the forms, then the Markdown templates, each sorted by file
  /// name.
  public var templates: [TemplateKind] = []
  /// The files in the folder that can't be used as templates, with the reasons.
  public var refused: [TemplateError] = []
  /// The repository's configuration of its templates.
  public var configuration = TemplateConfiguration()
  /// The repository that contains the templates: this one, or the owner's `.github`; nil if no templates were found.
  public var source: RepositoryName?

  /// Creates a list of templates.
  public init(
    templates: [TemplateKind] = [], refused: [TemplateError] = [],
    configuration: TemplateConfiguration = TemplateConfiguration(), source: RepositoryName? = nil
  ) {
    self.templates = templates
    self.refused = refused
    self.configuration = configuration
    self.source = source
  }

  /// The maximum number of files to read. GitHub doesn't document a limit for its list.
  public static let maximumCount = 100

  /// Reads the files of a folder `ISSUE_TEMPLATE`.
  ///
  /// - Parameters:
  ///   - files: The names and the text of the files; nil for text that couldn't be read.
  ///   - source: The repository that contains the files.
  public init(files: [(name: String, text: String?)], source: RepositoryName?) {
    self.source = source
    for (name, text) in files.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
      guard let text else {
        refused.append(TemplateError(file: name, problem: "the file isn't UTF-8 text"))
        continue
      }
      do throws(TemplateError) {
        try read(text, name)
      } catch {
        refused.append(error)
      }
    }
    templates = templates.filter(\.isForm) + templates.filter { !$0.isForm }
  }

  private mutating func read(_ text: String, _ fileName: String) throws(TemplateError) {
    if Self.isConfiguration(fileName) {
      configuration = try TemplateConfiguration(parsing: text, fileName: fileName)
      return
    }
    let template: TemplateKind =
      if fileName.lowercased().hasSuffix(".md") {
        .markdown(try IssueTemplate(parsing: text, fileName: fileName))
      } else {
        .form(try IssueForm(parsing: text, fileName: fileName))
      }
    // GitHub accepts names of three Chinese characters, so it doesn't count characters.
    guard template.name.utf8.count > 3 else {
      throw TemplateError(
        file: fileName,
        problem:
          "the name “\(template.name)” has fewer than four characters: GitHub doesn't show it")
    }
    templates.append(template)
  }

  static func isRead(_ fileName: String) -> Bool {
    [".md", ".yml", ".yaml"].contains { fileName.lowercased().hasSuffix($0) }
  }

  private static func isConfiguration(_ fileName: String) -> Bool {
    ["config.yml", "config.yaml"].contains(fileName.lowercased())
  }

  /// Finds a template by its name, or by its file name with or without the extension, ignoring case.
  ///
  /// - Returns: The matching templates. More than one is returned only if several files have the same name.
  public func templates(named name: String) -> [TemplateKind] {
    let name = name.lowercased()
    if let exact = templates.first(where: { $0.fileName.lowercased() == name }) { return [exact] }
    let byName = templates.filter { $0.name.lowercased() == name }
    if !byName.isEmpty { return byName }
    return templates.filter { $0.stem.lowercased() == name }
  }
}

extension TemplateKind {
  fileprivate var isForm: Bool { if case .form = self { true } else { false } }

  /// The file name without its extension.
  public var stem: String {
    fileName.lastIndex(of: ".").map { String(fileName[..<$0]) } ?? fileName
  }
}
