extension Provider {
  /// Calls a target, and returns as soon as the head of a valid answer is there.
  ///
  /// The call goes through plugins, stub, interceptors and redirects like any other. Of an answer that
  /// passes the target's validation ``Plugin/didReceive(_:target:)`` and
  /// ``Plugin/process(_:target:)`` are told at its head, with an empty body; what happens to the body after
  /// that they are not told. The body of any other answer is collected, and the answer thrown as
  /// always.
  ///
  /// A body that streams has no longest size, unless ``Endpoint/maximumBodySize`` sets one. The target's
  /// ``Timeouts/total`` ends with its last byte: a slow reader may need another one.
  ///
  /// - Parameter target: What to ask; not a download.
  /// - Returns: The answer, with its body on the way.
  /// - Throws: ``NetworkError``; with code `cancelled`, promptly, when the task is cancelled.
  public func stream(_ target: Target) async throws(NetworkError) -> StreamedResponse {
    StreamedResponse(try await outcome(of: target, streams: true))
  }

  /// Calls a target when it is iterated, and gives the call's progress and then its answer.
  ///
  /// ```swift
  /// for try await event in provider.events(.photo(id: 7)) {
  ///   switch event {
  ///   case .progress(let progress): bar.show(progress.fractionCompleted)
  ///   case .completed(let response): show(response.body)
  ///   }
  /// }
  /// ```
  ///
  /// A slow reader doesn't hold the call up: of the progress it hasn't seen, it sees the newest. The
  /// answer is never lost. Each iterator makes a call of its own; dropping it, or cancelling the task that
  /// waits, cancels the call.
  ///
  /// - Parameter target: What to ask.
  /// - Returns: The events of the call; a failure of the call ends them.
  public func events(_ target: Target) -> CallEvents {
    CallEvents { onProgress async throws(NetworkError) in
      try await outcome(of: target, onProgress: onProgress)
    }
  }
}
