internal import IssueTracker
package import TerminalScreen

/// A command that the user's configuration defines for the screen.
///
/// Its words are the arguments of a program that is started without a shell, so that text from a server can't become
/// code. A value can't become an option either, because a value that begins with a hyphen is refused.
package struct CustomCommand: Sendable, Hashable {
  /// A part of a word that is replaced: `{number}`.
  package enum Placeholder: String, CaseIterable, Sendable {
    case number
    case repository
    case url
    /// The branch that is linked to the issue.
    case branch
  }

  package struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String
  }

  package let name: String
  package let key: InputEvent.Key?
  /// The program and its arguments.
  package let words: [String]
  package let title: String

  package init(
    _ name: String, key: InputEvent.Key? = nil, words: [String], title: String? = nil
  ) {
    (self.name, self.key, self.words) = (name, key, words)
    self.title = title ?? words.joined(separator: " ")
  }

  /// The names in braces that could be placeholders, in order.
  package static func names(in word: String) -> [String] {
    word.matches(of: /\{([a-z]+)\}/).map { String($0.output.1) }
  }

  package var placeholders: Set<Placeholder> {
    Set(words.flatMap(Self.names).compactMap(Placeholder.init))
  }

  /// The words with values in place of the placeholders. A value is never searched for placeholders.
  ///
  /// - Throws: ``Problem`` for a missing value, and for one that a program could take for an option.
  package func words(
    filling values: [Placeholder: String]
  ) throws(Problem) -> [String] {
    for placeholder in Placeholder.allCases where placeholders.contains(placeholder) {
      guard let value = values[placeholder], !value.isEmpty else {
        throw Problem(description: "“\(title)” isn't run: \(placeholder.absence)")
      }
      guard value.first != "-", !value.unicodeScalars.contains("\0") else {
        throw Problem(
          description: "“\(title)” isn't run: the \(placeholder) begins with a hyphen: \(value)")
      }
    }
    return words.map { word in
      word.replacing(/\{([a-z]+)\}/) { match in
        Placeholder(rawValue: String(match.output.1)).flatMap { values[$0] }
          ?? String(match.output.0)
      }
    }
  }

  /// The values that the screen knows about a page.
  func knownValues(of page: RepositoryReference?) -> [Placeholder: String] {
    guard let page else { return [:] }
    let number = page.issueNumber.map(String.init)
    // The address is made, and the branch is looked up, when the command runs.
    return [.repository: "\(page.name)", .url: "known", .number: number, .branch: number]
      .compactMapValues(\.self)
  }
}

extension CustomCommand.Placeholder {
  fileprivate var absence: String {
    switch self {
    case .number: "no issue is selected"
    case .repository, .url: "no repository is selected"
    case .branch: "the issue has no linked branch, which 'issues develop' creates"
    }
  }
}
