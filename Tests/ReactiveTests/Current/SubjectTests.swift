import ConcurrencyPrimitives
import Reactive
import TestSupport
import Testing

@Suite("Subject", .timeLimit(.minutes(5)))
struct SubjectTests {
  @Test("every reader gets all elements sent after it began, in order, even equal ones")
  func manyReaders() async {
    let numbers = Subject<Int>()
    numbers.send(0)
    var early = numbers.makeAsyncIterator()
    numbers.send(1)
    var late = numbers.makeAsyncIterator()
    numbers.send(2)
    numbers.send(2)
    #expect([await early.next(), await early.next(), await early.next()] == [1, 2, 2])
    #expect([await late.next(), await late.next()] == [2, 2])
  }

  @Test("a trigger reaches an effect that was canceled and restarted")
  func restartedEffect() async {
    enum Event {
      case ask(Int)
      case tap
    }
    let taps = Subject<Void>()
    let listening = Watched(0)
    let (source, input) = AsyncStream.makeStream(of: Event.self)
    let loop = FeedbackLoop<Lookup, Event>(
      initialState: Lookup(),
      reduce: { state, event in
        switch event {
        case .ask(let request): state.request = request
        case .tap: state.answers.append("\(state.request ?? 0)")
        }
      },
      feedbacks: [
        .react(request: \.request) { request, emit in
          var reader = taps.makeAsyncIterator()
          listening.update { $0 = request }
          while await reader.next() != nil { await emit(.tap) }
        },
        .events(source),
      ])
    var states = loop.makeAsyncIterator()
    _ = await states.next()
    for request in 1...3 {
      input.yield(.ask(request))
      _ = await states.next()
      await listening.wait { $0 == request }
      taps.send(())
      taps.send(())
      _ = await states.next()
      #expect(await states.next()?.answers.suffix(2) == ["\(request)", "\(request)"])
    }
  }

  @Test("after finish, readers get the remaining elements, and later readers end immediately")
  func finishes() async {
    let numbers = Subject<Int>()
    var reader = numbers.makeAsyncIterator()
    numbers.send(1)
    numbers.finish()
    numbers.send(2)
    #expect([await reader.next(), await reader.next()] == [1, nil])
    for await _ in numbers { Issue.record("a finished subject has no elements") }
  }

  @Test("a waiting reader ends when the subject is released")
  func released() async {
    var numbers: Subject<Int>? = Subject()
    guard let reader = numbers.map({ Reader($0) }) else { return }
    numbers?.send(1)
    numbers = nil
    #expect([await reader.next(), await reader.next()] == [1, nil])
  }

  @Test("a reader that is canceled or leaves ends without affecting the others")
  func leaves() async {
    let numbers = Subject<Int>()
    var other = numbers.makeAsyncIterator()
    let reader = Task {
      for await _ in numbers {}
    }
    while numbers.readerCount < 2 { await Task.yield() }
    reader.cancel()
    await reader.value
    #expect(numbers.readerCount == 1)
    numbers.send(1)
    #expect(await other.next() == 1)
  }

  @Test("an element that all readers have read is released")
  func keepsNothing() async {
    let tracers = Subject<Tracer>()
    let (unheard, heard) = (Gate(), Gate())
    tracers.send(Tracer(unheard))
    #expect(unheard.isOpen)
    var reader = tracers.makeAsyncIterator()
    tracers.send(Tracer(heard))
    #expect(!heard.isOpen)
    _ = await reader.next()
    #expect(heard.isOpen)
  }
}
