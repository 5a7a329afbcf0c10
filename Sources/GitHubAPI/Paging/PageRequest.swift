internal import HTTPTargets

/// A request for a page, running: the link to the next page comes out of it before the page does.
///
/// It owns its task: dropping it cancels the request.
final class PageRequest<Item: Decodable & Sendable>: Sendable {
  /// What is on the page, and the link to the next one or why it is refused.
  typealias Page = (items: [Item], link: Result<PageLink?, NetworkError>)

  private let task: Task<Result<Page, NetworkError>, Never>
  private let links: AsyncStream<PageLink?>

  init(_ target: GitHub, _ provider: Provider<GitHub>) {
    let (links, announcement) = AsyncStream.makeStream(
      of: PageLink?.self, bufferingPolicy: .bufferingNewest(1))
    self.links = links
    task = Task {
      // Ends the stream also when there never was a head.
      defer { announcement.finish() }
      do throws(NetworkError) {
        let response = try await provider.request(target) { head in
          announcement.yield(try? Self.link(in: head).get())
        }
        return .success((try response.decode(using: GitHubJSON.decoder()), Self.link(in: response)))
      } catch {
        return .failure(error)
      }
    }
  }

  deinit { task.cancel() }

  /// Waits for the head of the answer and returns the link in it.
  ///
  /// - Throws: The failure of the request when it has no head.
  func link() async throws(NetworkError) -> PageLink? {
    let announced = await withTaskCancellationHandler {
      var iterator = links.makeAsyncIterator()
      return await iterator.next()
    } onCancel: {
      task.cancel()
    }
    guard let announced else {
      _ = try await page()
      return nil
    }
    return announced
  }

  /// Waits for the page.
  func page() async throws(NetworkError) -> Page {
    try await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }.get()
  }

  private static func link(in response: Response) -> Result<PageLink?, NetworkError> {
    Result { () throws(NetworkError) in
      try PageLink(nextIn: response.headers, of: response.request.url)
    }
  }
}
