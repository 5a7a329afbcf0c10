internal import IssueTracker
internal import TerminalScreen

/// The text that the user asked to copy into the clipboard.
package struct Copying: Sendable, Hashable {
  package enum Subject: Sendable, Hashable {
    case number
    case address
    case body
    /// A visible code block.
    case codeInSight
    case code(String)
  }

  /// The number of copies so far. The screen copies the text when the number changes.
  package private(set) var count = 0
  package private(set) var text = ""
  /// The name for the message, such as `#42`, or a short text itself.
  private(set) var name = ""
  /// Whether `b` and `c` can follow `y`, to choose what to copy.
  var expectsMore = false

  mutating func copy(_ text: String, _ name: String) {
    (self.text, self.name) = (text, name)
    count += 1
  }
}

extension BrowserState {
  mutating func copy(_ subject: Copying.Subject) {
    let issue = pane == .reader ? reader?.issue : selectedIssue
    switch subject {
    case .number:
      guard let sheet, let issue, issue.number > 0 else { return }
      copying.copy(sheet.name(of: issue), sheet.name(of: issue))
      copying.expectsMore = true
    // Background work makes the URL.
    case .address: break
    case .body:
      guard let body = issue?.body, !body.isEmpty else {
        message = "There is no description to copy"
        return
      }
      copying.copy(body, "the description")
    case .codeInSight:
      let blocks = codeInSight
      guard let block = blocks.first else {
        message = "There is no code block in sight"
        return
      }
      if blocks.count == 1, case .code(let text) = block.target { return copy(.code(text)) }
      hints = Hints(blocks)
    case .code(let text): copying.copy(text, "the code block")
    }
  }

  mutating func noteCopy(_ outcome: CopyOutcome) {
    switch outcome {
    case .sent:
      message = "Copied \(copying.name.cutInside(to: size.columns - 7))"
      if copying.expectsMore { message?.append("; b copies the description, c a code block") }
    case .refusedByTmux:
      message = "Not copied: first run 'tmux set -s set-clipboard on'"
    case .unsupported:
      message = "This terminal can't copy \(copying.name.cutInside(to: size.columns - 25))"
    case .tooLong: message = "That is too long to copy through a terminal"
    }
  }
}

extension String {
  /// The beginning and the end of a long text. Both tell addresses apart.
  fileprivate func cutInside(to length: Int) -> String {
    guard count > length, length > 1 else { return self }
    return "\(prefix(length / 2))…\(suffix(length - 1 - length / 2))"
  }
}
