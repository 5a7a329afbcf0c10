import Observation
import Reactive
import TestSupport
import Testing

@Suite("Observed", .timeLimit(.minutes(5)))
@MainActor
struct ObservedTests {
  @Test("an observed sequence shows its newest element and notifies observers of the property")
  func mirrors() async {
    let current = Current(1)
    let observed = Observed(current.values, initially: 0)
    #expect(observed.value == 0)
    while observed.value != 1 { await Task.yield() }
    let changed = Gate()
    withObservationTracking {
      _ = observed.value
    } onChange: {
      changed.open()
    }
    current.set(2)
    current.set(3)
    await changed.wait()
    while observed.value != 3 { await Task.yield() }
  }

  @Test("releasing the object ends the reading")
  func released() async {
    let current = Current(1)
    var observed: Observed? = Observed(current.values, initially: 0)
    while observed?.value != 1 { await Task.yield() }
    observed = nil
    while current.watcherCount > 0 { await Task.yield() }
  }
}
