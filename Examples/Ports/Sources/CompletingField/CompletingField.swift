import PortSupport
import Reactive

/// A text field that proposes completions: a component with a provider, and what its view shows.
struct CompletingField: Sendable {
  /// What the view shows.
  struct Content: Equatable, Sendable {
    /// The completions of the last text that got an answer.
    var predictions: [Prediction] = []
    /// Why the last text got none.
    var problem: Problem?
    /// Whether an answer is awaited.
    var isBusy = false
    /// Whether the server can't be reached.
    var isOffline = false
  }

  /// How long the typing must pause before the provider is asked.
  var pause: Duration = .milliseconds(300)
  /// Measures the pause.
  var clock: any Clock<Duration> = ContinuousClock()
  /// Tells whether the provider waits for the server.
  let reachability: any Reachability
  /// Returns the completions of a text. A newer text cancels it.
  let provider: @Sendable (_ text: String) async throws -> [Prediction]

  /// Completes a text while it is typed.
  ///
  /// - Parameter texts: The text after each change.
  /// - Returns: What the view shows, at first and after each change, until the texts end.
  func contents(
    of texts: some AsyncSequence<String, Never> & Sendable
  ) -> AsyncStream<Content> {
    let (contents, continuation) = AsyncStream.makeStream(of: Content.self)
    let running = Task {
      let component = Autocomplete(texts, debounce: pause, clock: clock, provider: provider)
      let content = Current(Content())
      async let shown: Void = {
        for await content in content.values.all.removeDuplicates() { continuation.yield(content) }
      }()
      async let busy: Void = {
        for await isBusy in component.isBusy { content.update { $0.isBusy = isBusy } }
      }()
      // It has no end of its own, and is canceled with its scope.
      async let _: Void = {
        for await isReachable in reachability.changes {
          content.update { $0.isOffline = !isReachable }
        }
      }()
      for await answer in component.result { content.update { $0.show(answer) } }
      await busy
      content.finish()
      await shown
      continuation.finish()
    }
    continuation.onTermination = { _ in running.cancel() }
    return contents
  }
}

extension CompletingField.Content {
  fileprivate mutating func show(_ answer: Autocomplete<Prediction>.Answer) {
    switch answer {
    case .success(let predictions): (self.predictions, problem) = (predictions, nil)
    case .failure(let error as Problem): (predictions, problem) = ([], error)
    case .failure(let error): (predictions, problem) = ([], .failed("\(error)"))
    }
  }
}

extension CompletingField.Content: CustomStringConvertible {
  /// The completions on a line, what was typed in angle brackets.
  var description: String {
    let status =
      isOffline ? "offline" : isBusy ? "busy" : problem.map(String.init(describing:)) ?? "ready"
    return (predictions.map { harmless($0.marked) } + ["[\(status)]"]).joined(separator: " ")
  }
}

extension Prediction {
  /// The text with its matches in angle brackets.
  fileprivate var marked: String {
    var (marked, start) = ("", text.startIndex)
    for range in ranges {
      marked += "\(text[start..<range.lowerBound])<\(text[range])>"
      start = range.upperBound
    }
    return marked + text[start...]
  }
}

extension RepositoryPages {
  /// Completes a text with the names of the first page. It waits while the server can't be reached.
  func predictions(of text: String) async throws -> [Prediction] {
    var last: Reply<Page>?
    await load(PageRequest(text)) { last = $0 }
    switch last {
    case .value(let page):
      return page.names.map { Prediction($0, matching: text, by: .anywhere) ?? Prediction($0) }
    case .problem(let problem): throw problem
    case nil: throw CancellationError()
    }
  }
}
