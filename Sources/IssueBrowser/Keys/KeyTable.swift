internal import IssueTracker
internal import TerminalScreen

/// The keys of the list and the reader, in the order of the help. If a key has several meanings, the first one that
/// applies in the current state is used.
package enum KeyTable {
  static let rows: [KeyBinding.Row] = moving + places + acting + leaving

  static let bindings = rows.flatMap(\.bindings)

  /// The lines of the help.
  package static var lines: [String] {
    let width = rows.map(\.keys.count).max() ?? 0
    return rows.map { row in
      row.keys + String(repeating: " ", count: width - row.keys.count + 2) + row.meaning
    }
  }

  /// The command for a default key; nil if the key has no meaning.
  static func command(for key: InputEvent.Key, in state: BrowserState) -> BrowserCommand? {
    bindings.lazy.filter { $0.scope.contains(state.pane) && $0.keys.contains(key) }
      .compactMap { $0.meaning(state) }.first
  }

  /// The command for a key with the same meaning in every pane; nil for other keys.
  static func commandEverywhere(for event: InputEvent, in state: BrowserState) -> BrowserCommand? {
    guard case .key(let key) = event else { return nil }
    return bindings.first { $0.scope == .everywhere && $0.keys.contains(key) }?.meaning(state)
  }

  /// The digit that begins or continues a count. The digit of a view opens it, so a count that begins with it is typed
  /// after `:`. Nothing waits for a second key, so that a view opens at once.
  static func countDigit(_ key: InputEvent.Key, in state: BrowserState) -> Int? {
    guard case .character(let character) = key, character.isASCII,
      let digit = character.wholeNumberValue
    else { return nil }
    return state.count != nil || digit > state.views.all.count ? digit : nil
  }

  /// The reason that a key of the list or the reader has no effect; nil while something else takes the keys, and for
  /// keys that the user may press without expecting anything.
  static func reason(for event: InputEvent, in state: BrowserState) -> String? {
    guard case .key(let key) = event, key != .escape, state.isAtRest, state.isUncovered,
      state.hints == nil, !state.isFinding,
      state.filter.orders == nil, state.acting.dialog == nil, !state.acting.isComposing
    else { return nil }
    let bound = state.keyMap.usual(key, in: state.pane).map { usual in
      bindings.filter { $0.keys.contains(usual) }
    }
    guard let bindings = bound, let title = bindings.lazy.compactMap(\.title).first else {
      guard case .character(let character) = key else { return nil }
      return "No action has the key “\(character)”: \(state.keyMap.shown("?")) shows all keys"
    }
    let place =
      if !bindings.contains(where: { $0.scope.contains(state.pane) }) {
        state.pane == .reader ? "Only in a list" : "Only while reading"
      } else if ["done", "mark-read", "mute", "unsubscribe"].contains(bindings.first?.name) {
        "Only in your inbox"
      } else if state.sheet == nil {
        "Only in a list of issues"
      } else {
        "Not possible here"
      }
    return "\(place): \(title)"
  }

  private static let moving: [KeyBinding.Row] = [
    KeyBinding.Row(
      "go to the search bar; while reading, find text", keys: "/", brief: "/ search",
      KeyBinding("search", "/", in: .list, title: "go to the search bar") { _ in .focus(.search)
      },
      KeyBinding("search", "/", in: .reader, title: "find text on this page") { _ in .openFind
      }),
    KeyBinding.Row(
      "move one row or line", keys: "Up Down, k j", brief: "k j move",
      KeyBinding("next", "j Down", motion(.down)),
      KeyBinding("previous", "k Up", motion(.up))),
    KeyBinding.Row(
      "move one page", keys: "PgUp PgDn, ^B ^F", brief: "PgUp PgDn page",
      KeyBinding("page-down", "^F PgDn", motion(.pageDown)),
      KeyBinding("page-up", "^B PgUp", motion(.pageUp))),
    KeyBinding.Row(
      "move half a page", brief: "^U ^D half",
      KeyBinding("half-page-up", "Ctrl-U", motion(.halfPageUp)),
      KeyBinding("half-page-down", "Ctrl-D", motion(.halfPageDown))),
    KeyBinding.Row(
      "go to the first or last", keys: "Home End, g G", brief: "g G ends",
      KeyBinding("first", "g Home", title: "go to the beginning", motion(.first)),
      KeyBinding("last", "G End", title: "go to the end", motion(.last))),
    KeyBinding.Row(
      "go to row 10; move 5 rows; :10G with views", keys: "10G, 5j", brief: "10G row"),
    KeyBinding.Row(
      "read the issue; list the repository's issues", keys: "Enter, l", brief: "Enter read",
      KeyBinding("enter", "Enter l", in: .list, title: "open the row") {
        $0.rowCount == 0 ? nil : .enter
      }),
  ]

  private static let places: [KeyBinding.Row] = [
    KeyBinding.Row(
      "go to an issue by its number", brief: "# number",
      KeyBinding("number", "#") { $0.sheet == nil ? nil : .beginCommand("#") }),
    KeyBinding.Row(
      "next or previous issue, while reading", brief: "J K next",
      KeyBinding("next-issue", "J", in: .reader, title: "read the next issue") {
        .readOther($0.count ?? 1)
      },
      KeyBinding("previous-issue", "K", in: .reader, title: "read the previous issue") {
        .readOther(-($0.count ?? 1))
      }),
    KeyBinding.Row(
      "previous or next comment, while reading", brief: "{ } comment",
      KeyBinding("previous-comment", "{", in: .reader, title: "go to the previous comment") {
        .goToComment(-($0.count ?? 1))
      },
      KeyBinding("next-comment", "}", in: .reader, title: "go to the next comment") {
        .goToComment($0.count ?? 1)
      }),
    KeyBinding.Row(
      "next or previous match of found text", brief: "n N match",
      KeyBinding("next-match", "n", in: .reader, title: "go to the next match", match(1)),
      KeyBinding(
        "previous-match", "N", in: .reader, title: "go to the previous match", match(-1))),
    KeyBinding.Row(
      "back and forward, as in a web browser", brief: "[ ] history",
      KeyBinding("older-place", "[", title: "go back to where you were") { _ in .travel(-1) },
      KeyBinding("newer-place", "]", title: "go forward again") { _ in .travel(1) }),
    KeyBinding.Row(
      "preview of the selected issue on or off", brief: "p preview",
      KeyBinding("preview", "p") { $0.sheet == nil ? nil : .togglePreview }),
    KeyBinding.Row(
      "open a view; the start screen; your inbox", keys: "1-9, 0, i", brief: "1-9 views",
      KeyBinding("start", "0", title: "show the start screen") {
        $0.views.hasStart ? .showStart : nil
      },
      KeyBinding("inbox", "i", title: "show your inbox") { _ in .openInbox },
      more: views),
    KeyBinding.Row(
      "next pane; complete what you type", keys: "Tab", brief: "Tab pane",
      KeyBinding(nil, "Tab", title: "next pane; complete what you type") {
        .focus($0.pane(after: 1))
      },
      KeyBinding(nil, "Shift-Tab") { .focus($0.pane(after: -1)) }),
    KeyBinding.Row(
      "open in the web browser", brief: "o open",
      KeyBinding("open", "o") { $0.selectedPage == nil ? nil : .openPage }),
    KeyBinding.Row(
      "filter: words, is:closed, label:bug; Tab completes", brief: "f filter",
      KeyBinding("filter", "f", in: .list) { $0.filteredQuery == nil ? nil : .openFilter }),
    KeyBinding.Row(
      "open a link, while reading", keys: "f, then a number", brief: "f link",
      KeyBinding("links", "f", in: .reader, title: "open a link in sight") { _ in .openHints }),
    KeyBinding.Row(
      "copy the number, the description, a code block", keys: "y, yb, yc", brief: "y copy",
      KeyBinding("copy", "y", title: "copy the issue's number") {
        $0.selectedPage?.issueNumber == nil ? nil : .copy(.number)
      },
      KeyBinding(nil, "b") { $0.copying.expectsMore ? .copy(.body) : nil },
      KeyBinding(nil, "c") { $0.copying.expectsMore ? .copy(.codeInSight) : nil }),
    KeyBinding.Row(
      "copy the address of the page", brief: nil,
      KeyBinding("copy-address", "Y") { $0.selectedPage == nil ? nil : .copy(.address) }),
    KeyBinding.Row(
      "choose the order", brief: "s sort",
      KeyBinding("sort", "s", in: .list) { $0.filteredQuery == nil ? nil : .sort }),
    KeyBinding.Row("reload", brief: "r reload", KeyBinding("reload", "r") { _ in .refresh }),
    KeyBinding.Row(
      "show the request that failed", brief: nil,
      KeyBinding("request", "v") { $0.list.request == nil ? nil : .showRequest }),
    KeyBinding.Row(
      "all actions, to choose one by typing", brief: "^P actions",
      KeyBinding("palette", "Ctrl-P") { _ in .openPalette }),
  ]

  private static let acting: [KeyBinding.Row] = [
    KeyBinding.Row(
      "close with a reason; reopen", brief: "x close",
      KeyBinding("close", "x", title: "close with a reason", inSheet(.close)),
      KeyBinding("reopen", "X", title: "reopen", inSheet(.reopen))),
    KeyBinding.Row(
      "comment; edit the title and the text", brief: "c comment",
      KeyBinding("comment", "c", title: "comment", inSheet(.comment)),
      KeyBinding("edit", "e", title: "edit the title and the text", inSheet(.edit))),
    KeyBinding.Row(
      "new issue, in the list", brief: "n new",
      KeyBinding("new-issue", "n", in: .list, inSheet(.newIssue))),
    KeyBinding.Row(
      "labels, assignees, milestone", brief: "L labels",
      KeyBinding("labels", "L", title: "change the labels", inSheet(.labels)),
      KeyBinding("assignees", "a", title: "change the assignees", inSheet(.assignees)),
      KeyBinding("milestone", "m", title: "change the milestone", inSheet(.milestone))),
    KeyBinding.Row(
      "react with an emoji", brief: "+ react", KeyBinding("react", "+", inSheet(.react))),
    KeyBinding.Row(
      "in the inbox: done, mark as read", brief: "d done",
      KeyBinding("done", "d", in: .list, title: "mark as done", inInbox(.done)),
      KeyBinding("mark-read", "I", in: .list, title: "mark as read", inInbox(.read))),
    KeyBinding.Row(
      "in the inbox: mute, unsubscribe", brief: "M mute",
      KeyBinding("mute", "M", in: .list, title: "mute the notifications", inInbox(.mute)),
      KeyBinding(
        "unsubscribe", "U", in: .list, title: "unsubscribe from the notifications",
        inInbox(.unsubscribe))),
    KeyBinding.Row(
      "undo the newest change before it is sent", brief: "u undo",
      KeyBinding("undo", "u") { _ in .act(.undo) }),
    KeyBinding.Row(
      "the outbox: unsent changes", brief: "O outbox",
      KeyBinding("outbox", "O") { _ in .act(.outbox) }),
    KeyBinding.Row(
      "run one of your own commands", brief: "! run",
      KeyBinding("commands", "!") { _ in .act(.commands) }),
    KeyBinding.Row(
      "select a row, a range, all", keys: "Space V *", brief: "Space select",
      KeyBinding("select", "Space", in: .list, inSelectable(.toggleRow)),
      KeyBinding(
        "select-range", "V", in: .list, title: "select rows from here on", inSelectable(.range)),
      KeyBinding("select-all", "*", in: .list, title: "select all rows", inSelectable(.selectAll)),
      // In lists whose rows can't be selected, Space scrolls.
      KeyBinding(nil, "Space", motion(.pageDown))),
  ]

  private static let leaving: [KeyBinding.Row] = [
    KeyBinding.Row(
      "show these keys", brief: "? help",
      KeyBinding("help", "?", title: "show these keys") { _ in .showHelp },
      KeyBinding(nil, "F1", in: .everywhere) { $0.help == nil ? .showHelp : .hideHelp }),
    KeyBinding.Row(
      "one step back: text, message, selection, filter", brief: nil,
      KeyBinding(nil, "Esc", title: "one step back") { state in
        // Every key drops these.
        if state.count != nil || state.message != nil { return nil }
        if state.pane == .reader { return state.reader?.find == nil ? .closeReader : .dropFind }
        if state.list.goesToEnd { return .stopLoading }
        if state.chosen != nil { return .act(.endSelection) }
        return !state.isReadingAlone && state.leadsToOtherFilter
          ? .dropFilter : back(in: state)
      }),
    KeyBinding.Row(
      "back; in the first list, quit", keys: "q, h", brief: "q Esc back",
      KeyBinding("back", "q", title: "back; in the first list, quit") { state in
        state.pane == .reader ? .closeReader : back(in: state) ?? .quit
      },
      KeyBinding("leave", "h") { state in
        if state.pane == .reader || state.isReadingAlone { return .closeReader }
        return state.list.found == nil ? nil : .goBack
      }),
    KeyBinding.Row(
      "quit", keys: "Ctrl-C, :q", brief: "^C quit",
      KeyBinding(nil, "Ctrl-C", in: .everywhere, title: "quit") { _ in .quit },
      KeyBinding("command", ":", title: "type a number, or q to quit") { _ in
        .beginCommand(":")
      }),
    KeyBinding.Row(
      "suspend; fg resumes", brief: "^Z suspend",
      KeyBinding(nil, "Ctrl-Z", in: .everywhere) { _ in .suspend }),
    KeyBinding.Row(
      "redraw", brief: "^L draw", KeyBinding(nil, "Ctrl-L", in: .everywhere) { _ in .repaint }),
    KeyBinding.Row(
      "wheel scrolls, click selects, double-click reads", keys: "Mouse", brief: nil),
  ]

  private static let views = (1...9).map { number in
    KeyBinding("view-\(number)", "\(number)") { _ in .openView(number) }
  }

  // MARK: Meanings

  private static func motion(_ motion: BrowserCommand.Motion) -> KeyBinding.Meaning {
    { $0.pane == .reader ? .moveReader(motion) : .move(motion) }
  }

  private static func match(_ step: Int) -> KeyBinding.Meaning {
    { $0.reader?.find == nil ? nil : .goToMatch(step * ($0.count ?? 1)) }
  }

  /// A command that applies only to a list of issues.
  private static func inSheet(_ command: ActingCommand) -> KeyBinding.Meaning {
    { $0.sheet == nil ? nil : .act(command) }
  }

  /// A command that applies only to a list whose rows can be selected.
  private static func inSelectable(_ command: ActingCommand) -> KeyBinding.Meaning {
    { $0.list.selectableQuery == nil ? nil : .act(command) }
  }

  private static func inInbox(_ action: GitHub.NotificationAction) -> KeyBinding.Meaning {
    { $0.list.selectableQuery == .inbox ? .act(.inbox(action)) : nil }
  }

  /// The command that closes the reader, or leads back to the found repositories or to the views; nil in the first
  /// list.
  static func back(in state: BrowserState) -> BrowserCommand? {
    if state.isReadingAlone { return .closeReader }
    if state.list.found != nil { return .goBack }
    return state.leadsToViews ? .leaveToViews : nil
  }
}
