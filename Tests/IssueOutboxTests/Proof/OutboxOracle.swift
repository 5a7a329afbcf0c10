import GitHubAPI
import IssueOutbox
import TestSupport
import outbox_probe

/// Compares a journal with the server, as a person would who can look at everything.
struct OutboxOracle {
  let entries: [OutboxEntry]
  /// The entries of the steps, also dropped ones.
  let known: [Int: OutboxEntry.ID]
  let world: OutboxWorld
  let script: OutboxScript

  private typealias Content = OutboxCommit.Content

  /// The number of the issue that an entry is about; nil while there is none.
  private func number(of entry: OutboxEntry) -> Int? {
    if let thread = entry.change.thread { return -Int(thread.id) }
    guard let target = entry.change.target else { return entry.answer?.number }
    return switch target {
    case .number(let number): number
    case .pending(let id): entries.first { $0.id == id }?.answer?.number
    }
  }

  /// The step that an entry comes from.
  private func step(of entry: OutboxEntry) -> OutboxScript.Step? {
    known.first { $0.value == entry.id }.map { script.steps[$0.key] }
  }

  /// The login that an entry may be sent as.
  private func login(of entry: OutboxEntry) -> String { step(of: entry)?.token.login ?? "nobody" }

  /// The content that a nonidempotent change makes on the server; nil for any other change.
  private func content(of change: Change) -> Content? {
    OutboxCommit.contents(of: change, on: script.forge).first { $0.countsEachTime }
  }

  /// The entries that the server has taken.
  private var sent: [OutboxEntry] {
    entries.filter { $0.state == .sent && $0.repository == script.main }
  }

  // MARK: The person's answers

  /// A person's answer about an entry that may have been carried out.
  enum Word {
    case wasCarriedOut(number: Int?)
    case wasNot
  }

  /// Looks at the server for an entry that may have been carried out. Other entries have their own.
  func word(on entry: OutboxEntry) -> Word {
    guard let content = content(of: entry.change) else { return .wasNot }
    let target = entry.change.target == nil ? nil : number(of: entry)
    let login = login(of: entry)
    let commits = world.commits.filter {
      $0.content == content && $0.login == login && (target == nil || $0.number == target)
    }
    let others = entries.filter {
      $0.state == .sent && self.content(of: $0.change) == content && self.login(of: $0) == login
        && (target == nil || number(of: $0) == target)
    }
    if entry.change.target == nil {
      let taken = Set(others.compactMap { $0.answer?.number })
      return commits.first { !taken.contains($0.number) }
        .map { .wasCarriedOut(number: $0.number) } ?? .wasNot
    }
    return commits.count > others.count ? .wasCarriedOut(number: nil) : .wasNot
  }

  // MARK: What isn't as it should be

  /// The violations at the end; empty if there are none.
  func problems() -> [String] {
    states() + contents() + texts() + strangers() + shown() + properties() + notifications()
      + moves() + order()
  }

  /// Every entry has come to an end, with a reason for a refusal.
  private func states() -> [String] {
    entries.flatMap { entry -> [String] in
      var problems: [String] = []
      if step(of: entry) == nil {
        problems.append("entry \(entry.id) is no step's, or was sent as another login")
      }
      switch entry.state {
      case .sent: break
      case .refused:
        if entry.reason?.isEmpty != false {
          problems.append("entry \(entry.id) is refused without a reason")
        }
        if !mayBeRefused(entry) {
          problems.append("entry \(entry.id) is refused: \(entry.reason ?? "")")
        }
      default: problems.append("entry \(entry.id) is still \(entry.state): \(entry.reason ?? "")")
      }
      return problems
    }
  }

  /// Whether the server has good reason to refuse an entry: also since what it is about is gone.
  private func mayBeRefused(_ entry: OutboxEntry) -> Bool {
    if script.mayBeRefused(entry.change, in: entry.repository) { return true }
    if case .notification(let thread, .mute) = entry.change {
      return sent.contains {
        $0.id < entry.id && $0.change == .notification(thread, .done)
      }
    }
    let comment = entry.change.comment
    if let comment, world.deletedComments.contains(comment) { return true }
    let number = number(of: entry)
    return sent.contains { other in
      guard other.id < entry.id || isUnderOldName(entry) else { return false }
      return switch other.change {
      case .transfer, .delete: self.number(of: other) == number
      case .deleteComment(let id, _): id == comment
      default: false
      }
    }
  }

  /// Whether an entry was queued under the old name of the repository. Until the server says otherwise, that is another
  /// repository, with an order of its own.
  private func isUnderOldName(_ entry: OutboxEntry) -> Bool {
    step(of: entry)?.repository == script.renamed
  }

  /// Everything that counts each time and was sent is on the server once, as the login that wanted it, and nothing
  /// else is.
  private func contents() -> [String] {
    var problems: [String] = []
    var expected: [String: Int] = [:]
    for entry in sent {
      guard let content = content(of: entry.change) else { continue }
      guard let number = number(of: entry) else {
        problems.append("entry \(entry.id) is sent and has no number")
        continue
      }
      let key = key(of: content, on: number, by: login(of: entry))
      expected[key] = content.isRemoval ? 1 : (expected[key] ?? 0) + 1
    }
    var found: [String: Int] = [:]
    for commit in world.commits where commit.content.countsEachTime {
      found[key(of: commit.content, on: commit.number, by: commit.login), default: 0] += 1
    }
    // Another user may have deleted it first.
    let doomed = key(of: .deletion, on: OutboxScript.doomed, by: "")
    if found[doomed] == nil { expected[doomed] = nil }
    for key in Set(expected.keys).union(found.keys).sorted()
    where expected[key] != found[key] {
      problems.append("sent \(expected[key] ?? 0) times, on the server \(found[key] ?? 0): \(key)")
    }
    return problems
  }

  /// The key of a count. An issue is removed once, however many users request it: the second one finds it removed.
  private func key(of content: Content, on number: Int, by login: String) -> String {
    content.isRemoval ? "#\(number): \(content)" : "\(login) #\(number): \(content)"
  }

  /// Every text that was sent in place of another one was taken, and a comment that was to be deleted is gone.
  private func texts() -> [String] {
    let commits = world.commits
    let deleted = Set(commits.filter { $0.content == .deletion }.map(\.number))
    return sent.flatMap { entry in
      let contents = OutboxCommit.contents(of: entry.change, on: script.forge).filter { content in
        switch content {
        case .text, .commentText: return true
        case .commentDeletion(let id):
          // A comment goes with its issue.
          let number = number(of: entry) ?? 0
          return !world.deletedComments.contains(id) && !deleted.contains(number)
            && number != OutboxScript.doomed
        default: return false
        }
      }
      return contents.filter { content in !commits.contains { $0.content == content } }
        .map { "entry \(entry.id) is sent, and the server never took \($0)" }
    }
  }

  /// Nothing is on the server that the login whose token it came with didn't want there.
  private func strangers() -> [String] {
    let wishes = Set(
      script.steps.indices.flatMap { index -> [[String]] in
        let step = script.steps[index]
        guard let (number, comment) = place(of: step) else { return [] }
        let subject = OutboxScript.Subject(.number(number), comment: comment)
        return OutboxCommit.contents(of: step.change(subject), on: script.forge).map {
          ["\(number)", step.token.login, "\($0)"]
        }
      })
    return world.commits.compactMap { commit in
      switch commit.content {
      case .issue: return nil
      case .text(_, let text), .commentText(_, let text):
        if world.settlers[text] == commit.login { return nil }
      default: break
      }
      let isWished = wishes.contains([
        "\(commit.number)", commit.login, "\(commit.content)",
      ])
      return isWished
        ? nil : "nobody wanted, as \(commit.login), #\(commit.number): \(commit.content)"
    }
  }

  /// The issue and the comment that a step is about; nil where it got none.
  private func place(of step: OutboxScript.Step) -> (number: Int, comment: Int64)? {
    func entry(of index: Int) -> OutboxEntry? {
      known[index].flatMap { id in entries.first { $0.id == id } }
    }
    switch step.place {
    case nil: return nil
    case .thread(let id): return (-Int(id), 0)
    case .known(let number): return (number, 0)
    case .knownComment(let id, let number): return (number, id)
    case .new(let creation): return entry(of: creation)?.answer?.number.map { ($0, 0) }
    case .newComment(let index):
      guard let entry = entry(of: index), let number = number(of: entry), let id = entry.commentID
      else { return nil }
      return (number, id)
    }
  }

  /// Checks that the server's state agrees with its commits.
  private func shown() -> [String] {
    var problems: [String] = []
    let (commits, github) = (world.commits, world.github)
    let arrived = github.issues(of: world.elsewhere).count - OutboxScript.recipe.count
    if arrived != world.transferred.count {
      problems.append("\(arrived) issues are elsewhere instead of \(world.transferred)")
    }
    for number in Set(commits.map(\.number)).sorted() where number > 0 {
      let own = commits.filter { $0.number == number }
      let isDeleted = own.contains { $0.content == .deletion }
      guard let place = world.place(of: number) else {
        if !isDeleted, number != OutboxScript.doomed { problems.append("#\(number) is gone") }
        continue
      }
      if isDeleted { problems.append("#\(number) was deleted, and is there") }
      let written = own.count { if case .comment = $0.content { true } else { false } }
      let gone = Set(
        own.compactMap { commit -> Int64? in
          if case .commentDeletion(let id) = commit.content { id } else { nil }
        })
      let others = world.deletedComments.filter {
        LoopbackGitHub.comment(withID: Int($0))?.issue == number
      }
      let original = OutboxScript.recipe.make().first { $0.number == number }?.comments ?? 0
      let expected =
        original + written + (world.othersComments[number] ?? 0) - gone.union(others).count
      let count = github.comments(on: place.number, of: place.repository).count
      if count != expected {
        problems.append("#\(number) shows \(count) comments instead of \(expected)")
      }
    }
    return problems
  }

  /// Labels, assignees, state, lock, reactions and pins are those of the last change of each.
  private func properties() -> [String] {
    Set(sent.compactMap(number)).sorted().flatMap { number -> [String] in
      guard let place = world.place(of: number),
        let issue = world.github.issues(of: place.repository).first(where: {
          $0.number == place.number
        })
      else { return [] }
      var expected = OutboxProperties(forge: script.forge)
      for entry in sent where self.number(of: entry) == number {
        expected.take(entry.change, of: login(of: entry))
      }
      let comments =
        place.repository.id == world.repository.id
        ? world.github.comments(on: place.number, of: place.repository) : []
      return expected.differences(from: issue, with: comments).map { "#\(number): \($0)" }
    }
  }

  /// Each thread of notifications is as the last actions on it leave it.
  private func notifications() -> [String] {
    OutboxScript.threads.flatMap { id -> [String] in
      var expected = SyntheticNotification(id: Int(id), number: 1)
      for entry in sent {
        guard case .notification(let thread, let action) = entry.change, thread.id == id,
          !expected.isDone
        else { continue }
        switch action {
        case .read: expected.isRead = true
        case .done where script.forge != .gitHub: expected.isRead = true
        case .done: expected.isDone = true
        case .mute: (expected.isIgnored, expected.isSubscribed) = (true, false)
        case .unsubscribe: (expected.isIgnored, expected.isSubscribed) = (false, false)
        }
      }
      func words(_ thread: SyntheticNotification) -> String {
        """
        read \(thread.isRead), done \(thread.isDone), ignored \(thread.isIgnored), subscribed \
        \(thread.isSubscribed)
        """
      }
      let found = world.github.notifications.current.first { $0.id == Int(id) }
      return found.map(words) == words(expected)
        ? [] : ["thread \(id) is \(found.map(words) ?? "gone") instead of \(words(expected))"]
    }
  }

  /// The moved sub-issue is where its last move leaves it.
  private func moves() -> [String] {
    var expected = [OutboxScript.sibling, OutboxScript.moved]
    for entry in sent {
      switch entry.change {
      case .relate(_, .moveFirst): expected = [OutboxScript.moved, OutboxScript.sibling]
      case .relate(_, .moveAfter): expected = [OutboxScript.sibling, OutboxScript.moved]
      default: break
      }
    }
    let found = world.github.issues(of: world.repository).first { $0.number == 1 }?.subIssues ?? []
    return found == expected ? [] : ["the sub-issues are \(found) instead of \(expected)"]
  }

  /// Checks that the writes to an issue are in the order of the entries.
  private func order() -> [String] {
    var problems: [String] = []
    var taken: Set<Int> = []
    var last: [Int: (place: Int, id: OutboxEntry.ID)] = [:]
    let commits = world.commits
    for entry in sent where !isUnderOldName(entry) {
      guard let number = number(of: entry) else { continue }
      var places: [Int] = []
      for content in OutboxCommit.contents(of: entry.change, on: script.forge) {
        // The same property may be set by several, and an action on a thread may be.
        switch content {
        case .property, .notification: continue
        default: break
        }
        let place = commits.indices.first {
          !taken.contains($0) && commits[$0].number == number && commits[$0].content == content
        }
        guard let place else { continue }
        taken.insert(place)
        places.append(place)
      }
      guard let first = places.min(), let end = places.max() else { continue }
      if let before = last[number], before.place > first {
        problems.append("#\(number): entry \(entry.id) was carried out before \(before.id)")
      }
      last[number] = (end, entry.id)
    }
    return problems
  }
}

extension Change {
  /// The id of the comment that it changes, deletes or reacts to; nil for every other change.
  var comment: Int64? {
    switch self {
    case .editComment(let id, _, _), .deleteComment(let id, _), .reactToComment(let id, _, _),
      .unreactToComment(let id, _, _):
      id
    default: nil
    }
  }
}
