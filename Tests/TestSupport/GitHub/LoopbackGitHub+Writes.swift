internal import PlatformModules

extension LoopbackGitHub {
  // MARK: Support for tests

  /// Adds a fault to later writes. It applies once earlier faults are used up.
  ///
  /// - Parameters:
  ///   - fault: The fault.
  ///   - times: The number of writes that it strikes.
  ///   - skipped: The number of writes before it that succeed.
  ///   - predicate: The writes that count; all by default.
  public func strike(
    _ fault: LoopbackWriteFault, times: Int = 1, after skipped: Int = 0,
    where predicate: @escaping @Sendable (LoopbackRequest) -> Bool = { _ in true }
  ) {
    writes.update {
      $0.strikes.append(
        Strike(fault: fault, skipped: skipped, remaining: times, matches: predicate))
    }
  }

  /// Carries out the writes that ``LoopbackWriteFault/commitDelayed`` holds back.
  public func settle() {
    commit { _ in true }
  }

  /// The received writes in order, and reads too if the configuration says so.
  public var receipts: [LoopbackReceipt] { writes.read { $0.receipts } }

  /// The whole state as JSON, as `/_loopback/state` returns it.
  ///
  /// - Parameter changesOnly: Whether to omit unchanged issues.
  /// - Returns: `{"repositories": […], "pending": N}`.
  public func stateJSON(changesOnly: Bool = false) -> String {
    let repositories = knownRepositories.map { repository in
      store(of: repository).read { StateJSON(book: $0).text(repository, changesOnly: changesOnly) }
    }
    let pending = writes.read { $0.pending.count }
    return #"{"repositories":\#(JSONText.array(repositories)),"pending":\#(pending)}"#
  }

  /// ``receipts`` as JSON, as `/_loopback/requests` returns it.
  public var receiptsJSON: String {
    JSONText.array(
      receipts.map { receipt in
        """
        {"number":\(receipt.number),"method":"\(receipt.method)",\
        "target":\(JSONText.string(receipt.target)),"body":\(JSONText.string(receipt.body)),\
        "login":\(JSONText.string(receipt.login)),\
        "fault":\(JSONText.string(receipt.fault?.rawValue)),\
        "status":\(receipt.status.map { "\($0)" } ?? "null"),"committed":\(receipt.isCommitted)}
        """
      })
  }

  // MARK: Answering

  /// The state of the writes.
  struct Writes: Sendable {
    fileprivate var strikes: [Strike] = []
    fileprivate var receipts: [LoopbackReceipt] = []
    fileprivate var pending: [Pending] = []
    /// The number of writes.
    fileprivate var count = 0
    /// The times at which each token wrote content.
    fileprivate var contents: [String?: [Int]] = [:]
  }

  fileprivate struct Strike: Sendable {
    var fault: LoopbackWriteFault
    var skipped: Int
    var remaining: Int
    var matches: @Sendable (LoopbackRequest) -> Bool
  }

  /// A write held back.
  fileprivate struct Pending: Sendable {
    var request: LoopbackRequest
    /// The number of a request, or a time.
    var due: Int
    var time: Int?
    /// The write's place in the receipts.
    var receipt: Int
  }

  /// Whether a request writes. With GraphQL, its text decides.
  static func isWrite(_ request: LoopbackRequest) -> Bool {
    if ["GET", "HEAD", "OPTIONS"].contains(request.method) { return false }
    return apiPath(request.path).path != "/graphql"
      || String(decoding: request.body, as: UTF8.self).contains("mutation")
  }

  /// The answer on the paths for tests; nil for any other.
  func privateAnswer(to request: LoopbackRequest) -> LoopbackResponse? {
    guard request.path.hasPrefix("/_loopback/") else { return nil }
    switch "\(request.method) \(request.path)" {
    case "GET /_loopback/state":
      return .json(stateJSON(changesOnly: request.queryValue("changed") == "1"))
    case "GET /_loopback/requests": return .json(receiptsJSON)
    case "POST /_loopback/settle": settle()
    case "POST /_loopback/strike":
      guard let fault = request.queryValue("fault").flatMap(LoopbackWriteFault.init) else {
        return .json(#"{"message":"No such fault"}"#, status: 422)
      }
      func number(_ name: String) -> Int? { request.queryValue(name).flatMap { Int($0) } }
      strike(fault, times: number("times") ?? 1, after: number("after") ?? 0)
    default: return .json(#"{"message":"Not Found"}"#, status: 404)
    }
    return LoopbackResponse(status: 204)
  }

  /// Carries out a valid request, with its fault.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - number: Its place among all requests.
  ///   - now: The time.
  /// - Returns: The answer.
  func carryOut(_ request: LoopbackRequest, _ number: Int, now: Int) -> LoopbackResponse {
    commit { $0.time.map { $0 <= now } ?? ($0.due <= number) }
    guard Self.isWrite(request) else {
      let response = plainAnswer(to: request, now: now)
      if configuration.keepsReads {
        writes.update {
          $0.receipts.append(receipt(of: request, number, status: response.status))
        }
      }
      return response
    }
    let (fault, place) = writes.update { writes in
      writes.count += 1
      let fault = writes.takeStrike(request) ?? configuration.writeFaults?.fault(writes.count)
      var receipt = receipt(of: request, number, status: nil)
      receipt.fault = fault
      writes.receipts.append(receipt)
      return (fault, writes.receipts.count - 1)
    }
    return answer(request, number, place, fault, now: now)
  }

  private func answer(
    _ request: LoopbackRequest, _ number: Int, _ place: Int, _ fault: LoopbackWriteFault?, now: Int
  ) -> LoopbackResponse {
    let faults = configuration.writeFaults ?? LoopbackWriteFaults()
    func committed() -> LoopbackResponse { commit(request, place, now: now) }
    func refused(_ error: GitHubError) -> LoopbackResponse {
      let response = refusal(error, now: now)
      writes.update { $0.receipts[place].status = response.status }
      return response
    }
    switch fault {
    case nil:
      if isContentLimited(request, now: now) { return refused(.contentLimit(retryAfter: nil)) }
      return committed()
    case .requestLost: return .reset
    case .answerLost:
      return committed().with { $0.interruption = .init(.beforeHead, .reset) }
    case .answerCut:
      return committed().with {
        $0.interruption = .init($0.body.isEmpty ? .insideHead : .insideBody, .reset)
      }
    case .commitDelayed:
      writes.update {
        $0.pending.append(
          Pending(
            request: request, due: number + max(faults.delay, 1),
            time: faults.delayInSeconds.map { now + $0 }, receipt: place))
      }
      return .reset
    case .badGateway: return refused(.badGateway)
    case .badGatewayAfterCommit:
      _ = committed()
      return refusal(.badGateway, now: now)
    case .contentLimit: return refused(.contentLimit(retryAfter: nil))
    case .contentLimitWithTime: return refused(.contentLimit(retryAfter: faults.retryAfter))
    case .unauthorized: return refused(.badCredentials)
    case .otherIssue: return committed().namingAnotherIssue()
    case .otherRepository: return committed().namingAnotherRepository(than: request)
    case .loginPage: return .text("<html>Sign in</html>", contentType: "text/html")
    case .foreignJSON: return .json(#"{"status":"ok"}"#)
    case .ignored: return LoopbackResponse(status: 204)
    }
  }

  /// Carries out a write, and notes the result.
  private func commit(_ request: LoopbackRequest, _ place: Int, now: Int) -> LoopbackResponse {
    let response = plainAnswer(to: request, now: now)
    let isError =
      Self.apiPath(request.path).path == "/graphql"
      && String(decoding: response.body, as: UTF8.self).contains("\"errors\":")
    writes.update {
      $0.receipts[place].status = response.status
      $0.receipts[place].isCommitted = response.status < 300 && !isError
    }
    return response
  }

  /// Carries out writes that are held back and due.
  private func commit(where isDue: (Pending) -> Bool) {
    let due = writes.update { writes in
      let due = writes.pending.filter(isDue)
      writes.pending.removeAll(where: isDue)
      return due
    }
    for write in due {
      _ = commit(
        write.request, write.receipt, now: Int(configuration.now().timeIntervalSince1970))
    }
  }

  private func refusal(_ error: GitHubError, now: Int) -> LoopbackResponse {
    configuration.forge == .gitHub ? error.response(now: now) : forgeAnswer(to: error, now: now)
  }

  private func plainAnswer(to request: LoopbackRequest, now: Int) -> LoopbackResponse {
    guard configuration.forge == .gitHub else {
      return ForgejoEndpoints(github: self, request: request, now: now).respond()
    }
    return GitHubEndpoints(
      github: self, request: request, isAnonymous: Self.token(of: request) == nil, now: now
    ).respond()
  }

  private func receipt(
    of request: LoopbackRequest, _ number: Int, status: Int?
  ) -> LoopbackReceipt {
    let token = Self.token(of: request)
    return LoopbackReceipt(
      number: number, method: request.method, target: request.target,
      body: String(decoding: request.body, as: UTF8.self), login: token.map(login(of:)),
      status: status)
  }

  /// Counts content, and returns whether it exceeds the configured limit.
  private func isContentLimited(_ request: LoopbackRequest, now: Int) -> Bool {
    guard let limit = configuration.contentPerMinute else { return false }
    let path = forgePath(request.path).path.split(separator: "/").map(String.init)
    guard path.first == "repos", path.count > 3,
      WriteOperation(request.method, Array(path.dropFirst(3)))?.createsContent == true
    else { return false }
    return writes.update { writes in
      var times = writes.contents[Self.token(of: request)] ?? []
      times.removeAll { $0 + 60 <= now }
      let isLimited = times.count >= limit
      if !isLimited { times.append(now) }
      writes.contents[Self.token(of: request)] = times
      return isLimited
    }
  }
}

extension LoopbackGitHub.Writes {
  fileprivate mutating func takeStrike(_ request: LoopbackRequest) -> LoopbackWriteFault? {
    guard
      let index = strikes.firstIndex(where: { $0.remaining > 0 && $0.matches(request) })
    else { return nil }
    if strikes[index].skipped > 0 {
      strikes[index].skipped -= 1
      return nil
    }
    strikes[index].remaining -= 1
    return strikes[index].fault
  }
}

extension LoopbackResponse {
  /// The same answer, about the issue with the next number but one.
  fileprivate func namingAnotherIssue() -> LoopbackResponse {
    let text = String(decoding: body, as: UTF8.self)
    let part = text.split(separator: "/issues/").dropFirst().first { $0.first?.isNumber == true }
    guard let number = part.flatMap({ Int($0.prefix { $0.isNumber }) }) else { return self }
    return with { response in
      var changed = text.replacing("\"number\":\(number),", with: "\"number\":\(number + 2),")
      for end in ["\"", "/", "#"] {
        changed = changed.replacing(
          "/issues/\(number)\(end)", with: "/issues/\(number + 2)\(end)")
      }
      response.body = Data(changed.utf8)
      response.headers["Location"] = headers["Location"]?.replacing(
        "/issues/\(number)", with: "/issues/\(number + 2)")
    }
  }

  /// The same answer, about another repository than the one written to.
  fileprivate func namingAnotherRepository(than request: LoopbackRequest) -> LoopbackResponse {
    let parts = request.path.split(separator: "/").drop { $0 != "repos" }.dropFirst()
    guard parts.count > 1 else { return self }
    let name = parts.prefix(2).joined(separator: "/")
    return with { response in
      let text = String(decoding: body, as: UTF8.self)
      response.body = Data(text.replacing(name, with: "mallory/elsewhere").utf8)
      response.headers["Location"] = headers["Location"]?.replacing(
        name, with: "mallory/elsewhere")
    }
  }
}

/// A repository in `/_loopback/state`.
private struct StateJSON {
  let book: IssueBook

  func text(_ repository: LoopbackRepository, changesOnly: Bool) -> String {
    let issues = changesOnly ? book.changedNumbers.compactMap(book.issue) : book.issues
    return """
      {"full_name":\(JSONText.string(repository.fullName)),\
      "issues":\(JSONText.array(issues.map(issue))),\
      "labels":\(JSONText.array(book.labels.map { JSONText.string($0.name) })),\
      "milestones":\(JSONText.array(book.milestones.map { JSONText.string($0.title) }))}
      """
  }

  private func issue(_ issue: SyntheticIssue) -> String {
    """
    {"number":\(issue.number),"id":\(GitHubJSON.issueID(issue)),\
    "title":\(JSONText.string(issue.title)),"body":\(JSONText.string(issue.body)),\
    "state":"\(issue.isOpen ? "open" : "closed")",\
    "state_reason":\(JSONText.string(issue.stateReason)),\
    "author":\(JSONText.string(issue.author)),\
    "labels":\(strings(issue.labels.map(\.name))),"assignees":\(strings(issue.assignees)),\
    "milestone":\(issue.milestone.map { "\($0)" } ?? "null"),\
    "type":\(JSONText.string(issue.type)),"locked":\(issue.isLocked),\
    "lock_reason":\(JSONText.string(issue.lockReason)),"pinned":\(issue.isPinned),\
    "written":\(issue.isWritten),"created_at":\(JSONText.time(issue.createdAt)),\
    "updated_at":\(JSONText.time(issue.updatedAt)),"reactions":\(reactions(issue.reactions)),\
    "comments":\(JSONText.array(book.comments(on: issue.number).map { comment($0, on: issue) }))}
    """
  }

  private func comment(_ comment: SyntheticComment, on issue: SyntheticIssue) -> String {
    """
    {"id":\(GitHubJSON.commentID(comment.index, on: issue)),\
    "author":\(JSONText.string(comment.author)),"body":\(JSONText.string(comment.body)),\
    "written":\(comment.isWritten),"created_at":\(JSONText.time(comment.createdAt)),\
    "updated_at":\(JSONText.time(comment.updatedAt)),"reactions":\(reactions(comment.reactions))}
    """
  }

  private func reactions(_ reactions: [SyntheticReaction]) -> String {
    strings(reactions.map { "\($0.user) \($0.content)" })
  }

  private func strings(_ texts: [String]) -> String {
    JSONText.array(texts.map { JSONText.string($0) })
  }
}
