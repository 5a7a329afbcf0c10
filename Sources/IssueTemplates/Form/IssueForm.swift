/// A form of a repository: the questions whose answers become the text of an issue.
public struct IssueForm: Hashable, Sendable, Identifiable {
  /// A part of a form.
  public enum Element: Hashable, Sendable {
    /// Text in Markdown that is shown and not sent.
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
  /// The names of the labels that an issue gets.
  public var labels: [String]
  /// The logins of its assignees.
  public var assignees: [String]
  /// The projects that an issue is put into, `OWNER/NUMBER` each.
  public var projects: [String]
  /// The name of the type that an issue gets.
  public var type: String?
  /// The parts, in order.
  public var elements: [Element]
  /// The unknown parts of the file, which are ignored.
  public internal(set) var passedOver: [TemplateError] = []

  /// Makes a form.
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

  /// The question with an id; nil if there is none.
  public subscript(id: String) -> FormField? { fields.first { $0.id == id } }
}

/// A question of a form.
public struct FormField: Hashable, Sendable, Identifiable {
  /// A box to tick.
  public struct Checkbox: Hashable, Sendable {
    /// The text beside it, in Markdown.
    public var label: String
    /// Whether it has to be ticked, in a public repository.
    public var isRequired: Bool

    /// Makes a box.
    public init(label: String, isRequired: Bool = false) {
      self.label = label
      self.isRequired = isRequired
    }
  }

  /// The kinds of answers.
  public enum Kind: Hashable, Sendable {
    /// One line of text.
    case input(placeholder: String?, value: String?)
    /// Text; with a language to render it in it goes into a fenced block.
    case textarea(placeholder: String?, value: String?, language: String?)
    /// A choice of one option, or of several. `defaultOption` is an index.
    case dropdown(options: [String], isMultiple: Bool, defaultOption: Int?)
    /// Boxes to tick.
    case checkboxes([Checkbox])
    /// Links to files, by their extensions if only some are accepted: the API has no upload.
    case upload(accepted: [String])
  }

  /// The id in the form, else the label in lower case with hyphens for all but letters and digits, else the label.
  public var id: String
  /// The heading that the answer gets.
  public var label: String
  /// The explanation, in Markdown.
  public var description: String?
  /// Whether an answer is needed, in a public repository.
  public var isRequired: Bool
  /// The kind of the answer.
  public var kind: Kind

  /// Makes a question.
  public init(
    id: String, label: String, description: String? = nil, isRequired: Bool = false, kind: Kind
  ) {
    self.id = id
    self.label = label
    self.description = description
    self.isRequired = isRequired
    self.kind = kind
  }

  /// The texts to choose from; nil for a free answer.
  public var options: [String]? {
    switch kind {
    case .dropdown(let options, _, _): options
    case .checkboxes(let boxes): boxes.map(\.label)
    case .input, .textarea, .upload: nil
    }
  }

  /// Whether several options may be chosen.
  public var isMultiple: Bool {
    switch kind {
    case .dropdown(_, let isMultiple, _): isMultiple
    case .checkboxes: true
    case .input, .textarea, .upload: false
    }
  }
}
