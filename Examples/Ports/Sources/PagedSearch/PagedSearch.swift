import PortSupport
import Reactive

/// A search with pages as an asynchronous sequence: a page more whenever somebody reaches the end of the list.
struct PagedSearch: Sendable {
  let pages: RepositoryPages
  /// The shortest time between two searches.
  var interval: Duration = .milliseconds(300)
  /// Measures the interval.
  var clock: any Clock<Duration> = ContinuousClock()

  /// The list of each text as it grows. A newer text cancels the page that is loading.
  ///
  /// - Parameters:
  ///   - texts: The text after each change.
  ///   - ends: Tells that somebody has reached the end of the list. While a page loads, this is ignored.
  /// - Returns: The lists, with what is under way.
  func lists(
    of texts: some AsyncSequence<String, Never> & Sendable, ends: Subject<Void>
  ) -> some AsyncSequence<SearchLine, Never> & Sendable {
    texts.throttleLatest(for: interval, clock: clock).removeDuplicates().latest { text, emit in
      var next = text.isEmpty ? nil : PageRequest(text)
      var list = SearchLine(
        text: text, names: [], isLoading: next != nil, hasMore: next != nil, problem: nil)
      await emit(list)
      while let page = next {
        var end: Subject<Void>.Iterator?
        await pages.load(page) { reply in
          switch reply {
          case .value(let loaded):
            (list.names, list.problem) = (list.names + loaded.names, nil)
            next = loaded.next
          case .problem(let problem):
            list.problem = problem
          }
          // Offline, the page still waits for the server. After any other problem, the end asks for it again.
          (list.isLoading, list.hasMore) = (list.problem == .offline, next != nil)
          // Before the list shows, so that no end of it is missed.
          end = ends.makeAsyncIterator()
          await emit(list)
        }
        guard next != nil, await end?.next() != nil else { return }
        (list.isLoading, list.problem) = (true, nil)
        await emit(list)
      }
    }
  }

  /// The lines to show. A typed line is a search, and blanks are none; an empty line reaches the end of the list.
  func lines(of input: AsyncStream<String>) -> AsyncStream<String> {
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    let (texts, text) = AsyncStream.makeStream(of: String.self)
    let ends = Subject<Void>()
    let reading = Task {
      for await line in input {
        guard !line.isEmpty else {
          ends.send(())
          continue
        }
        text.yield(line.allSatisfy(\.isWhitespace) ? "" : line)
      }
      text.finish()
      ends.finish()
    }
    let running = Task {
      for await list in lists(of: texts, ends: ends) { continuation.yield("\(list)") }
      continuation.finish()
    }
    continuation.onTermination = { _ in
      reading.cancel()
      running.cancel()
    }
    return lines
  }
}
