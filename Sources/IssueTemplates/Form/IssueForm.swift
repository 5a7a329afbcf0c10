/// A form in a repository: questions whose answers become the text of an issue.
public struct IssueForm: Hashable, Sendable, Identifiable {
  /// A part of a form.
  public enum Element: Hashable, Sendable {
    /// Markdown text that is shown but not sent.
    case markdown(String)
    /// A question.
    case field(FormField)
  }

  /// The name of the file, such as `bug.yml`.
  public var fileName: String
  /// The name in the list of templates.
  public var name: String
  /// The purpose.
  public var description: String
  /// The beginning of the title.
  public var title: String?
  /// The names of the labels for the new issue.
  public var labels: [String]
  /// The logins of the assignees for the new issue.
  public var assignees: [String]
  /// The projects for the new issue, each as `OWNER/NUMBER`.
  public var projects: [String]
  /// The name of the issue type.
  public var type: String?
  /// The parts, in order.
  public var elements: [Element]
  /// The unknown parts of the file, which are ignored.
  public internal(set) var passedOver: [TemplateError] = []

  /// Creates a form.
  public init(
    fileName: String, name: String, description: String, title: String? = nil,
    labels: [String] = [], assignees: [String] = [], projects: [String] = [],
    type: String? = nil, elements: [Element]
  ) {
    self.fileName = fileName
    self.name = name
    self.description = description
    self.title = title
    self.labels = labels
    self.assignees = assignees
    self.projects = projects
    self.type = type
    self.elements = elements
  }

  /// The name of the file.
  public var id: String { fileName }

  /// The questions, in order.
  public var fields: [FormField] {
    elements.compactMap { if case .field(let field) = $0 { field } else { nil } }
  }

  /// The question with an id; nil if the id is unknown.
  public subscript(id: String) -> FormField? { fields.first { $0.id == id } }
}

/// A question of a form.
public struct FormField: Hashable, Sendable, Identifiable {
  /// A checkbox.
  public struct Checkbox: Hashable, Sendable {
    /// The text next to it, in Markdown.
    public var label: String
    /// Whether it must be checked in a public repository.
    public var isRequired: Bool

    /// Creates a checkbox.
    public init(label: String, isRequired: Bool = false) {
      self.label = label
      self.isRequired = isRequired
    }
  }

  /// The kinds of answers.
  public enum Kind: Hashable, Sendable {
    /// One line of text.
    case input(placeholder: String?, value: String?)
    /// Text. If a language is given, the text is put in a fenced code block.
    case textarea(placeholder: String?, value: String?, language: String?)
    /// A choice of one or several options. `defaultOption` is an index.
    case dropdown(options: [String], isMultiple: Bool, defaultOption: Int?)
    /// Checkboxes.
    case checkboxes([Checkbox])
    /// Links to files, in Markdown, optionally only with the accepted extensions. Upload the files before you answer.
    case upload(accepted: [String])
  }

  /// The id in the form. If it is missing, the id is the label in lowercase, with hyphens for all characters except
  /// letters and digits, or else the label itself.
  public var id: String
  /// The label, which becomes the heading of the answer.
  public var label: String
  /// The explanation, in Markdown.
  public var description: String?
  /// Whether an answer is required in a public repository.
  public var isRequired: Bool
  /// The kind of the answer.
  public var kind: Kind

  /// Creates a question.
  public init(
    id: String, label: String, description: String? = nil, isRequired: Bool = false, kind: Kind
  ) {
    self.id = id
    self.label = label
    self.description = description
    self.isRequired = isRequired
    self.kind = kind
  }

  /// The options to choose from; nil for a free answer.
  public var options: [String]? {
    switch kind {
    case .dropdown(let options, _, _): options
    case .checkboxes(let boxes): boxes.map(\.label)
    case .input, .textarea, .upload: nil
    }
  }

  /// Whether the answer is links to files.
  package var acceptsFiles: Bool { if case .upload = kind { true } else { false } }

  /// Whether several options may be chosen.
  public var isMultiple: Bool {
    switch kind {
    case .dropdown(_, let isMultiple, _): isMultiple
    case .checkboxes: true
    case .input, .textarea, .upload: false
    }
  }
}
