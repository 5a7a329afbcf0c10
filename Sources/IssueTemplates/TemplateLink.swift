internal import HTTPTargets

/// The URL of GitHub's page for creating an issue from a template, with the answers filled in.
///
/// That page applies the template's labels and assignees even for users without push access
/// (<https://docs.github.com/en/issues/tracking-your-work-with-issues/using-issues/creating-an-issue#creating-an-issue-from-a-url-query>).
public struct TemplateLink: Hashable, Sendable {
  /// The URL.
  public private(set) var url: String
  /// The ids of the fields, or `title` and `body`, that the URL omits. The page doesn't support choices, and GitHub
  /// refuses long URLs (414).
  public private(set) var leftOut: [String] = []

  /// The maximum length of the URL in bytes. GitHub doesn't document a limit; common servers accept request lines of up
  /// to 8 KiB.
  public static let maximumLength = 8_000

  /// Creates the URL for a Markdown template or, without a template, for a blank issue.
  ///
  /// - Parameters:
  ///   - page: The URL of the repository's page, such as `https://github.com/o/r`.
  ///   - template: The template; nil without a template.
  ///   - title: The title; nil for the template's title.
  ///   - body: The text; nil for the template's text.
  public init(
    onPage page: String, template: IssueTemplate? = nil, title: String? = nil, body: String? = nil
  ) {
    self.init(page, template?.fileName)
    add("title", title)
    add("body", body)
  }

  /// Creates the URL for a form.
  ///
  /// - Parameters:
  ///   - page: The URL of the repository's page, such as `https://github.com/o/r`.
  ///   - answers: The answers. Those equal to the form's default answers are omitted.
  ///   - title: The title; nil for the form's title.
  public init(onPage page: String, answers: FormAnswers, title: String? = nil) {
    self.init(page, answers.form.fileName)
    add("title", title)
    let prefilled = FormAnswers(to: answers.form)
    for field in answers.form.fields where answers[field.id] != prefilled[field.id] {
      switch field.kind {
      case .input, .textarea: add(field.id, answers[field.id].first ?? "")
      case .dropdown, .checkboxes, .upload: leftOut.append(field.id)
      }
    }
  }

  private init(_ page: String, _ template: String?) {
    url = "\(page)/issues/new"
    add("template", template)
  }

  private mutating func add(_ name: String, _ value: String?) {
    guard let value else { return }
    let item =
      "\(url.contains("?") ? "&" : "?")\(PercentEncoding.encode(name))=\(PercentEncoding.encode(value))"
    if url.utf8.count + item.utf8.count <= Self.maximumLength {
      url += item
    } else {
      leftOut.append(name)
    }
  }
}
