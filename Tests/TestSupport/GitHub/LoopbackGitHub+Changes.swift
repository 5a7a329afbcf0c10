extension LoopbackGitHub {
  /// The existing issues and pull requests of a repository, by ascending number.
  public func issues(of repository: LoopbackRepository) -> [SyntheticIssue] {
    store(of: repository).read(\.issues)
  }

  /// Changes an issue while the server runs. The caller sets `updatedAt`.
  public func changeIssue(
    _ number: Int, of repository: LoopbackRepository, _ change: (inout SyntheticIssue) -> Void
  ) {
    store(of: repository).update { $0.change(number, change) }
  }

  /// Adds an issue while the server runs.
  ///
  /// - Returns: Its number.
  @discardableResult
  public func addIssue(
    to repository: LoopbackRepository, _ change: (inout SyntheticIssue) -> Void = { _ in }
  ) -> Int {
    store(of: repository).update { $0.add(change) }
  }

  /// Deletes an issue. Requests for it then get a 410.
  public func deleteIssue(_ number: Int, of repository: LoopbackRepository) {
    store(of: repository).update { $0.remove(number, .deleted) }
  }

  /// Transfers an issue with its comments. It gets the next number in the other repository, and its old address
  /// redirects there.
  ///
  /// - Returns: Its new number; nil if there is no such issue.
  @discardableResult
  public func transferIssue(
    _ number: Int, of repository: LoopbackRepository, to other: LoopbackRepository
  ) -> Int? {
    guard let issue = store(of: repository).read({ $0.issue(number) }) else { return nil }
    let comments = comments(on: number, of: repository)
    let numberThere = store(of: other).update { book in
      let numberThere = book.add { $0 = issue }
      book.takeOver(comments, on: numberThere)
      return numberThere
    }
    store(of: repository).update {
      $0.remove(number, .transferred(to: other, number: numberThere))
    }
    return numberThere
  }

  // MARK: Labels and milestones

  /// Changes a label, or deletes it if `change` sets nil. No issue counts as changed.
  public func changeLabel(
    _ name: String, of repository: LoopbackRepository,
    _ change: (inout SyntheticIssue.Label?) -> Void
  ) {
    store(of: repository).update { $0.changeLabel(name, change) }
  }

  /// Changes a milestone, or deletes it if `change` sets nil. No issue counts as changed.
  public func changeMilestone(
    _ number: Int, of repository: LoopbackRepository,
    _ change: (inout SyntheticMilestone?) -> Void
  ) {
    store(of: repository).update { $0.changeMilestone(number, change) }
  }

  // MARK: Comments

  /// The id that a comment has in answers.
  public static func commentID(_ index: Int, on issue: SyntheticIssue) -> Int {
    GitHubJSON.commentID(index, on: issue)
  }

  /// The issue and the place there of the comment with an id.
  public static func comment(withID id: Int) -> (issue: Int, index: Int)? {
    GitHubJSON.commentName(id).map { ($0.issue, $0.index) }
  }

  /// The comments on an issue, oldest first; empty if there is no such issue.
  public func comments(
    on number: Int, of repository: LoopbackRepository
  ) -> [SyntheticComment] {
    store(of: repository).read { $0.comments(on: number) }
  }

  /// Writes a comment, which changes the issue and its count.
  ///
  /// - Parameters:
  ///   - number: The issue's number.
  ///   - repository: Its repository.
  ///   - time: The time, in seconds since 1970.
  ///   - change: Changes the comment before it is added.
  /// - Returns: Its place, ``SyntheticComment/index``; nil if there is no such issue.
  @discardableResult
  public func addComment(
    on number: Int, of repository: LoopbackRepository, at time: Int,
    _ change: (inout SyntheticComment) -> Void = { _ in }
  ) -> Int? {
    store(of: repository).update { $0.addComment(on: number, at: time, change) }
  }

  /// Changes a comment, but not its issue. The caller sets `updatedAt`.
  ///
  /// - Returns: Whether there is such a comment.
  @discardableResult
  public func changeComment(
    _ index: Int, on number: Int, of repository: LoopbackRepository,
    _ change: (inout SyntheticComment) -> Void
  ) -> Bool {
    store(of: repository).update { $0.changeComment(index, on: number, change) }
  }

  /// Deletes a comment. Its issue counts one less, but doesn't count as changed.
  ///
  /// - Returns: Whether there was such a comment.
  @discardableResult
  public func deleteComment(
    _ index: Int, on number: Int, of repository: LoopbackRepository
  ) -> Bool {
    store(of: repository).update { $0.deleteComment(index, on: number) }
  }

  // MARK: Activity

  /// Makes one of the changes that people make: it edits, labels, closes, reopens, opens, comments on, deletes or
  /// transfers an issue or a pull request, or edits or deletes a comment.
  ///
  /// The same repository with the same issues gets the same change.
  ///
  /// - Parameters:
  ///   - repository: The repository. Transfers go to `elsewhere` of the same owner, or delete the issue without it.
  ///   - change: The number of the change.
  ///   - seed: Selects the changes.
  ///   - time: The time, in seconds since 1970.
  public func stir(
    _ repository: LoopbackRepository, _ change: Int, seed: UInt64 = 0, at time: Int
  ) {
    var dice = FuzzSource(change, of: "change", seed: seed)
    let number = 1 + dice.below(max(store(of: repository).read(\.count), 1))
    let comment = dice.below(12)
    let kind = dice.below(100)
    // Outside this repository's lock: the other one has its own.
    if kind >= 96, let (elsewhere, _) = self.repository(repository.owner, "elsewhere"),
      elsewhere.id != repository.id
    {
      transferIssue(number, of: repository, to: elsewhere)
      return
    }
    store(of: repository).update { book in
      switch kind {
      case ..<35:
        book.touch(number, at: time) { $0.body = ($0.body ?? "") + "\n\nEdited: \(change)." }
      case ..<45:
        book.touch(number, at: time) { issue in
          let label = SyntheticIssues.labels[change % SyntheticIssues.labels.count]
          if !issue.labels.contains(label) { issue.labels.append(label) }
        }
      case ..<57:
        book.touch(number, at: time) { issue in
          issue.stateReason = issue.isOpen ? "completed" : "reopened"
          issue.closedAt = issue.isOpen ? time : nil
        }
      case ..<67:
        _ = book.add { issue in
          issue.title = "Opened by change \(change)"
          issue.isPullRequest = change.isMultiple(of: 3)
          (issue.createdAt, issue.updatedAt) = (time, time)
        }
      case ..<80:
        _ = book.addComment(on: number, at: time) { $0.body = "Written by change \(change)" }
      case ..<86:
        _ = book.changeComment(comment, on: number) { comment in
          comment.body += "\n\nEdited: \(change)."
          comment.updatedAt = max(comment.updatedAt, time)
        }
      case ..<91: _ = book.deleteComment(comment, on: number)
      default: book.remove(number, .deleted)
      }
    }
  }
}

extension IssueBook {
  /// Gives an issue the comments that it had before it came here.
  fileprivate mutating func takeOver(_ comments: [SyntheticComment], on number: Int) {
    for (index, comment) in comments.enumerated() {
      _ = changeComment(index, on: number) { mine in
        mine = comment
        mine.index = index
      }
    }
  }

  /// Changes an issue at a time. A server's clock never goes back.
  fileprivate mutating func touch(
    _ number: Int, at time: Int, _ change: (inout SyntheticIssue) -> Void
  ) {
    self.change(number) { issue in
      change(&issue)
      issue.updatedAt = max(issue.updatedAt, time)
    }
  }
}
