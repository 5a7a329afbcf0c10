internal import TerminalScreen

package enum ActingCommand: Sendable, Hashable {
  case close
  case reopen
  case undo
  case closeNotice
  case picker(PickerCommand)
}

package enum PickerCommand: Sendable, Hashable {
  case move(Int)
  case edit(TextField.Edit)
  case toggle
  case take
  case leave
}

/// The keys of ``ActingCommand``.
enum ActingKeys {
  /// While a question has the keys.
  static func command(
    for event: InputEvent, in dialog: ActingState.Dialog
  ) -> ActingCommand? {
    switch dialog {
    case .picker(let picker): command(for: event, in: picker).map { .picker($0) }
    }
  }

  /// In the list and the reader.
  static func command(for key: InputEvent.Key) -> BrowserCommand? {
    switch key {
    case .character("x"): .act(.close)
    case .character("X"): .act(.reopen)
    case .character("u"): .act(.undo)
    default: nil
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
