public import HTTPTypes

extension Provider {
  /// Calls a target for each iterator, returns its server-sent events, and reconnects when the connection ends.
  ///
  /// ```swift
  /// for try await event in provider.serverSentEvents(.news) {
  ///   show(event.data)
  /// }
  /// ```
  ///
  /// A new connection follows the HTML standard, [section
  /// 9.2.3](https://html.spec.whatwg.org/multipage/server-sent-events.html): it is opened after the server's
  /// reconnection time (3 seconds if there is none, at least 0.1 s and at most an hour), and sends the latest identifier in the field
  /// `Last-Event-ID`. The server ends the events with status 204.
  ///
  /// The first connection must succeed. After that, only errors of the transport and timeouts lead to a new connection,
  /// for as long as it takes. Other errors, such as an unaccepted status, end the events. ``Timeouts/total`` limits
  /// each connection.
  ///
  /// - Parameters:
  ///   - target: The target. Its response must have the type `text/event-stream`, or else the events fail with
  ///     ``NetworkError/Code/decoding``.
  ///   - headers: Additional header fields for these calls, which replace the target's fields of the same name.
  ///   - maximumSize: The maximum number of data bytes in an event. Reading a larger event throws
  ///     ``NetworkError/Code/tooLarge``.
  /// - Returns: The events.
  public func serverSentEvents(
    _ target: Target, adding headers: HTTPFields = [:], maximumSize: Int = 1 << 20
  ) -> some AsyncSequence<ServerSentEvent, NetworkError> & Sendable {
    ReconnectingEvents(provider: self, target: target, headers: headers, maximumSize: maximumSize)
  }
}

private struct ReconnectingEvents<Target: TargetType>: AsyncSequence, Sendable {
  let provider: Provider<Target>
  let target: Target
  let headers: HTTPFields
  let maximumSize: Int

  func makeAsyncIterator() -> Iterator { Iterator(source: self) }

  struct Iterator: AsyncIteratorProtocol {
    let source: ReconnectingEvents
    /// The events of the current connection.
    private var events: ServerSentEvents.Iterator?
    private var lastEventID = ""
    private var reconnectionTime: Duration?
    private var hasConnected = false
    private var hasEnded = false

    init(source: ReconnectingEvents) {
      self.source = source
    }

    mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(NetworkError) -> ServerSentEvent? {
      while !hasEnded {
        do throws(NetworkError) {
          if events == nil {
            if hasConnected { try await source.wait(reconnectionTime ?? .seconds(3)) }
            events = try await source.connect(after: lastEventID, reconnectionTime)
            hasConnected = true
            hasEnded = events == nil
          }
          if let event = try await events?.next(isolation: actor) { return event }
          disconnect()
        } catch {
          disconnect()
          guard hasConnected, [.transport, .timedOut].contains(error.code) else {
            hasEnded = true
            throw error
          }
        }
      }
      return nil
    }

    private mutating func disconnect() {
      guard let parser = events?.parser else { return }
      (lastEventID, reconnectionTime) = (parser.lastEventID, parser.reconnectionTime)
      events = nil
    }
  }

  private func wait(_ time: Duration) async throws(NetworkError) {
    do {
      // A server that says 0 and hangs up would keep the client busy.
      try await provider.clock.sleep(
        for: Swift.min(Swift.max(time, .milliseconds(100)), .seconds(3600)))
    } catch {
      throw .cancelled
    }
  }

  /// Returns the events of a new connection; nil if the server has no more.
  private func connect(
    after lastEventID: String, _ reconnectionTime: Duration?
  ) async throws(NetworkError) -> ServerSentEvents.Iterator? {
    var headers = headers
    if !lastEventID.isEmpty, let name = HTTPField.Name("Last-Event-ID") {
      headers[name] = lastEventID
    }
    let response = try await provider.stream(target, adding: headers)
    guard response.status != .noContent else { return nil }
    let type = response.headers[.contentType]?.prefix { $0 != ";" && $0 != " " } ?? ""
    guard type.lowercased() == "text/event-stream" else {
      let kind = type.isEmpty ? "no content type" : String(type).onOneLine(atMost: 100)
      throw NetworkError(
        .decoding, "\(response.request) answered with \(kind) instead of text/event-stream")
    }
    return ServerSentEvents.Iterator(
      lines: response.body.lines(maximumLength: maximumSize).makeAsyncIterator(),
      parser: ServerSentEventParser(
        maximumSize: maximumSize, lastEventID: lastEventID, reconnectionTime: reconnectionTime))
  }
}
