import Reactive

/// Sends events through a feedback loop, or actions through a reactor, twice as many as COUNT.
///
///     reactive-throughput stream|loop|effects|requests|reactor COUNT
///
/// It prints four numbers: the nanoseconds for each of the second COUNT; the growth of the process's peak memory in
/// bytes over the first COUNT, and over the second; and the entries left in the tables of running work.
///
/// - `stream`: the baseline, a task that reduces the elements of an `AsyncStream`, each sent once the one before is
///   reduced, as `emit` does.
/// - `loop`: events from outside, and a feedback with nothing to do.
/// - `effects`: each event starts an endless effect and cancels another.
/// - `requests`: the same with a `RequestSet` of 1,000 effects that go on.
/// - `reactor`: actions that each run work with one mutation.
@main
struct ReactiveThroughput {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count == 2, let kind = arguments.first.flatMap(Kind.init),
      let count = arguments.last.flatMap({ Int($0) }), count > 0
    else {
      throw Failure(
        description: "usage: reactive-throughput stream|loop|effects|requests|reactor COUNT")
    }
    var marks = Marks(every: count)
    let left =
      switch kind {
      case .stream: await stream(2 * count, &marks)
      case .loop: await loop(2 * count, &marks)
      case .effects: await effects(2 * count, &marks)
      case .requests: await requests(2 * count, &marks)
      case .reactor: await reactor(2 * count, &marks)
      }
    print(marks.nanoseconds(of: 2), marks.growth(of: 1), marks.growth(of: 2), left)
  }

  private enum Kind: String {
    case stream, loop, effects, requests, reactor
  }

  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private static func stream(_ count: Int, _ marks: inout Marks) async -> Int {
    let (events, input) = AsyncStream.makeStream(of: Int.self)
    let (answers, output) = AsyncStream.makeStream(of: Int.self)
    let reducing = Task {
      var sum = 0
      for await event in events {
        sum += event
        output.yield(sum)
      }
    }
    var reader = answers.makeAsyncIterator()
    marks.begin()
    for done in 1...count {
      input.yield(1)
      _ = await reader.next()
      marks.passed(done)
    }
    input.finish()
    await reducing.value
    return 0
  }

  private static func loop(_ count: Int, _ marks: inout Marks) async -> Int {
    let loop = FeedbackLoop<Int, Int>(
      initialState: 0, reduce: { $0 += $1 },
      feedbacks: [
        .react(request: { $0 < 0 ? $0 : nil }) { _, _ in },
        .events(Numbers(upTo: count).map { _ in 1 }),
      ])
    marks.begin()
    for await done in loop where done > 0 {
      marks.passed(done)
      if done == count { break }
    }
    return 0
  }

  private static func effects(_ count: Int, _ marks: inout Marks) async -> Int {
    struct State: Sendable {
      var done = 0
      /// The last four.
      var requests: [Token] = []
    }
    return await run(
      FeedbackLoop<State, Int>(
        initialState: State(),
        reduce: { state, number in
          state.done = number
          state.requests.append(Token())
          if state.requests.count > 4 { state.requests.removeFirst() }
          if number > count { state.requests = [] }
        },
        feedbacks: [
          .react(requests: { Set($0.requests) }) { token, _ in await hold(token) },
          // One more than is counted, which requests nothing.
          .events(Numbers(upTo: count + 1)),
        ]), count, &marks, done: \.done)
  }

  private static func requests(_ count: Int, _ marks: inout Marks) async -> Int {
    struct State: Sendable {
      var done = 0
      var requests = RequestSet<Token>()
      /// The same, each at the place of its number.
      var tokens: [Token] = []
    }
    return await run(
      FeedbackLoop<State, Int>(
        initialState: State(),
        reduce: { state, number in
          state.done = number
          let (token, place) = (Token(), number % 1_000)
          state.requests.insert(token)
          if state.tokens.count < 1_000 {
            state.tokens.append(token)
          } else {
            state.requests.remove(state.tokens[place])
            state.tokens[place] = token
          }
          if number > count { (state.requests, state.tokens) = (RequestSet(), []) }
        },
        feedbacks: [
          .react(requests: \.requests) { token, _ in await hold(token) },
          .events(Numbers(upTo: count + 1)),
        ]), count, &marks, done: \.done)
  }

  /// An effect without an end.
  private static func hold(_ token: Token) async {
    let never = AsyncStream.makeStream(of: Never.self)
    for await _ in never.stream {}
    withExtendedLifetime((token, never.continuation)) {}
  }

  private static func run<State>(
    _ loop: FeedbackLoop<State, Int>, _ count: Int, _ marks: inout Marks, done: (State) -> Int
  ) async -> Int {
    var states = loop.makeAsyncIterator()
    marks.begin()
    while let done = await states.next().map(done), done <= count {
      if done > 0 { marks.passed(done) }
    }
    // The loop still exists: what is left is in its tables, or in a task that never ends.
    let left = await Token.settled()
    withExtendedLifetime(states) {}
    return left
  }

  private static func reactor(_ count: Int, _ marks: inout Marks) async -> Int {
    let reactor = CountingReactor()
    marks.begin()
    for done in 1...count {
      await reactor.send(.increase).finished
      marks.passed(done)
    }
    let left = await Token.settled()
    precondition(reactor.currentState == count)
    return left
  }
}
