import PlatformModules
import TestSupport

/// People change issues and comments, and the deliveries about it are lost, repeated, late and in another order.
struct DeliveryStorm {
  struct Delivery: Sendable {
    var event: String
    var body: String
  }

  let github: LoopbackGitHub
  let repositories: [LoopbackRepository]
  var dice: FuzzSource
  private var late: [Delivery] = []

  init(_ github: LoopbackGitHub, _ repositories: [LoopbackRepository], seed: UInt64) {
    self.github = github
    self.repositories = repositories
    dice = FuzzSource(seed: seed)
  }

  /// Makes a change. Returns what is delivered now.
  mutating func change() -> [Delivery] {
    let repository = dice.pick(repositories)
    guard let made = change(repository) else { return [] }
    switch dice.below(5) {
    case 0: return []
    case 1:
      late.append(made)
      return []
    case 2: return [made, made]
    case 3:
      defer { late = [] }
      return [made] + late.reversed()
    default: return [made]
    }
  }

  private mutating func change(_ repository: LoopbackRepository) -> Delivery? {
    let time = Int(Date().timeIntervalSince1970)
    let issues = github.issues(of: repository).map(\.number)
    guard let newest = issues.last else { return nil }
    // Mostly the newest, so that changes of the same issue meet.
    let number = dice.once(in: 3) ? dice.pick(issues) : newest
    func delivery(_ event: String, _ action: String, _ number: Int, _ comment: Int? = nil)
      -> Delivery
    {
      Delivery(
        event: event,
        body: github.delivery(action, issue: number, comment: comment, of: repository))
    }
    let comment = github.comments(on: number, of: repository).last?.index
    switch (dice.below(7), comment) {
    case (0, _):
      let opened = github.addIssue(to: repository) { issue in
        (issue.createdAt, issue.updatedAt) = (time, time)
      }
      return delivery("issues", "opened", opened)
    case (2, _):
      let deleted = delivery("issues", "deleted", number)
      github.deleteIssue(number, of: repository)
      return deleted
    case (3, let comment?):
      github.changeComment(comment, on: number, of: repository) { comment in
        comment.body += "\n\nEdited."
        comment.updatedAt = time
      }
      return delivery("issue_comment", "edited", number, comment)
    case (4, let comment?):
      let deleted = delivery("issue_comment", "deleted", number, comment)
      github.deleteComment(comment, on: number, of: repository)
      return deleted
    case (5, _), (6, _):
      let written = github.addComment(on: number, of: repository, at: time)
      return delivery("issue_comment", "created", number, written)
    default:
      github.changeIssue(number, of: repository) { issue in
        issue.body = (issue.body ?? "") + "\n\nEdited."
        issue.updatedAt = time
      }
      return delivery("issues", "edited", number)
    }
  }
}
