package import IssueOutbox
internal import TerminalScreen

package enum ActingCommand: Sendable, Hashable {
  case close
  case reopen
  case labels
  case assignees
  case milestone
  case react
  case comment
  /// Writes a comment that begins with a file that was dropped on the terminal.
  case attach(PastedPath)
  case newIssue
  case edit
  /// Acts on notifications, in the inbox.
  case inbox(GitHub.NotificationAction)
  case undo
  case closeNotice
  /// Selects or deselects a row, and moves down.
  case toggleRow
  /// Begins a range that extends to the cursor. A second time, it ends the range.
  case range
  /// Selects the loaded rows. A second time, it also selects the rows that aren't loaded.
  case selectAll
  case endSelection
  case outbox
  case outboxPage(OutboxPageCommand)
  case confirm
  case leave
  case picker(PickerCommand)
  /// Shows the user's own commands.
  case commands
  case run(CustomCommand)
}

package enum PickerCommand: Sendable, Hashable {
  case move(Int)
  case edit(TextField.Edit)
  case toggle
  case take
  case leave
}

/// The keys of questions.
enum ActingKeys {
  static func command(
    for event: InputEvent, in dialog: ActingState.Dialog
  ) -> ActingCommand? {
    switch dialog {
    case .picker(let picker): return command(for: event, in: picker).map { .picker($0) }
    case .outbox(let page): return OutboxPage.command(for: event, in: page).map { .outboxPage($0) }
    case .preview:
      switch event {
      case .key(.enter), .key(.character("y")): return .confirm
      case .key(.escape), .key(.character("q")), .key(.character("n")): return .leave
      default: return nil
      }
    }
  }

  private static func command(for event: InputEvent, in picker: Picker) -> PickerCommand? {
    switch event {
    case .paste(let text): .edit(.insert(text))
    case .key(.enter): .take
    case .key(.escape): .leave
    case .key(.up), .key(.control("p")), .key(.backTab): .move(-1)
    case .key(.down), .key(.control("n")), .key(.tab): .move(1)
    case .key(.pageUp): .move(-Picker.maximumRows)
    case .key(.pageDown): .move(Picker.maximumRows)
    case .key(.character(" ")) where picker.isMultiple: .toggle
    case .key(let key): BrowserKeys.edit(key).map { .edit($0) }
    default: nil
    }
  }
}
