internal import IssueTracker

/// The user's own commands.
extension BrowserState {
  /// Opens the list of the user's commands.
  mutating func chooseCommand() {
    guard !customCommands.isEmpty else {
      message = "The configuration has no commands: 'issues help config' shows how to add one."
      return
    }
    acting.revision += 1
    acting.notice = nil
    acting.dialog = .picker(
      Picker(
        .command, "Run", action: "run",
        items: customCommands.map { command in
          Picker.Item(
            id: command.name, text: command.title,
            detail: command.key.map(KeyMap.name) ?? "")
        }))
  }

  /// Runs a command for the selected issue or repository, unless a value is missing.
  mutating func run(_ command: CustomCommand) {
    acting.dialog = nil
    let page = selectedPage
    do throws(CustomCommand.Problem) {
      _ = try command.words(filling: command.knownValues(of: page))
    } catch {
      message = error.description
      return
    }
    acting.notice = nil
    acting.isComposing = true
    acting.running = command.title
    acting.due.append(.run(command, page))
  }
}
