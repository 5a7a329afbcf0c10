internal import HTTPTypes

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Stores answers, and asks the server whether they are still current instead of requesting them again.
///
/// ```swift
/// let store = MemoryResponseStore()
/// let provider = Provider<Zoo>(interceptors: [CachingInterceptor(store: store)], transport: …)
/// ```
///
/// Every `GET` goes to the server. No stored answer counts as fresh, whatever its `max-age`: whoever lists
/// issues wants their present state. If an answer is stored, the request carries its `ETag` in `If-None-Match`,
/// or its `Last-Modified` in `If-Modified-Since`
/// ([RFC 9110, section 13](https://www.rfc-editor.org/rfc/rfc9110#section-13)). A 304 becomes an answer with
/// status 200, the stored body, and the stored fields updated by those of the 304, so that callers see what
/// they saw the first time. GitHub doesn't count a 304 against a token's limit.
///
/// Before the server is asked, the stored answer is announced as a head (``Call/didReceiveHead(_:)``), body
/// included, and marked by ``Response/isFromCache``. A caller that acts on it must be ready to take that back:
/// only the final answer counts.
///
/// Only answers with status 200 are stored, one for each ``ResponseKey``, and only for requests without a
/// condition or range of their own. An answer behind a redirect is stored under the first URL; the redirect is
/// requested again each time, with the condition. A 304 counts only if it came from the same place by the same
/// redirects. Otherwise, and after a 404 or 410, the server is asked once more without a condition.
///
/// Place it outside the interceptors that retry and follow redirects.
public struct CachingInterceptor: Interceptor {
  let store: any ResponseStore
  let keepsWithoutValidator: Bool

  /// Creates the interceptor.
  ///
  /// - Parameters:
  ///   - store: The store for answers.
  ///   - keepsWithoutValidator: Whether to keep answers with neither `ETag` nor `Last-Modified`, such as
  ///     GitHub's searches. They are announced as a head and then requested again, for callers that show the
  ///     last result until the new one arrives.
  public init(store: any ResponseStore, keepsWithoutValidator: Bool = false) {
    self.store = store
    self.keepsWithoutValidator = keepsWithoutValidator
  }

  /// Answers a request, from the store if the server confirms the stored answer.
  ///
  /// - Throws: What `next` throws. A failing store fails no call.
  public func intercept(
    _ request: Request, call: Call, next: Next
  ) async throws(NetworkError) -> Response {
    // Other deliveries don't leave the body in the response.
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

/// The rules of conditional requests, as a state machine: one for each call.
struct ConditionalCacheStateMachine {
  enum Action {
    /// Send the request, and return its answer.
    case passOn(Request)
    /// Look up the stored answer, and call ``ConditionalCacheStateMachine/found(_:)``.
    case lookUp(ResponseKey)
    /// Announce the head, if there is one, send the request, and call
    /// ``ConditionalCacheStateMachine/received(_:)``.
    case send(Request, announcing: Response?)
    /// Change the store, and answer.
    case answer(Response, Change)
  }

  enum Change: Hashable {
    /// Nothing changes.
    case none
    /// Store an answer.
    case store(StoredResponse, ResponseKey)
    /// Remove the stored answer.
    case remove(ResponseKey)
  }

  private enum State {
    /// The stored answer is being looked up.
    case lookingUp(ResponseKey)
    /// The server is asked whether the stored answer is current.
    case asking(ResponseKey, StoredResponse)
    /// The server is asked without a condition; an older answer may be stored.
    case fetching(ResponseKey, isStored: Bool)
    /// The call has its answer.
    case finished
  }

  private let request: Request
  private let keepsWithoutValidator: Bool
  private var state = State.finished

  init(_ request: Request, keepsWithoutValidator: Bool = false) {
    self.request = request
    self.keepsWithoutValidator = keepsWithoutValidator
  }

  /// Decides whether the cache handles the call.
  ///
  /// It doesn't handle methods other than `GET`, requests with a range or a condition of their own, and targets
  /// that accept a 304 themselves. Writes needn't invalidate anything (RFC 9111, section 4.4), because the
  /// cache never answers without asking.
  mutating func start(validation: Validation) -> Action {
    guard request.method == .get, request.body == nil,
      !Self.conditions.contains(where: request.headers.contains),
      !request.headers.forbidStoring, !validation.accepts(.notModified),
      let key = ResponseKey(request)
    else { return .passOn(request) }
    state = .lookingUp(key)
    return .lookUp(key)
  }

  /// Continues with the stored answer, if there is one.
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

  /// Continues with the server's answer.
  mutating func received(_ response: Response) -> Action {
    switch state {
    case .asking(let key, let stored):
      switch response.status.code {
      case 304 where response.confirms(stored) && stored.hasRoom(for: response.headers):
        state = .finished
        return answer(response, confirming: stored, key)
      case 304, 404, 410:
        // This 304 isn't about the stored answer, or adds too many fields. And GitHub answers conditional
        // requests for existing resources with a 404 at times.
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
    // An error says nothing about the stored answer, unless it says that the resource is gone.
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
    // Every 304 has another date and other rate limits. They aren't worth writing a page again: the next 304
    // brings its own.
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
  /// It isn't if it came from another place, where a redirect leads by now, or if it names another tag (RFC
  /// 9111, section 4.3.4). Tags are compared weakly: a proxy that compresses makes them weak.
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
  /// Fields that describe the body or the connection stay: the body is the stored one.
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
