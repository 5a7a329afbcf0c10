internal import HTTPTypes
internal import PlatformModules

/// Stores responses, and asks the server whether they are still current instead of requesting them again.
///
/// ```swift
/// let store = MemoryResponseStore()
/// let provider = Provider<Zoo>(interceptors: [CachingInterceptor(store: store)], transport: …)
/// ```
///
/// Every `GET` goes to the server. Stored responses never count as fresh, regardless of their `max-age`, because users
/// who list issues want the current state. If a response is stored, the request carries its `ETag` in `If-None-Match`,
/// or its `Last-Modified` in `If-Modified-Since` ([RFC 9110, section
/// 13](https://www.rfc-editor.org/rfc/rfc9110#section-13)). A 304 becomes a response with status 200, the stored body,
/// and the stored fields updated by those of the 304, so callers see the same response as the first time. GitHub
/// doesn't count a 304 toward the token's rate limit.
///
/// The stored response, including its body, is announced as a head before the request is sent
/// (``TargetCall/didReceiveHead(_:)``). ``TargetResponse/isFromCache`` identifies it. Only the final response is
/// reliable, so a caller that uses the head must be able to undo its effects.
///
/// Only responses with status 200 are stored, one for each ``ResponseKey``, and only for requests without their own
/// condition or range. A response after a redirect is stored under the first URL. The redirect is requested again each
/// time, with the condition. A 304 is used only if it came from the same URL through the same redirects. Otherwise, and
/// after a 404 or 410, the request is repeated without a condition.
///
/// Place this interceptor outside the interceptors that retry requests and follow redirects.
public struct CachingInterceptor: Interceptor {
  let store: any ResponseStore
  let keepsWithoutValidator: Bool

  /// Creates the interceptor.
  ///
  /// - Parameters:
  ///   - store: The store for responses.
  ///   - keepsWithoutValidator: Whether to keep responses with neither `ETag` nor `Last-Modified`, such as GitHub's
  ///     searches. Such a response is announced as a head while it is requested again.
  public init(store: any ResponseStore, keepsWithoutValidator: Bool = false) {
    self.store = store
    self.keepsWithoutValidator = keepsWithoutValidator
  }

  /// Returns the response to a request, from the store if the server confirms the stored response.
  ///
  /// - Throws: The errors of `next`. A failing store doesn't fail the call.
  public func intercept(
    _ request: TargetRequest, call: TargetCall, next: Next
  ) async throws(NetworkError) -> TargetResponse {
    // With other deliveries, the response has no body.
    guard call.delivery == .whole else { return try await next(request) }
    var machine = ConditionalCacheStateMachine(
      request, keepsWithoutValidator: keepsWithoutValidator)
    var action = machine.start(validation: call.target.policy.validation)
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

struct ConditionalCacheStateMachine {
  enum Action {
    case passOn(TargetRequest)
    /// Continues with ``ConditionalCacheStateMachine/found(_:)``.
    case lookUp(ResponseKey)
    /// Continues with ``ConditionalCacheStateMachine/received(_:)``.
    case send(TargetRequest, announcing: TargetResponse?)
    case answer(TargetResponse, Change)
  }

  enum Change: Hashable {
    case none
    case store(StoredResponse, ResponseKey)
    case remove(ResponseKey)
  }

  private enum State {
    case lookingUp(ResponseKey)
    /// Asking whether the stored response is current.
    case asking(ResponseKey, StoredResponse)
    /// Sending the request without a condition.
    case fetching(ResponseKey, isStored: Bool)
    case finished
  }

  private let request: TargetRequest
  private let keepsWithoutValidator: Bool
  private var state = State.finished

  init(_ request: TargetRequest, keepsWithoutValidator: Bool = false) {
    self.request = request
    self.keepsWithoutValidator = keepsWithoutValidator
  }

  /// Starts the call. Writes needn't invalidate anything (RFC 9111, section 4.4), because the cache never responds
  /// without asking the server.
  mutating func start(validation: Validation) -> Action {
    guard request.method == .get, request.body == nil,
      !Self.conditions.contains(where: request.headers.contains),
      !request.headers.forbidStoring, !validation.accepts(.notModified),
      let key = ResponseKey(request)
    else { return .passOn(request) }
    state = .lookingUp(key)
    return .lookUp(key)
  }

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

  private func head(of stored: StoredResponse, to request: TargetRequest) -> TargetResponse {
    var answered = request
    answered.url = stored.url
    var head = TargetResponse(request: answered, status: .ok, headers: stored.headers)
    head.redirects = stored.redirects
    head.body = stored.body
    head.isFromCache = true
    return head
  }

  mutating func received(_ response: TargetResponse) -> Action {
    switch state {
    case .asking(let key, let stored):
      switch response.status.code {
      case 304 where response.confirms(stored) && stored.hasRoom(for: response.headers):
        state = .finished
        return answer(response, confirming: stored, key)
      case 304, 404, 410:
        // This 304 isn't about the stored response, or GitHub has sent 404 for an existing resource, as it sometimes
        // does.
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

  private func answer(_ response: TargetResponse, _ key: ResponseKey, isStored: Bool) -> Action {
    if let new = StoredResponse(
      response, to: request, needsValidator: !keepsWithoutValidator)
    {
      return .answer(response, .store(new, key))
    }
    let isGone = [200, 404, 410].contains(response.status.code)
    return .answer(response, isStored && isGone ? .remove(key) : .none)
  }

  private func answer(
    _ confirmation: TargetResponse, confirming stored: StoredResponse, _ key: ResponseKey
  ) -> Action {
    var response = confirmation
    response.status = .ok
    response.headers = stored.headers.updated(by: confirmation.headers)
    response.body = stored.body
    response.isFromCache = true
    // Each 304 has a different date and different rate limits, but they don't justify rewriting a page.
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

  private static let lasting: [HTTPField.Name] =
    [.eTag, .lastModified, .vary, .cacheControl, .contentType]
    + ["Link"].compactMap { HTTPField.Name($0) }
}

extension TargetResponse {
  /// Whether this 304 confirms the stored response (RFC 9111, section 4.3.4). The comparison of tags is weak, because a
  /// compressing proxy weakens them.
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

  /// The fields of a stored response after a 304 (RFC 9111, section 3.2). Fields that describe the body or the
  /// connection don't change.
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
  fileprivate var opaqueTag: Substring { hasPrefix("W/") ? dropFirst(2) : self[...] }
}
