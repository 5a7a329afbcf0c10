import Foundation
import GitHubAPI
import IssueOutbox
import TestSupport
import outbox_probe

/// The server of one run: its faults, the changes of another user, and the times of kills.
///
/// Everything is decided by the seed and the order in which requests come, which differs where two processes send.
final class OutboxWorld: Sendable {
  /// When a process is killed: by the number of requests that come first.
  struct Kill: Sendable {
    var process: CommandRun
    var requestsLeft: Int
    /// Whether the process is gone before the request is carried out, or right after that.
    var isBefore: Bool
  }

  fileprivate struct State: Sendable {
    var dice: FuzzSource
    var hasAccidents = true
    var kills: [Kill] = []
    /// The texts that answers showed last, by the path of an issue.
    var shown: [String: [String: String]] = [:]
    /// The texts that a new text may replace; nothing for a new text that may replace any.
    var approvals: [String: Set<String>] = [:]
    /// The new texts whose writer saw none: they may replace what the first attempt finds.
    var unseen: Set<String> = []
    var problems: [String] = []
    var notes: [String] = []
    var othersChanges = 0
    /// The logins that settled a conflict, by their texts.
    var settlers: [String: String] = [:]
    /// The names of the uploaded files that texts have referred to.
    var referred: Set<String> = []
    /// The number of comments that another user wrote, by issue number.
    var othersComments: [Int: Int] = [:]
    /// The comments that another user deleted.
    var deletedComments: Set<Int64> = []
    /// The server's commits, in order.
    var commits: [OutboxCommit] = []
    /// The receipts of ``commits``, by their places.
    var committed: Set<Int> = []
    /// How many issues there were.
    var issueCount = OutboxScript.recipe.count
  }

  /// The server.
  let github: LoopbackGitHub
  /// The repository with the known issues.
  let repository: LoopbackRepository
  /// The repository that issues are transferred to.
  let elsewhere: LoopbackRepository
  private let forge: LoopbackForge
  private let clock: SharedClock
  private let state: Watched<State>
  private let accidents: Int
  /// The issues that the person wants.
  private let wishedIssues: [NewIssue]
  /// The comments that the person wants.
  private let wishedComments: [String]

  /// Makes the world of a seed.
  init(seed: UInt64, script: OutboxScript, clock: SharedClock) {
    (self.clock, forge) = (clock, script.forge)
    var dice = FuzzSource(seed: seed &* 0x2545_F491 &+ 7)
    repository = .swift(issues: OutboxScript.recipe)
    elsewhere = LoopbackRepository(
      id: 4, owner: "swiftlang", name: "elsewhere", issues: OutboxScript.recipe)
    var configuration = LoopbackGitHub.Configuration()
    configuration.forge = forge
    configuration.repositories = [
      repository, elsewhere,
      LoopbackRepository(id: 2, owner: "swiftlang", name: "archived", issues: OutboxScript.recipe)
        .archived(),
      LoopbackRepository(
        id: 3, owner: "swiftlang", name: "disabled", hasIssues: false,
        issues: OutboxScript.recipe),
    ]
    // Deleting an issue takes that much.
    configuration.permission = .admin
    for token in OutboxPerson.Token.allCases {
      configuration.tokenOwners[token.secret] = token.login
    }
    configuration.missingUsers = [OutboxScript.missingUser]
    configuration.lineEnds = dice.pick(LoopbackLineEnds.allCases)
    configuration.movedWriteStatus = dice.pick([301, 307, 308])
    configuration.searchLag = 1_000
    configuration.notifications = OutboxScript.threads.map {
      SyntheticNotification(id: Int($0), number: 1)
    }
    configuration.notificationLag = 3
    configuration.keepsReads = true
    var faults = LoopbackWriteFaults()
    faults.delay = 1 + dice.below(6)
    faults.retryAfter = dice.pick([0, 5, 3_000])
    configuration.writeFaults = faults
    configuration.now = { clock.date }
    github = LoopbackGitHub(configuration)
    for child in [OutboxScript.sibling, OutboxScript.moved] {
      github.attach(child, to: 1, of: repository, at: 1_700_000_000)
    }
    accidents = dice.pick([0, 10, 25, 50])
    wishedIssues = script.steps.compactMap { step in
      if case .createIssue(let issue, _) = step.sample { issue } else { nil }
    }
    wishedComments = script.steps.compactMap { step in
      if case .comment(_, let body) = step.sample { body } else { nil }
    }
    state = Watched(State(dice: dice))
    for step in script.steps { approve(step.sample) }
    // The person wrote the same before, in a browser.
    if let issue = wishedIssues.first {
      let time = Int(clock.date.timeIntervalSince1970) - 3_600
      github.addIssue(to: repository) {
        ($0.title, $0.body) = (forge.stored(title: issue.title), issue.body)
        $0.author = OutboxPerson.Token.first.login
        ($0.createdAt, $0.updatedAt) = (time, time)
      }
    }
  }

  /// The violations during the run.
  var problems: [String] { state.read(\.problems) }
  /// The events of the run, for a report.
  var notes: [String] { state.read(\.notes) }

  /// The server's commits, in order.
  var commits: [OutboxCommit] { state.read(\.commits) }
  /// The logins that settled a conflict, by their texts.
  var settlers: [String: String] { state.read(\.settlers) }
  /// The comments that another user deleted.
  var deletedComments: Set<Int64> { state.read(\.deletedComments) }
  /// The number of comments that another user wrote, by issue number.
  var othersComments: [Int: Int] { state.read(\.othersComments) }

  /// Notes what happened, for a report.
  func note(_ text: String) { state.update { $0.notes.append(text) } }

  /// Ends all faults and the changes of other users.
  func calmDown() {
    state.update { ($0.hasAccidents, $0.kills) = (false, []) }
    settle()
  }

  /// Carries out what is delayed.
  func settle() {
    state.update { state in
      github.settle()
      noteCommits(&state)
    }
  }

  /// Sets the processes to kill.
  func plan(_ kills: [Kill]) { state.update { $0.kills = kills } }

  // MARK: Texts that may replace others

  /// Takes in what the texts of a change may replace.
  private func approve(_ change: Change) {
    let texts: [TextChange?] =
      switch change {
      case .edit(_, let edit): [edit.title, edit.body]
      case .editComment(_, _, let text): [text]
      default: []
      }
    for text in texts.compactMap(\.self) {
      if let base = text.base {
        approve(text.text, over: base)
      } else {
        state.update { _ = $0.unseen.insert(text.text.asKept) }
      }
    }
  }

  /// Lets a text replace another one: the person saw that.
  func approve(_ text: String, over other: String) {
    let approved = [text, other].flatMap { [$0.asKept, forge.stored(title: $0).asKept] }
    state.update { $0.approvals[text.asKept, default: []].formUnion(approved) }
  }

  /// Lets a text settle a conflict with another one, as somebody.
  func settle(_ text: String, over other: String, as login: String) {
    approve(text, over: other)
    state.update { $0.settlers[text.asKept] = login }
  }

  // MARK: Answering

  /// The handler of the server.
  var handler: LoopbackServer.Handler {
    { request in await self.answer(to: request) }
  }

  fileprivate struct Plan {
    var fault: LoopbackWriteFault?
    var breaksRead = false
    var changesByOthers: [UInt64] = []
    var killBefore: [CommandRun] = []
    var killAfter: [CommandRun] = []
  }

  private func answer(to request: LoopbackRequest) async -> LoopbackResponse {
    let plan = state.update { $0.plan(for: request, accidents: accidents) }
    for choice in plan.changesByOthers { changeAsSomebodyElse(choice, before: request) }
    if let fault = plan.fault {
      github.strike(fault) { $0.number == request.number }
      note("request \(request.number): \(fault.rawValue)")
    }
    checkTexts(of: request)
    checkFiles(of: request)
    for process in plan.killBefore { kill(process, "before", request) }
    // One at a time, so that the order of commits is known.
    let response = state.update { state in
      defer { noteCommits(&state) }
      return github.respond(to: request)
    }
    if !plan.breaksRead, plan.fault == nil { noteTexts(of: response, to: request) }
    for process in plan.killAfter { kill(process, "after", request) }
    if plan.breaksRead { note("request \(request.number): reset") }
    return plan.breaksRead
      ? LoopbackFault.reset(.beforeHead).applied(to: response) : response
  }

  private func kill(_ process: CommandRun, _ when: String, _ request: LoopbackRequest) {
    note("killed \(process.processIdentifier) \(when) request \(request.number)")
    process.send(signal: 9)
  }

  /// A text goes out over another one only if the server showed that since the last attempt.
  private func checkTexts(of request: LoopbackRequest) {
    guard request.method == "PATCH", let sent = OutboxCommit.texts(in: request.body) else { return }
    state.update { state in
      for (field, text) in sent {
        let shown = state.shown[request.path]?[field]
        if state.unseen.remove(text) != nil {
          state.approvals[text, default: [text]].formUnion(shown.map { [$0] } ?? [])
        }
        guard let approved = state.approvals[text] else { continue }
        if shown.map(approved.contains) != true {
          state.problems.append(
            """
            request \(request.number) sets the \(field) \(text.debugDescription) where the server showed \
            \(shown.debugDescription), not \(approved)
            """)
        }
      }
      if !sent.isEmpty { state.shown[request.path] = nil }
    }
  }

  /// A text refers only to uploaded files, and a file that a text has referred to isn't uploaded again, whatever
  /// becomes of the text.
  private func checkFiles(of request: LoopbackRequest) {
    guard request.method != "GET" else { return }
    state.update { state in
      if request.path.hasPrefix("/user-attachments") {
        let name = request.queryValue("name") ?? ""
        if state.referred.contains(name) { state.problems.append("\(name) is uploaded again") }
        return
      }
      let body = String(decoding: request.body, as: UTF8.self).replacing("\\/", with: "/")
      if body.contains(/attachment:[0-9a-f]{16}|FILE/) {
        state.problems.append("request \(request.number) refers to a file that wasn't uploaded")
      }
      for match in body.matches(of: /\/user-attachments\/assets\/[0-9a-f-]{36}/) {
        guard let upload = github.uploads.first(where: { $0.url.hasSuffix(match.0) }) else {
          state.problems.append("request \(request.number) refers to an unknown file")
          continue
        }
        state.referred.insert(upload.name)
      }
    }
  }

  private func noteTexts(of response: LoopbackResponse, to request: LoopbackRequest) {
    guard forge == .gitHub ? response.status == 200 : response.status < 300,
      let shown = OutboxCommit.texts(in: response.body)
    else { return }
    state.update { $0.shown[request.path, default: [:]].merge(shown) { $1 } }
  }

  /// Takes in what the server has taken since the last call.
  private func noteCommits(_ state: inout State) {
    let receipts = github.receipts
    let issues = github.issues(of: repository)
    let known = state.issueCount
    var numbers = issues.filter { $0.number > known && $0.isWritten }.map(\.number)[...]
    state.issueCount = max(state.issueCount, issues.last?.number ?? 0)
    for (place, receipt) in receipts.enumerated()
    where receipt.isCommitted && !state.committed.contains(place) {
      guard receipt.method != "GET", !receipt.target.hasPrefix("/user-attachments") else {
        continue
      }
      state.committed.insert(place)
      state.commits += OutboxCommit.commits(of: receipt, on: forge) { numbers.popFirst() }
    }
  }

  // MARK: Where an issue is

  /// The present place of an issue of ``repository``; nil if it was deleted.
  func place(of number: Int) -> (repository: LoopbackRepository, number: Int)? {
    // It gets the next number there.
    if let index = transferred.firstIndex(of: number) {
      return (elsewhere, OutboxScript.recipe.count + index + 1)
    }
    let isHere = github.issues(of: repository).contains { $0.number == number }
    return isHere ? (repository, number) : nil
  }

  /// The former numbers of the issues in ``elsewhere`` that came there.
  var transferred: [Int] { commits.filter { $0.content == .transfer }.map(\.number) }

  // MARK: Another user

  private func changeAsSomebodyElse(_ choice: UInt64, before request: LoopbackRequest) {
    var dice = FuzzSource(seed: choice)
    let now = Int(clock.date.timeIntervalSince1970)
    let change = state.update { state in
      state.othersChanges += 1
      return state.othersChanges
    }
    // Often of the issue that the request is about.
    let path = request.path.dropFirst(forge.apiPath.count).split(separator: "/").dropFirst(4)
    let named =
      path.first == "comments"
      ? path.last.flatMap { Int($0) }.flatMap { LoopbackGitHub.comment(withID: $0)?.issue }
      : path.first.flatMap { Int($0) }
    let number = dice.once(in: 2) ? named ?? 1 : 1 + dice.below(4)
    let kind = dice.below(9)
    note("someone else: change \(change) of kind \(kind) of #\(number)")
    switch kind {
    case 0:
      github.changeIssue(number, of: repository) {
        ($0.title, $0.updatedAt) = ("Somebody else's title \(change)", now)
      }
    case 1:
      github.changeIssue(number, of: repository) {
        ($0.body, $0.updatedAt) = ("Somebody else's text \(change)\r\nof two lines", now)
      }
    case 2:
      github.changeIssue(number, of: repository) {
        guard let label = SyntheticIssues.labels.last, !$0.labels.contains(label) else { return }
        $0.labels.append(label)
        $0.updatedAt = now
      }
    case 3:
      // Another user's with the same text, or the user's own from a browser.
      let text = wishedComments.isEmpty ? nil : dice.pick(wishedComments)
      let isOwn = dice.once(in: 2)
      let place = github.addComment(on: number, of: repository, at: now) {
        $0.body = isOwn ? "Comment \(change)" : text ?? "Comment \(change)"
        if isOwn { $0.author = OutboxPerson.Token.first.login }
      }
      if place != nil { state.update { $0.othersComments[number, default: 0] += 1 } }
    case 4: github.deleteIssue(OutboxScript.doomed, of: repository)
    case 5:
      let comments = github.comments(on: number, of: repository)
      guard !comments.isEmpty else { return }
      github.changeComment(dice.pick(comments).index, on: number, of: repository) {
        ($0.body, $0.updatedAt) = ("Somebody else's comment \(change)", now)
      }
    case 6:
      let issue = github.issues(of: repository).first { $0.number == number }
      let comments = github.comments(on: number, of: repository).filter { !$0.isWritten }
      guard let issue, !comments.isEmpty, dice.once(in: 2) else { return }
      let index = dice.pick(comments).index
      github.deleteComment(index, on: number, of: repository)
      state.update {
        _ = $0.deletedComments.insert(Int64(LoopbackGitHub.commentID(index, on: issue)))
      }
    default:
      // The same text by another author.
      guard let issue = wishedIssues.isEmpty ? nil : dice.pick(wishedIssues) else { return }
      github.addIssue(to: repository) {
        ($0.title, $0.body) = (forge.stored(title: issue.title), issue.body)
        ($0.createdAt, $0.updatedAt) = (now, now)
      }
    }
  }
}

extension OutboxWorld.State {
  /// Decides what comes of a request.
  fileprivate mutating func plan(
    for request: LoopbackRequest, accidents: Int
  ) -> OutboxWorld.Plan {
    var plan = OutboxWorld.Plan()
    for index in kills.indices {
      kills[index].requestsLeft -= 1
      guard kills[index].requestsLeft == 0 else { continue }
      if kills[index].isBefore {
        plan.killBefore.append(kills[index].process)
      } else {
        plan.killAfter.append(kills[index].process)
      }
    }
    guard hasAccidents else { return plan }
    if dice.once(in: 6) { plan.changesByOthers.append(dice.next()) }
    guard dice.below(100) < accidents else { return plan }
    let body = String(decoding: request.body, as: UTF8.self)
    let isQuery = request.path == "/graphql" && !body.contains("mutation")
    guard request.method != "GET", !isQuery else {
      plan.breaksRead = dice.once(in: 4)
      return plan
    }
    var kinds =
      LoopbackWriteFault.accidents
      + [.unauthorized, .otherRepository, .loginPage, .foreignJSON]
    if request.path.hasSuffix("/lock") { kinds.append(.ignored) }
    // A delayed change of a field takes effect after later ones, undetectably.
    let countsEachTime =
      switch request.path {
      case "/graphql": body.contains("transferIssue") || body.contains("deleteIssue")
      case let path: path.hasSuffix("/issues") || path.hasSuffix("/comments")
      }
    let isDeletion =
      request.method == "DELETE" && request.path.split(separator: "/").dropLast().last == "issues"
    if request.method != "POST" || !countsEachTime, !isDeletion {
      kinds.removeAll { $0 == .commitDelayed }
    }
    // A response to a creation can name any issue, undetectably.
    if request.path.hasSuffix("/comments") { kinds.append(.otherIssue) }
    plan.fault = dice.pick(kinds)
    return plan
  }
}

extension LoopbackRepository {
  fileprivate func archived() -> LoopbackRepository {
    var repository = self
    repository.isArchived = true
    return repository
  }
}
