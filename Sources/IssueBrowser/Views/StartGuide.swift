internal import IssueTracker
internal import StyledText
internal import TerminalScreen

/// What the program is and how to begin: below the rows of the start screen, and in place of an empty list.
struct StartGuide {
  private static let examples = [
    ("apple/swift", "its open issues"), ("apple/swift#12", "one issue"),
    ("http client", "finds repositories"),
  ]
  private static let exampleWidth = 16

  let state: BrowserState
  let look: Look

  /// The lines for an area. The most important ones come first, because the last ones may be cut off.
  func lines(width: Int, height: Int) -> [StyledLine] {
    let groups = [about, examples, keys].map { lines in lines.flatMap { $0.wrapped(to: width) } }
    let spaced = Array(groups.joined(separator: [StyledLine()]))
    return spaced.count <= height ? spaced : groups.flatMap(\.self)
  }

  private var page: StartPage? { state.startPage }

  private var about: [StyledLine] {
    let name = ["issues", page?.version ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    let about = StyledLine("\(name) finds, reads and changes GitHub issues.")
    return [about, account].compactMap(\.self)
  }

  private var account: StyledLine? {
    if state.isOffline {
      return StyledLine("Offline: only mirrored repositories are shown.", style: look[.muted])
    }
    return switch page?.account {
    case nil: nil
    case .token(let source?): StyledLine("Signed in with \(source).", style: look[.muted])
    case .token(nil): StyledLine("Signed in.", style: look[.muted])
    case .missing(let variable):
      StyledLine("Not signed in: run 'gh auth login', or set \(variable).", style: look[.warning])
    }
  }

  private var examples: [StyledLine] {
    let key = state.pane == .search ? "Type" : "Press \(state.keyMap.shown("/")) and type"
    return [StyledLine("\(key) a name or words, such as")]
      + Self.examples.map { text, meaning in
        let gap = String(repeating: " ", count: max(1, Self.exampleWidth - text.count))
        return look.symbols.isPlain
          ? StyledLine("\(text), \(meaning)")
          : StyledLine(runs: [
            StyledLine.Run("  \(text)", style: look[.key]),
            StyledLine.Run("\(gap)\(meaning)", style: look[.muted]),
          ])
      }
  }

  private var keys: [StyledLine] {
    let (help, actions) = (state.keyMap.shown("?"), state.keyMap.shown("Ctrl-P"))
    var lines = [
      StyledLine("F1 (in a list also \(help)) shows all keys, \(actions) all actions.")
    ]
    let hasMirror = page?.rows.contains { $0.title == "mirrors" } ?? true
    if !hasMirror {
      lines.append(
        StyledLine("No mirror yet: 'issues sync OWNER/REPO' makes one.", style: look[.muted]))
    }
    return lines
  }
}
