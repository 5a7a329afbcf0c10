/// Stores answers, and asks the server whether they still hold instead of asking for them again.
///
/// ```swift
/// let store = MemoryResponseStore()
/// let provider = Provider<Zoo>(interceptors: [CachingInterceptor(store: store)], transport: …)
/// ```
///
/// Every `GET` goes to the server: no answer is taken for fresh, however long a `max-age` says that it
/// is, because who looks at a list of issues wants it as it is now. Where an answer is stored, the request
/// carries its `ETag` in `If-None-Match`, or its `Last-Modified` in `If-Modified-Since`
/// ([RFC 9110, section 13](https://www.rfc-editor.org/rfc/rfc9110#section-13)), and a 304 is answered
/// with the stored body, the stored fields updated by the 304's, and status 200: whoever is outside sees
/// what they saw the first time. GitHub doesn't count a 304 against the limit of a token.
///
/// The head of a stored answer, and its body with it, is told before the server is asked
/// (``Call/didReceiveHead(_:)``), marked by ``Response/isFromCache``. Who acts on it must be ready to take that
/// back: the answer counts.
///
/// Stored are answers with status 200 to requests without a condition or a range of their own, one for
/// each ``ResponseKey``, never errors. What is stored for a URL that redirects is stored under that URL: the
/// redirect is asked for again each time, and takes the condition along. Only a 304 that came by the
/// same redirects from the same place is believed; otherwise, and for a 404 or 410, the server is asked
/// once more without a condition.
///
/// Its place is outside of what retries and follows redirects.
public struct CachingInterceptor: Interceptor {
  let store: any ResponseStore
  let keepsWithoutValidator: Bool

  /// Creates the interceptor.
  ///
  /// - Parameters:
  ///   - store: Where answers are kept.
  ///   - keepsWithoutValidator: Whether answers are kept as well that the server gives neither an `ETag` nor a
  ///     `Last-Modified`, as GitHub gives searches none. Such an answer is told as a head, and asked for
  ///     anew: for those who show what was there the last time until the answer has come.
  public init(store: any ResponseStore, keepsWithoutValidator: Bool = false) {
    self.store = store
    self.keepsWithoutValidator = keepsWithoutValidator
  }

  /// Answers a request, from the store if the server says that it may.
  ///
  /// - Throws: What `next` throws. A store that fails is no reason to fail.
  public func intercept(
    _ request: Request, call: Call, next: Next
  ) async throws(NetworkError) -> Response {
    // The body of any other answer isn't here to be stored.
    guard call.delivery == .whole else { return try await next(request) }
    var machine = ConditionalCacheStateMachine(
      request, keepsWithoutValidator: keepsWithoutValidator)
    var action = machine.start(validation: call.target.validation)
    while true {
      switch action {
      case .passOn(let request):
        return try await next(request)
      case .lookUp(let key):
        let stored = await store.response(for: key)
        guard !Task.isCancelled else { throw .cancelled }
        action = machine.found(stored)
      case .send(let request, announcing: let head):
        if let head { call.didReceiveHead(head) }
        action = machine.received(try await next(request))
      case .answer(let response, let change):
        switch change {
        case .none: break
        case .store(let new, let key): await store.store(new, for: key)
        case .remove(let key): await store.removeResponse(for: key)
        }
        return response
      }
    }
  }
}
