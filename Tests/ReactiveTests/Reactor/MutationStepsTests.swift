import Testing

@testable import Reactive

@Suite("Steps of an action's mutations")
struct MutationStepsTests {
  private typealias Words = Mutations<String, String>

  private let work = Mutations<String, String>.run { _ in }

  /// The step by its name; `run` for work.
  private func next(_ steps: inout MutationSteps<String, String>) -> String? {
    switch steps.next() {
    case .just(let word): word
    case .run: "run"
    case nil: nil
    }
  }

  @Test("an empty list has no steps")
  func none() {
    var steps = MutationSteps(Words.none)
    #expect(next(&steps) == nil)
  }

  @Test("nested lists are flattened in order")
  func lists() {
    var steps = MutationSteps([.just("a"), [.just("b"), work], [], .just("c")] as Words)
    #expect((0..<5).map { _ in next(&steps) } == ["a", "b", "run", "c", nil])
  }

  @Test("steps are guarded only inside their condition's part")
  func guarded() {
    var steps = MutationSteps([work, work.until { $0 == "stop" }, work] as Words)
    for isGuarded in [false, true, false] {
      #expect(next(&steps) == "run")
      #expect(steps.isGuarded == isGuarded)
      #expect(steps.end(at: "other") == false)
    }
    #expect(steps.end(at: "stop") == false)
    #expect(next(&steps) == nil)
  }

  @Test("ending skips exactly the rest of the guarded part")
  func end() {
    var steps = MutationSteps(
      [([work, work] as Words).until { $0 == "stop" }, .just("a")] as Words)
    #expect(next(&steps) == "run")
    #expect(steps.end(at: "stop") == true)
    #expect(next(&steps) == "a")
    #expect(next(&steps) == nil)
  }

  @Test(
    "the outermost part whose condition holds ends",
    arguments: ["in", "out", "both"])
  func nested(_ action: String) {
    let inner: Words = [work.until { $0 != "out" }, .just("after inner")]
    var steps = MutationSteps([inner.until { $0 != "in" }, .just("after outer")] as Words)
    #expect(next(&steps) == "run")
    #expect(steps.end(at: action) == true)
    #expect(next(&steps) == (action == "in" ? "after inner" : "after outer"))
  }
}
