/// A Markdown template or a form.
public enum TemplateKind: Hashable, Sendable, Identifiable {
  /// A Markdown template.
  case markdown(IssueTemplate)
  /// A form.
  case form(IssueForm)

  /// The name of the file.
  public var fileName: String {
    switch self {
    case .markdown(let template): template.fileName
    case .form(let form): form.fileName
    }
  }

  /// The name of the file.
  public var id: String { fileName }

  /// The name in the list of templates.
  public var name: String {
    switch self {
    case .markdown(let template): template.name
    case .form(let form): form.name
    }
  }

  /// The purpose.
  public var purpose: String {
    switch self {
    case .markdown(let template): template.about
    case .form(let form): form.description
    }
  }

  /// The beginning of the title.
  public var title: String? {
    switch self {
    case .markdown(let template): template.title
    case .form(let form): form.title
    }
  }

  /// The text of the template, or of the form with its default answers.
  package var text: String {
    switch self {
    case .markdown(let template): template.body
    case .form(let form): FormAnswers(to: form).body
    }
  }

  /// The names of the labels for the new issue.
  public var labels: [String] {
    switch self {
    case .markdown(let template): template.labels
    case .form(let form): form.labels
    }
  }

  /// The logins of the assignees for the new issue.
  public var assignees: [String] {
    switch self {
    case .markdown(let template): template.assignees
    case .form(let form): form.assignees
    }
  }

  /// The unknown parts of the file, which are ignored.
  public var passedOver: [TemplateError] {
    switch self {
    case .markdown(let template): template.passedOver
    case .form(let form): form.passedOver
    }
  }

  /// The name of the issue type.
  public var type: String? {
    switch self {
    case .markdown(let template): template.type
    case .form(let form): form.type
    }
  }
}
