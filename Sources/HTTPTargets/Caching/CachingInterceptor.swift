internal import HTTPTypes

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

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

/// The rules of asking about a stored answer, as a state machine: one for each call.
struct ConditionalCacheStateMachine {
  /// What to do next.
  enum Action {
    /// Send the request, and answer with what comes.
    case passOn(Request)
    /// Look a stored answer up, and tell ``ConditionalCacheStateMachine/found(_:)``.
    case lookUp(ResponseKey)
    /// Tell the head, if there is one, send the request, and tell
    /// ``ConditionalCacheStateMachine/received(_:)``.
    case send(Request, announcing: Response?)
    /// Change the store, and answer.
    case answer(Response, Change)
  }

  /// What becomes of the stored answer.
  enum Change: Hashable {
    /// It stays as it is.
    case none
    /// Another takes its place.
    case store(StoredResponse, ResponseKey)
    /// It goes.
    case remove(ResponseKey)
  }

  private enum State {
    /// A stored answer is looked up.
    case lookingUp(ResponseKey)
    /// The server is asked whether the stored answer still holds.
    case asking(ResponseKey, StoredResponse)
    /// The server is asked for its answer, in whose place another may be stored.
    case fetching(ResponseKey, isStored: Bool)
    /// There is nothing more to do.
    case finished
  }

  private let request: Request
  private let keepsWithoutValidator: Bool
  private var state = State.finished

  /// Begins a call.
  init(_ request: Request, keepsWithoutValidator: Bool = false) {
    self.request = request
    self.keepsWithoutValidator = keepsWithoutValidator
  }

  /// Decides whether the call is any of the cache's business.
  ///
  /// Not what changes something, not a part of an answer, nothing that has a condition of its own, and
  /// no target that takes a 304 for an answer: it has one in mind.
  ///
  /// - Parameter validation: The target's. Calls that change something needn't make the cache forget
  ///   (RFC 9111, section 4.4), because it never answers without asking.
  /// - Returns: What to do.
  mutating func start(validation: Validation) -> Action {
    guard request.method == .get, request.body == nil,
      !Self.conditions.contains(where: request.headers.contains),
      !request.headers.forbidStoring, !validation.accepts(.notModified),
      let key = ResponseKey(request)
    else { return .passOn(request) }
    state = .lookingUp(key)
    return .lookUp(key)
  }

  /// Goes on with what the store has.
  mutating func found(_ stored: StoredResponse?) -> Action {
    guard case .lookingUp(let key) = state else { return .passOn(request) }
    guard let stored, stored.answers(request) else {
      state = .fetching(key, isStored: stored != nil)
      return .send(request, announcing: nil)
    }
    var conditional = request
    if let tag = stored.entityTag {
      conditional.headers[.ifNoneMatch] = tag
    } else if let date = stored.lastModified {
      conditional.headers[.ifModifiedSince] = date
    } else {
      state = .fetching(key, isStored: true)
      return .send(request, announcing: keepsWithoutValidator ? head(of: stored, to: request) : nil)
    }
    state = .asking(key, stored)
    return .send(conditional, announcing: head(of: stored, to: conditional))
  }

  private func head(of stored: StoredResponse, to request: Request) -> Response {
    var answered = request
    answered.url = stored.url
    var head = Response(request: answered, status: .ok, headers: stored.headers)
    head.redirects = stored.redirects
    head.body = stored.body
    head.isFromCache = true
    return head
  }

  /// Goes on with what the server says.
  mutating func received(_ response: Response) -> Action {
    switch state {
    case .asking(let key, let stored):
      switch response.status.code {
      case 304 where response.confirms(stored) && stored.hasRoom(for: response.headers):
        state = .finished
        return answer(response, confirming: stored, key)
      case 304, 404, 410:
        // A 304 that is about something else, or brings ever more fields. And GitHub has been seen to answer a conditional request
        // for what is there with a 404.
        state = .fetching(key, isStored: true)
        return .send(request, announcing: nil)
      default:
        state = .finished
        return answer(response, key, isStored: true)
      }
    case .fetching(let key, let isStored):
      state = .finished
      return answer(response, key, isStored: isStored)
    case .lookingUp, .finished:
      return .answer(response, .none)
    }
  }

  private func answer(_ response: Response, _ key: ResponseKey, isStored: Bool) -> Action {
    if let new = StoredResponse(
      response, to: request, needsValidator: !keepsWithoutValidator)
    {
      return .answer(response, .store(new, key))
    }
    // An error says nothing of the answer that is stored, unless it is that there is none any more.
    let isGone = [200, 404, 410].contains(response.status.code)
    return .answer(response, isStored && isGone ? .remove(key) : .none)
  }

  private func answer(
    _ confirmation: Response, confirming stored: StoredResponse, _ key: ResponseKey
  ) -> Action {
    var response = confirmation
    response.status = .ok
    response.headers = stored.headers.updated(by: confirmation.headers)
    response.body = stored.body
    response.isFromCache = true
    // Every 304 has another date and other limits. To write a page anew for these would be for nothing:
    // who gets it next gets them from the next 304.
    let isSame = Self.lasting.allSatisfy {
      response.headers[values: $0] == stored.headers[values: $0]
    }
    guard !isSame else { return .answer(response, .none) }
    let new = StoredResponse(
      response, to: request, needsValidator: !keepsWithoutValidator)
    return .answer(response, new.map { .store($0, key) } ?? .remove(key))
  }

  private static let conditions: [HTTPField.Name] = [
    .ifNoneMatch, .ifModifiedSince, .ifMatch, .ifUnmodifiedSince, .ifRange, .range,
  ]

  /// The fields of a stored answer that matter to later calls.
  private static let lasting: [HTTPField.Name] =
    [.eTag, .lastModified, .vary, .cacheControl, .contentType]
    + ["Link"].compactMap { HTTPField.Name($0) }
}

extension Response {
  /// Whether this 304 is about a stored answer.
  ///
  /// It is not if it came from elsewhere, because a redirect leads elsewhere by now, or if it names another
  /// tag (RFC 9111, section 4.3.4). Tags are compared weakly: a proxy that compresses makes them weak.
  fileprivate func confirms(_ stored: StoredResponse) -> Bool {
    guard request.url == stored.url, redirects == stored.redirects else { return false }
    guard let tag = headers[.eTag], let storedTag = stored.entityTag else { return true }
    return tag.opaqueTag == storedTag.opaqueTag
  }
}

extension HTTPFields {
  static func + (fields: HTTPFields, more: HTTPFields) -> HTTPFields {
    var fields = fields
    fields.append(contentsOf: more)
    return fields
  }

  /// The fields of a stored answer, updated by those of a 304
  /// ([RFC 9111, section 3.2](https://www.rfc-editor.org/rfc/rfc9111#section-3.2)).
  ///
  /// What describes the body or the connection stays as it is: the body is the stored one.
  fileprivate func updated(by fields: HTTPFields) -> HTTPFields {
    let updates = fields.filtered { field in
      let name = field.name.canonicalName
      return !name.hasPrefix("content-") && !Self.hopByHop.contains(name)
    }
    return filtered { !updates.contains($0.name) } + updates
  }

  private static let hopByHop: Set<String> = [
    "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info", "te", "trailer",
    "transfer-encoding", "upgrade",
  ]
}

extension String {
  /// An entity tag without the mark of a weak one.
  fileprivate var opaqueTag: Substring { hasPrefix("W/") ? dropFirst(2) : self[...] }
}
