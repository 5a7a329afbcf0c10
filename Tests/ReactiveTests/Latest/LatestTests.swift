import ConcurrencyPrimitives
import Reactive
import TestSupport
import Testing

@Suite("latest", .timeLimit(.minutes(5)))
struct LatestTests {
  @Test("a body can emit several values")
  func emitsMany() async {
    let sequence = elements([3]).latest { count, emit in
      for value in 0..<count {
        await emit(value)
      }
    }
    #expect(await sequence.reduce(into: []) { $0.append($1) } == [0, 1, 2])
  }

  @Test("a body that doesn't emit yields an empty sequence")
  func emitsNothing() async {
    let sequence = elements(1...3).latest { (_: Int, _: @Sendable (Int) async -> Void) in }
    #expect(await sequence.reduce(into: []) { $0.append($1) } == [])
  }

  @Test("emit returns only after the consumer has taken the value")
  func backPressure() async {
    let emitted = Locked(0)
    let sequence = elements([1_000]).latest { count, emit in
      for value in 0..<count {
        emitted.withLock { $0 += 1 }
        await emit(value)
      }
    }
    var (taken, furthestAhead) = (0, 0)
    for await _ in sequence {
      taken += 1
      furthestAhead = max(furthestAhead, emitted.withLock { $0 } - taken)
    }
    #expect(taken == 1_000)
    #expect(furthestAhead <= 1)
  }

  @Test("a waiting emit returns when a newer element supersedes its body")
  func supersededEmitReturns() async {
    let (source, input) = AsyncStream.makeStream(of: Int.self)
    let (emitting, returned) = (Gate(), Gate())
    let values = Reader(
      source.latest { element, emit in
        await emit(element)
        if element == 1 {
          emitting.open()
          await emit(-1)
          #expect(Task.isCancelled)
          returned.open()
        }
      })
    input.yield(1)
    #expect(await values.next() == 1)
    await emitting.wait()
    input.yield(2)
    await returned.wait()
    #expect(await values.next() == 2)
  }

  @Test("a superseded body can still emit, without effect and without waiting")
  func emitsInVain() async {
    let (source, input) = AsyncStream.makeStream(of: Int.self)
    let (started, finished) = (Gate(), Gate())
    let values = Reader(
      source.latest { element, emit in
        if element == 1 {
          started.open()
          await cancellation()
          for _ in 0..<100 {
            await emit(-1)
          }
          finished.open()
        }
        await emit(element)
      })
    input.yield(0)
    #expect(await values.next() == 0)
    input.yield(1)
    await started.wait()
    input.yield(2)
    await finished.wait()
    #expect(await values.next() == 2)
    input.finish()
    #expect(await values.next() == nil)
  }

  @Test("child tasks of a body can emit unless they are canceled")
  func childTasksEmit() async {
    let sequence = elements([0]).latest { _, emit in
      await withTaskGroup(of: Void.self) { group in
        for value in 1...10 {
          group.addTask { await emit(value) }
        }
      }
      await withTaskGroup(of: Void.self) { group in
        group.cancelAll()
        group.addTask { await emit(-1) }
      }
    }
    #expect(await sequence.reduce(into: Set()) { $0.insert($1) } == Set(1...10))
  }

  @Test("an emit after the end of its run returns immediately without effect")
  func emitsAfterTheEnd() async {
    let kept = Locked<(@Sendable (String) async -> Void)?>(nil)
    let (source, input) = AsyncStream.makeStream(of: String.self)
    let sequence = source.latest { name, emit in
      kept.withLock { $0 = emit }
      await emit(name)
    }
    let values = Reader(sequence)
    input.yield("in time")
    #expect(await values.next() == "in time")
    input.finish()
    #expect(await values.next() == nil)
    await kept.withLock { $0 }?("too late")
    #expect(await values.next() == nil)
  }

  @Test("leaving the loop cancels the body and the source")
  func breakCancels() async {
    let (source, input) = AsyncStream.makeStream(of: Int.self)
    let (bodyCancelled, sourceCancelled) = (Gate(), Gate())
    input.onTermination = { if case .cancelled = $0 { sourceCancelled.open() } }
    input.yield(1)
    for await _ in source.latest({ element, emit in
      await withTaskCancellationHandler {
        await emit(element)
        await cancellation()
      } onCancel: {
        bodyCancelled.open()
      }
    }) {
      break
    }
    await bodyCancelled.wait()
    await sourceCancelled.wait()
  }

  enum End: CaseIterable {
    case finish
    case leave
    case cancel
    case supersede
  }

  @Test("a run doesn't retain anything after its end", arguments: End.allCases)
  func releases(end: End) async {
    let released = Gate()
    await run(until: end, capturing: Tracer(released))
    await released.wait()
  }

  /// Runs a sequence whose body captures `tracer`, and returns when the consumer's loop has ended.
  private func run(until end: End, capturing tracer: Tracer) async {
    let (source, input) = AsyncStream.makeStream(of: Int.self)
    let sequence = source.latest { element, emit in
      await emit(tracer.count(element))
      if end != .finish && element == 1 {
        await cancellation()
      }
    }
    input.yield(1)
    let consumer = Task {
      for await value in sequence {
        switch end {
        case .finish: input.finish()
        case .leave: return
        case .cancel: withUnsafeCurrentTask { $0?.cancel() }
        case .supersede:
          input.yield(2)
          if value == 2 { input.finish() }
        }
      }
    }
    await consumer.value
  }
}
