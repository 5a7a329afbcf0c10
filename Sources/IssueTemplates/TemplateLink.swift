internal import HTTPTargets

/// The address of GitHub's own page for an issue of a template, with answers filled in.
///
/// There the template's labels and assignees count even for people who may not push
/// (<https://docs.github.com/en/issues/tracking-your-work-with-issues/using-issues/creating-an-issue#creating-an-issue-from-a-url-query>).
public struct TemplateLink: Hashable, Sendable {
  /// The address.
  public private(set) var url: String
  /// The ids of the fields, or `title` and `body`, that aren't in it: the page takes no choices, and GitHub
  /// refuses long addresses (414).
  public private(set) var leftOut: [String] = []

  /// The longest address in bytes. GitHub names no bound; common servers take 8 KiB for a request's first line.
  public static let maximumLength = 8_000

  /// Makes the address for a Markdown template or, without one, for a blank issue.
  ///
  /// - Parameters:
  ///   - page: The page of the repository, as in `https://github.com/o/r`.
  ///   - template: The template; nil for none.
  ///   - title: The title; nil for the template's.
  ///   - body: The text; nil for the template's.
  public init(
    onPage page: String, template: IssueTemplate? = nil, title: String? = nil, body: String? = nil
  ) {
    self.init(page, template?.fileName)
    add("title", title)
    add("body", body)
  }

  /// Makes the address for a form.
  ///
  /// - Parameters:
  ///   - page: The page of the repository, as in `https://github.com/o/r`.
  ///   - answers: The answers. Those that the form itself has filled in aren't repeated.
  ///   - title: The title; nil for the form's.
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
