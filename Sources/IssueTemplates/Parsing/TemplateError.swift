/// A problem that prevents the use of a file as a template, and its location.
///
/// The rules for forms are GitHub's
/// (<https://docs.github.com/en/communities/using-templates-to-encourage-useful-issues-and-pull-requests/common-validation-errors-when-creating-issue-forms>).
/// The text may contain parts of the file, so neutralize it before you show it on a terminal.
public struct TemplateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the file.
  public var file: String
  /// The line, starting at 1; nil for the whole file.
  public var line: Int?
  /// The reason, such as `body[2]: the key “label” is missing`.
  public var problem: String

  /// Creates an error.
  public init(file: String, line: Int? = nil, problem: String) {
    self.file = file
    self.line = line
    self.problem = problem
  }

  /// `bug.yml:12: body[2]: the key “label” is missing`.
  public var description: String {
    "\(file)\(line.map { ":\($0)" } ?? ""): \(problem)"
  }
}
