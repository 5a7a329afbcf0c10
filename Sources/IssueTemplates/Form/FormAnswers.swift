/// The answers to a form, which become the text of an issue.
///
/// ```swift
/// var answers = FormAnswers(to: form)
/// try answers.set("platform", to: ["Linux", "macOS"])
/// guard answers.missing.isEmpty else { … }
/// let issue = NewIssue(title: title, body: answers.body, labels: form.labels)
/// ```
public struct FormAnswers: Hashable, Sendable {
  /// The form.
  public let form: IssueForm
  private var values: [String: [String]] = [:]

  /// Creates answers from the form's defaults.
  public init(to form: IssueForm) {
    self.form = form
    for field in form.fields {
      switch field.kind {
      case .input(_, let value?), .textarea(_, let value?, _): values[field.id] = [value]
      case .dropdown(let options, _, let index?) where options.indices.contains(index):
        values[field.id] = [options[index]]
      case .input, .textarea, .dropdown, .checkboxes, .upload: break
      }
    }
  }

  /// The answer to a question: the chosen options in the form's order, the links to files, or a single text; empty
  /// without an answer.
  public subscript(id: String) -> [String] { values[id] ?? [] }

  /// Answers a question. The answer replaces an earlier one; text that consists only of whitespace removes it.
  ///
  /// - Parameters:
  ///   - id: The id of the question.
  ///   - answer: A single text, several links to files, or the chosen options as written in the form, ignoring case.
  /// - Throws: ``FormProblem`` for an unknown question or option, or for too many answers. In this case, the answers
  ///   don't change.
  public mutating func set(_ id: String, to answer: [String]) throws(FormProblem) {
    guard let field = form[id] else {
      throw .unknownField(id, known: form.fields.map(\.id))
    }
    guard let options = field.options else {
      let texts = answer.filter { !$0.allSatisfy(\.isWhitespace) }
      guard texts.count <= 1 || field.acceptsFiles else { throw .tooManyValues(field) }
      values[id] = texts.map { text in
        if case .input = field.kind { text.lines.joined(separator: " ") } else { text }
      }
      return
    }
    var chosen: Set<String> = []
    for text in answer where !text.allSatisfy(\.isWhitespace) {
      // The web page offers this for dropdowns that aren't required.
      if text.lowercased() == "none", !field.isRequired, case .dropdown = field.kind { continue }
      let option =
        options.first { $0 == text }
        ?? options.first { $0.trimmed.lowercased() == text.trimmed.lowercased() }
      guard let option else { throw .unknownOption(text, field) }
      chosen.insert(option)
    }
    guard chosen.count <= 1 || field.isMultiple else { throw .tooManyValues(field) }
    values[id] = options.filter(chosen.contains)
  }

  /// The unanswered questions and boxes that a public repository requires. In a private repository, nothing is required
  /// (<https://docs.github.com/en/communities/using-templates-to-encourage-useful-issues-and-pull-requests/syntax-for-issue-forms>).
  public var missing: [FormProblem] {
    form.fields.flatMap { field -> [FormProblem] in
      let answer = self[field.id]
      if case .checkboxes(let boxes) = field.kind {
        let unticked = boxes.filter { $0.isRequired && !answer.contains($0.label) }
        if !unticked.isEmpty { return unticked.map { .unticked($0.label, field) } }
      }
      return field.isRequired && answer.isEmpty ? [.unanswered(field)] : []
    }
  }

  /// The text of the issue, in the same format as from GitHub's own form: without ids, descriptions and the Markdown
  /// between the questions. GitHub doesn't document the format; it was derived from existing issues.
  public var body: String {
    form.fields.map { field in
      "### \(field.label.lines.joined(separator: " ").trimmed)\n\n\(text(of: field))"
    }
    .joined(separator: "\n\n")
  }

  /// The text below a question's label.
  package func text(of field: FormField) -> String {
    let answer = self[field.id]
    switch field.kind {
    case .checkboxes(let boxes):
      return boxes.map { "- [\(answer.contains($0.label) ? "x" : " ")] \($0.label)" }
        .joined(separator: "\n")
    case .textarea(_, _, let language?): return Self.block(answer.first ?? "", in: language)
    case .dropdown: return answer.isEmpty ? Self.noResponse : answer.joined(separator: ", ")
    // A video is shown only if its address is a paragraph.
    case .upload where !answer.isEmpty: return answer.joined(separator: "\n\n")
    case .input, .textarea, .upload: return answer.first ?? Self.noResponse
    }
  }

  /// The text in place of a missing answer.
  public static let noResponse = "_No response_"

  /// A code block whose fence is longer than any fence in the text:
  /// <https://spec.commonmark.org/0.31.2/#fenced-code-blocks>.
  private static func block(_ text: String, in language: String) -> String {
    let longest = text.lines.map { line in
      line.drop { $0 == " " || $0 == "\t" }.prefix { $0 == "`" }.count
    }
    .max()
    let fence = String(repeating: "`", count: max(3, (longest ?? 0) + 1))
    return "\(fence)\(language)\n\(text)\n\(fence)"
  }
}

/// A problem with an answer to a form. It contains text from the form, so neutralize it before you show it on a
/// terminal.
public enum FormProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The form doesn't have a question with this id, but has the known ones.
  case unknownField(String, known: [String])
  /// The question doesn't have this option.
  case unknownOption(String, FormField)
  /// The question accepts only one answer.
  case tooManyValues(FormField)
  /// The question requires an answer.
  case unanswered(FormField)
  /// The box with this label must be checked.
  case unticked(String, FormField)

  /// The problem and the valid choices.
  public var description: String {
    switch self {
    case .unknownField(let id, let known):
      "the form has no field “\(id)”; it has \(known.joined(separator: ", "))"
    case .unknownOption(let text, let field):
      "“\(field.id)” has no option “\(text)”; it has \((field.options ?? []).joined(separator: ", "))"
    case .tooManyValues(let field): "“\(field.id)” accepts one answer"
    case .unanswered(let field): "“\(field.id)” requires an answer (\(field.label))"
    case .unticked(let label, let field): "“\(field.id)” requires a tick at “\(label)”"
    }
  }
}
