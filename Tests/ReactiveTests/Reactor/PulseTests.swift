import Reactive
import TestSupport
import Testing

@Suite("Pulse", .timeLimit(.minutes(5)))
struct PulseTests {
  /// Shows alerts, counts, and can begin anew.
  private final class AlertReactor: Reactor {
    enum Action: Sendable {
      case alert(String?)
      case count
      case reset(alert: String?)
    }

    struct State: Equatable {
      @Pulse var alert: String?
      var count = 0
    }

    let initialState = State()
    let engine = Engine()

    func reduce(_ state: inout State, _ mutation: Action) {
      switch mutation {
      case .alert(let alert): state.alert = alert
      case .count: state.count += 1
      case .reset(let alert):
        state = initialState
        state.alert = alert
      }
    }
  }

  private func alerts(of actions: [AlertReactor.Action]) async throws -> [String?] {
    var reactor: AlertReactor? = AlertReactor()
    let pulses = try Reader(#require(reactor?.pulse(\.$alert)))
    // Looked at before the first action, so that none of the pulses can be missed.
    var alerts = try [#require(await pulses.next())]
    for action in actions { await reactor?.send(action).applied }
    reactor = nil
    while let alert = await pulses.next() { alerts.append(alert) }
    return alerts
  }

  @Test("a pulse emits the current value and then every assignment, even of an equal value")
  func assignments() async throws {
    #expect(
      try await alerts(of: [.alert("a"), .alert("a"), .alert(nil), .alert(nil)]) == [
        nil, "a", "a", nil, nil,
      ])
  }

  @Test("a pulse doesn't emit for other changes of the state")
  func otherChanges() async throws {
    #expect(try await alerts(of: [.count, .alert("a"), .count, .count]) == [nil, "a"])
  }

  @Test("a pulse emits for an assignment even if the state is replaced")
  func madeAnew() async throws {
    #expect(try await alerts(of: [.reset(alert: "a"), .reset(alert: "a")]) == [nil, "a", "a"])
  }

  @Test("a late watcher of a pulse gets the last value")
  func lateWatcher() async {
    let reactor = AlertReactor()
    await reactor.send(.alert("a")).applied
    let pulses = Reader(reactor.pulse(\.$alert))
    #expect(await pulses.next() == "a")
  }

  @Test("two pulses are equal if they hold the same assignment of an equal value")
  func equality() {
    var state = AlertReactor.State()
    #expect(state == AlertReactor.State())
    #expect(state != AlertReactor.State(alert: "a"))
    let before = state
    state.alert = nil
    #expect(state.alert == before.alert)
    #expect(state != before)
    let copy = state
    #expect(state == copy)
  }

  @Test("a mutation in place counts as one assignment")
  func inPlace() {
    struct State { @Pulse var list = [1] }
    var state = State()
    let before = state.$list
    state.list.append(2)
    #expect(state.list == [1, 2])
    #expect(state.$list != before)
  }
}
