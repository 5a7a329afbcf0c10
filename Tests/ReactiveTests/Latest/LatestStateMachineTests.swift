import Testing

@testable import Reactive

/// Handles are names here: what the driver would cancel or resume is compared as text.
private typealias Machine = LatestStateMachine<String, String, String, String>

@Suite("The rules of the latest body")
struct LatestStateMachineTests {
  private var machine = Machine()

  /// Brings the machine to where body 1 runs and, if asked, the consumer waits.
  private mutating func startFirstBody(consumerWaits: Bool = false) {
    _ = machine.next()
    _ = machine.sourceStarted("source")
    if consumerWaits {
      _ = machine.consumerWaits("consumer")
    }
    _ = machine.sourceProduced()
    _ = machine.bodyStarted(1, "body 1")
  }

  @Test("the first demand starts the source, a second one waits")
  mutating func startsOnce() {
    #expect(machine.next().name == "start")
    #expect(machine.next().name == "wait")
    #expect(machine.consumerWaits("consumer") == nil)
  }

  @Test("a run that is cancelled before its first demand never starts")
  mutating func cancelledBeforeStart() {
    let ending = machine.cancelled()
    #expect(ending.works.isEmpty)
    #expect(machine.next().name == "finished")
  }

  @Test("a newer element cancels the running body and wakes nobody")
  mutating func supersedes() throws {
    startFirstBody(consumerWaits: true)
    let produced = machine.sourceProduced()
    let change = try #require(produced)
    #expect(change.body == 2)
    #expect(change.cancel == "body 1")
    #expect(change.discard.isEmpty)
    #expect(machine.bodyFinished(1) == nil)
  }

  @Test("an emission wakes the consumer, which then takes it and frees the emitter")
  mutating func delivers() throws {
    startFirstBody(consumerWaits: true)
    let (emission, consumer) = try #require(machine.emitted("a", by: 1).waiting)
    #expect(consumer == "consumer")
    #expect(machine.emitterWaits(emission, "emitter") == nil)
    #expect(machine.next().name == "take a, resume emitter")
    #expect(machine.next().name == "wait")
  }

  @Test("an emission that is taken before its emitter waits does not make it wait")
  mutating func takenEarly() throws {
    startFirstBody()
    let (emission, consumer) = try #require(machine.emitted("a", by: 1).waiting)
    #expect(consumer == nil)
    #expect(machine.next().name == "take a")
    #expect(machine.emitterWaits(emission, "emitter") == "emitter")
  }

  @Test("an emission that is ready but not taken is discarded by a newer element")
  mutating func discardsReadyEmission() throws {
    startFirstBody(consumerWaits: true)
    let (emission, consumer) = try #require(machine.emitted("a", by: 1).waiting)
    #expect(consumer == "consumer", "woken, but without the value")
    _ = machine.emitterWaits(emission, "emitter")
    let produced = machine.sourceProduced()
    let change = try #require(produced)
    #expect(change.discard.map(\.value) == ["a"])
    #expect(change.discard.map(\.emitter) == ["emitter"])
    #expect(machine.next().name == "wait")
  }

  @Test("a body emits in vain once it is superseded, has returned, or the run is over")
  mutating func discardsLateEmissions() throws {
    startFirstBody()
    _ = machine.sourceProduced()
    #expect(machine.emitted("superseded", by: 1).waiting == nil)
    _ = machine.bodyFinished(2)
    #expect(machine.emitted("returned", by: 2).waiting == nil)
    _ = machine.sourceProduced()
    _ = machine.cancelled()
    #expect(machine.emitted("over", by: 3).waiting == nil)
    #expect(machine.next().name == "finished")
  }

  @Test("emissions of one body keep their order")
  mutating func keepsOrder() {
    startFirstBody()
    for value in ["a", "b", "c"] {
      _ = machine.emitted(value, by: 1)
    }
    #expect((1...4).map { _ in machine.next().name } == ["take a", "take b", "take c", "wait"])
  }

  @Test("a withdrawn emission frees its emitter and is never taken")
  mutating func withdraws() throws {
    startFirstBody()
    let (first, _) = try #require(machine.emitted("a", by: 1).waiting)
    _ = machine.emitterWaits(first, "emitter")
    _ = machine.emitted("b", by: 1)
    #expect(machine.emissionCancelled(first)?.emitter == "emitter")
    #expect(machine.emissionCancelled(first) == nil)
    #expect(machine.emitterWaits(first, "emitter") == "emitter")
    #expect(machine.next().name == "take b")
  }

  @Test("the end waits for the source, then the body, then the last emission")
  mutating func endsInOrder() {
    startFirstBody()
    _ = machine.emitted("last", by: 1)
    #expect(machine.sourceFinished() == nil)
    #expect(machine.bodyFinished(1) == nil)
    #expect(machine.next().name == "take last")
    #expect(machine.next().name == "finished")
  }

  @Test("the end wakes the waiting consumer", arguments: [true, false])
  mutating func endWakes(sourceEndsFirst: Bool) {
    startFirstBody(consumerWaits: true)
    if sourceEndsFirst {
      #expect(machine.sourceFinished() == nil)
      #expect(machine.bodyFinished(1) == "consumer")
    } else {
      #expect(machine.bodyFinished(1) == nil)
      #expect(machine.sourceFinished() == "consumer")
    }
    #expect(machine.consumerWaits("again") == "again")
    #expect(machine.next().name == "finished")
  }

  @Test("withdrawing the last emission of a finished run ends it")
  mutating func withdrawingEnds() throws {
    startFirstBody(consumerWaits: true)
    let (emission, _) = try #require(machine.emitted("a", by: 1).waiting)
    _ = machine.sourceFinished()
    _ = machine.bodyFinished(1)
    #expect(machine.emissionCancelled(emission)?.value == "a")
    #expect(machine.consumerWaits("consumer") == "consumer")
    #expect(machine.next().name == "finished")
  }

  @Test("cancelling hands back all that runs and all who wait")
  mutating func cancels() throws {
    startFirstBody()
    let (emission, _) = try #require(machine.emitted("a", by: 1).waiting)
    _ = machine.emitterWaits(emission, "emitter")
    let ending = machine.cancelled()
    #expect(ending.works == ["source", "body 1"])
    #expect(ending.emissions.map(\.emitter) == ["emitter"])
    #expect(ending.consumer == nil)
    #expect(machine.cancelled().works.isEmpty)
    #expect(machine.sourceProduced() == nil)
  }

  @Test("cancelling resumes a consumer that waits")
  mutating func cancelResumesConsumer() {
    startFirstBody(consumerWaits: true)
    #expect(machine.cancelled().consumer == "consumer")
  }

  @Test("work that was started too late is handed back to be cancelled")
  mutating func lateWork() {
    _ = machine.next()
    _ = machine.sourceProduced()
    _ = machine.sourceProduced()
    #expect(machine.bodyStarted(1, "body 1") == "body 1")
    #expect(machine.bodyStarted(2, "body 2") == nil)
    _ = machine.cancelled()
    #expect(machine.sourceStarted("source") == "source")
    #expect(machine.bodyStarted(2, "body 2") == "body 2")
  }
}

extension LatestStateMachine.NextAction where Output == String, Emitter == String {
  fileprivate var name: String {
    switch self {
    case .start: "start"
    case .wait: "wait"
    case .take(let value, let emitter): "take \(value)" + (emitter.map { ", resume \($0)" } ?? "")
    case .finished: "finished"
    }
  }
}

extension LatestStateMachine.EmitAction {
  /// The emission and the consumer to resume, nil when the value was discarded.
  fileprivate var waiting: (LatestStateMachine.EmissionID, Consumer?)? {
    guard case .wait(let emission, let consumer) = self else { return nil }
    return (emission, consumer)
  }
}
