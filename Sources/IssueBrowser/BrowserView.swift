package import Reactive
package import TerminalScreen

/// Shows a ``BrowserReactor`` on a screen, and sends it the screen's events.
///
/// It paints only the newest state: holding a key down queues no frames.
@MainActor
package final class BrowserView: ReactorView {
  package let bindings = ReactorBindings<BrowserReactor>()
  private let screen: any Screen
  private var painted: BrowserState?
  private var painting: Task<Void, Never>?
  private var suspensions = 0
  private var repaints = 0
  private var copies = 0
  private let leaving: AsyncStream<Never>
  private let leave: AsyncStream<Never>.Continuation

  package init(screen: any Screen) {
    self.screen = screen
    (leaving, leave) = AsyncStream.makeStream()
  }

  /// Shows the browser until the user quits, the events end, or the task is canceled. Call it only once.
  package func run(_ reactor: BrowserReactor) async {
    self.reactor = reactor
    reactor.send(.start)
    let (events, leaving) = (screen.events, leaving)
    await withTaskGroup { group in
      group.addTask {
        let queue = InputQueue()
        async let filling: Void = queue.fill(from: events)
        while let event = await queue.next(in: { reactor.currentState }), !Task.isCancelled {
          await reactor.send(.input(event)).applied
        }
        await filling
      }
      group.addTask {
        for await _ in leaving {}
      }
      await group.next()
      group.cancelAll()
    }
    self.reactor = nil
    painting?.cancel()
    painting = nil
  }

  package func bind(reactor: BrowserReactor) {
    show(reactor.state) { view, state in view.take(state) }
  }

  private func take(_ state: BrowserState) {
    if state.isFinished { return leave.finish() }
    // Painting happens in a later turn, so that states that already wait are processed first.
    guard painting == nil else { return }
    painting = Task { [weak self] in
      if !Task.isCancelled { self?.paint() }
    }
  }

  /// Paints the newest state. Comparing states is cheap, because shared storage compares equal at once.
  private func paint() {
    painting = nil
    guard let state = reactor?.currentState, state != painted else { return }
    painted = state
    screen.show(BrowserScreen.canvas(of: state))
    if state.repaints != repaints {
      repaints = state.repaints
      screen.repaint()
    }
    if state.copying.count != copies {
      copies = state.copying.count
      reactor?.send(.event(.copied(screen.copy(state.copying.text))))
    }
    if state.suspensions != suspensions {
      suspensions = state.suspensions
      screen.suspend()
    }
  }
}
