import Reactive
import TestSupport
import Testing

@Suite("Autocomplete", .timeLimit(.minutes(5)))
struct AutocompleteTests {
  private let clock = TestClock()
  private let texts = PacedSource<String>()
  private let provider = Provider()

  private func autocomplete(debounce: Duration = .zero) -> Autocomplete<Prediction> {
    Autocomplete(texts, debounce: debounce, minimumLength: 2, clock: clock) { [provider] text in
      try await provider.predictions(for: text)
    }
  }

  @Test("the provider is called once per text, and its results arrive in order")
  func asksOnce() async {
    let autocomplete = autocomplete()
    let results = Reader(autocomplete.result)
    for text in ["sw", "swift", "sw"] {
      await texts.send(text)
      #expect(await results.next()?.texts == [text + "!"])
    }
    #expect(provider.asked.current == ["sw", "swift", "sw"])
  }

  @Test("consecutive equal texts call the provider once")
  func equalTexts() async {
    let autocomplete = autocomplete()
    for text in ["sw", "sw", "sw", "swift", "swift"] {
      await texts.send(text)
    }
    texts.finish()
    let last = await autocomplete.result.reduce(into: []) { $0.append($1.texts) }.last
    #expect(last == ["swift!"])
    #expect(provider.asked.current.filter { $0 == "swift" }.count == 1)
    #expect(provider.asked.current.filter { $0 == "sw" }.count <= 1)
  }

  @Test(
    "a text retyped within the pause keeps its predictions without another call")
  func sameTextAfterPause() async throws {
    let autocomplete = autocomplete(debounce: .seconds(1))
    let results = Reader(autocomplete.result)
    await texts.send("sw")
    try await clock.sleepers(1)
    clock.advance(by: .seconds(1))
    #expect(await results.next()?.texts == ["sw!"])
    for text in ["swi", "sw"] {
      await texts.send(text)
      try await clock.nextDeadline(in: .seconds(1))
      clock.advance(by: .seconds(0.5))
    }
    clock.advance(by: .seconds(0.5))
    texts.finish()
    #expect(await results.next() == nil)
    #expect(provider.asked.current == ["sw"])
  }

  @Test("newer text cancels the pending call immediately and discards its result")
  func newerCancels() async throws {
    let autocomplete = autocomplete()
    let results = Reader(autocomplete.result)
    provider.holds("sw")
    await texts.send("sw")
    try await provider.asked.value { $0 == ["sw"] ? () : nil }
    await texts.send("swift")
    try await provider.cancelled.value { $0 == ["sw"] ? () : nil }
    #expect(await results.next()?.texts == ["swift!"])
    texts.finish()
    #expect(await results.next() == nil)
  }

  @Test("newer text cancels the pending call before its own pause is over")
  func cancelsBeforePause() async throws {
    let autocomplete = autocomplete(debounce: .seconds(1))
    let isBusy = Reader(autocomplete.isBusy)
    #expect(await isBusy.next() == false)
    provider.holds("sw")
    await texts.send("sw")
    try await clock.sleepers(1)
    clock.advance(by: .seconds(1))
    #expect(await isBusy.next() == true)
    await texts.send("swift")
    try await provider.cancelled.value { $0 == ["sw"] ? () : nil }
    #expect(await isBusy.next() == false)
    #expect(provider.asked.current == ["sw"])
  }

  @Test("the result of a provider that ignores cancellation is discarded")
  func stubbornProvider() async throws {
    let (mayAnswer, answered) = (Gate(), Gate())
    let autocomplete = Autocomplete(texts, debounce: .zero, clock: clock) { text in
      if text == "old" {
        await mayAnswer.waitStubbornly()
        answered.open()
      }
      return [Prediction(text)]
    }
    let results = Reader(autocomplete.result)
    await texts.send("old")
    await texts.send("new")
    #expect(await results.next()?.texts == ["new"])
    mayAnswer.open()
    await answered.wait()
    texts.finish()
    #expect(await results.next() == nil)
  }

  @Test("a provider error is a result, and the next text gets predictions")
  func errorsAreValues() async throws {
    let autocomplete = autocomplete()
    let results = Reader(autocomplete.result)
    provider.failing.update { $0 = ["sw"] }
    await texts.send("sw")
    let failure = await results.next()
    #expect(throws: Provider.Failure.self) { try failure?.get() }
    provider.failing.update { $0 = [] }
    await texts.send("swift")
    #expect(await results.next()?.texts == ["swift!"])
    await texts.send("sw")
    #expect(await results.next()?.texts == ["sw!"], "asked again after the error")
  }

  enum End: CaseIterable {
    case answer, emptyAnswer, error, shortText, newText, endOfInput
  }

  @Test(
    "isBusy is true only during a call, however the call ends", arguments: End.allCases
  )
  func busy(end: End) async throws {
    let autocomplete = autocomplete(debounce: .seconds(1))
    let isBusy = Reader(autocomplete.isBusy)
    #expect(await isBusy.next() == false)
    provider.holds("sw")
    await texts.send("sw")
    try await clock.sleepers(1)
    clock.advance(by: .seconds(1))
    #expect(await isBusy.next() == true)
    let late = Reader(autocomplete.isBusy)
    #expect(await late.next() == true, "replayed")
    switch end {
    case .answer: break
    case .emptyAnswer: provider.empty.update { $0 = ["sw"] }
    case .error: provider.failing.update { $0 = ["sw"] }
    case .shortText: await texts.send("s")
    case .newText: await texts.send("swift")
    case .endOfInput: texts.finish()
    }
    provider.releases("sw")
    #expect(await isBusy.next() == false)
    #expect(await late.next() == false)
    if case .endOfInput = end { #expect(await isBusy.next() == nil) }
  }

  @Test("isBusy is false when a result arrives")
  func idleBeforeResult() async {
    let autocomplete = autocomplete()
    let results = Reader(autocomplete.result)
    await texts.send("sw")
    _ = await results.next()
    let isBusy = Reader(autocomplete.isBusy)
    #expect(await isBusy.next() == false)
  }

  @Test("text below the minimum length doesn't get predictions or call the provider")
  func shortText() async {
    let autocomplete = autocomplete(debounce: .seconds(1))
    let results = Reader(autocomplete.result)
    await texts.send("s")
    #expect(await results.next()?.texts == [])
    await texts.send("👩‍👩‍👧")
    #expect(await results.next()?.texts == [], "one character, however many scalars")
    #expect(provider.asked.current.isEmpty)
    #expect(clock.sleeperCount == 0)
  }

  @Test("the provider is called only for text followed by a pause")
  func debounces() async throws {
    let autocomplete = autocomplete(debounce: .seconds(1))
    let results = Reader(autocomplete.result)
    for text in ["sw", "swi", "swift"] {
      await texts.send(text)
      try await clock.nextDeadline(in: .seconds(1))
      clock.advance(by: .seconds(0.5))
    }
    clock.advance(by: .seconds(0.5))
    #expect(await results.next()?.texts == ["swift!"])
    #expect(provider.asked.current == ["swift"])
  }

  @Test("all watchers share one run, and a later watcher gets the last result")
  func oneRun() async {
    let autocomplete = autocomplete()
    let (first, second) = (Reader(autocomplete.result), Reader(autocomplete.result))
    await texts.send("sw")
    #expect(await first.next()?.texts == ["sw!"])
    #expect(await second.next()?.texts == ["sw!"])
    let late = Reader(autocomplete.result)
    #expect(await late.next()?.texts == ["sw!"])
    #expect(provider.asked.current == ["sw"])
  }

  @Test("a program completes values of its own type")
  func ownItems() async throws {
    struct Place: Equatable {
      var name: String
      var population: Int
    }
    let autocomplete = Autocomplete(elements(["Ulm"]), debounce: .zero) { text in
      [Place(name: text, population: 128_928)]
    }
    let result = await Reader(autocomplete.result).next()
    #expect(try result?.get() == [Place(name: "Ulm", population: 128_928)])
  }

  @Test("a prediction is identified by its text and not by its matching ranges")
  func identity() {
    let found = Prediction("swift", matching: "sw", by: .prefix)
    #expect(found?.id == Prediction("swift").id)
    #expect(found != Prediction("swift"))
  }

  @Test("the last text gets its result after the input ends, and then both sequences end")
  func endOfInput() async {
    let autocomplete = autocomplete()
    let (results, isBusy) = (autocomplete.result, autocomplete.isBusy)
    await texts.send("sw")
    texts.finish()
    #expect(await results.reduce(into: []) { $0.append($1.texts) } == [["sw!"]])
    #expect(await isBusy.reduce(into: []) { $0.append($1) }.last == false)
  }

  @Test("releasing the autocomplete cancels the call, sets isBusy to false and ends both sequences")
  func dropped() async throws {
    var autocomplete: Autocomplete<Prediction>? = autocomplete()
    let results = try Reader(#require(autocomplete?.result))
    let isBusy = try Reader(#require(autocomplete?.isBusy))
    provider.holds("sw")
    await texts.send("sw")
    try await provider.asked.value { $0 == ["sw"] ? () : nil }
    autocomplete = nil
    try await provider.cancelled.value { $0 == ["sw"] ? () : nil }
    #expect(await results.next() == nil)
    var last: Bool?
    while let next = await isBusy.next() { last = next }
    #expect(last == false)
  }
}

/// A provider with scripted results that records its calls.
private final class Provider: Sendable {
  struct Failure: Error {}

  let asked = Watched<[String]>([])
  let cancelled = Watched<[String]>([])
  let failing = Watched<Set<String>>([])
  let empty = Watched<Set<String>>([])
  private let held = Watched<Set<String>>([])

  func holds(_ text: String) {
    held.update { _ = $0.insert(text) }
  }

  func releases(_ text: String) {
    held.update { _ = $0.remove(text) }
  }

  func predictions(for text: String) async throws -> [Prediction] {
    asked.update { $0.append(text) }
    do {
      try await held.value { $0.contains(text) ? nil : () }
    } catch {
      cancelled.update { $0.append(text) }
      throw error
    }
    if failing.current.contains(text) { throw Failure() }
    return empty.current.contains(text) ? [] : [Prediction(text + "!")]
  }
}

extension Result where Success == [Prediction] {
  /// The texts of the predictions, nil for an error.
  fileprivate var texts: [String]? {
    try? get().map(\.text)
  }
}
