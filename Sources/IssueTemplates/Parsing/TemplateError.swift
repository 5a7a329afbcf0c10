/// A problem that keeps a file from being used as a template, and its place.
///
/// The rules for forms are GitHub's
/// (<https://docs.github.com/en/communities/using-templates-to-encourage-useful-issues-and-pull-requests/common-validation-errors-when-creating-issue-forms>).
/// The text may repeat words of the file: neutralize it before a terminal shows it.
public struct TemplateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the file.
  public var file: String
  /// The line, from 1; nil for the whole file.
  public var line: Int?
  /// The reason, such as `body[2]: the key “label” is missing`.
  public var problem: String

  /// Makes an error.
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
