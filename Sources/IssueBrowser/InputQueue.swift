internal import ConcurrencyPrimitives
package import TerminalScreen

/// The events that wait for the browser. Handling a character can start and cancel requests, so the characters that
/// wait for a text field are handled in one step: a terminal without bracketed paste sends a paste as keys.
package struct InputQueue: Sendable {
  private struct Waiting: Sendable {
    var events: ArraySlice<InputEvent> = []
    var isFinished = false
  }

  /// The number of waiting events that no user types ahead.
  private static let flood = 256

  private let waiting = Watched(Waiting())

  package init() {}

  /// Adds the events until they end. Ctrl-C doesn't wait for a flood to be handled.
  package func fill(from events: AsyncStream<InputEvent>) async {
    for await event in events {
      waiting.update { waiting in
        let isUrgent = event == .key(.interrupt) && waiting.events.count > Self.flood
        let dropped = isUrgent ? waiting.events : []
        if isUrgent { waiting.events = [] }
        waiting.events.append(event)
        return dropped
      }
    }
    waiting.update { $0.isFinished = true }
  }

  /// The next event; nil at the end. If the state has a text field for them, characters that follow each other are
  /// returned as one paste.
  package func next(in state: @Sendable () -> BrowserState) async -> InputEvent? {
    await waiting.wait { !$0.events.isEmpty || $0.isFinished }
    let takesText = state().takesText
    return waiting.update { waiting in
      guard let first = waiting.events.popFirst() else { return nil }
      guard takesText, var text = Self.character(first).map(String.init),
        waiting.events.first.flatMap(Self.character) != nil
      else { return first }
      while let next = waiting.events.first.flatMap(Self.character) {
        text.append(next)
        waiting.events.removeFirst()
      }
      return .paste(text)
    }
  }

  private static func character(_ event: InputEvent) -> Character? {
    if case .key(.character(let character)) = event { character } else { nil }
  }
}

extension BrowserState {
  /// Whether a character is inserted into a text field, like pasted text.
  var takesText: Bool {
    guard !acting.isComposing, acting.dialog == nil, isUncovered, hints == nil,
      filter.orders == nil
    else { return false }
    // After a number, the key of a motion isn't text.
    return filter.field != nil || isFinding || pane == .search && search.text.first != ":"
  }
}
