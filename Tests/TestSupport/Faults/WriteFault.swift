/// A row of the table of faults about relations and fields: the fault during `issues edit 1 …`, and the outcome.
public struct WriteFault: Sendable, CustomStringConvertible {
  /// The fault.
  public var fault: String
  /// The promise.
  public var promise: String
  /// The arguments after `issues edit 1`.
  public var arguments: [String]
  /// The command's exit status.
  public var status: Int32
  /// Words on standard error.
  public var words: [String] = []
  /// Whether issue 1 is as wanted in the end: after `issues outbox send` where the change is kept.
  public var isDone: @Sendable (SyntheticIssue) -> Bool
  /// Changes the server before it starts.
  public var configure: @Sendable (inout LoopbackGitHub.Configuration) -> Void = { _ in }
  /// Changes issues, and makes faults ready, before the command runs.
  public var prepare: @Sendable (LoopbackGitHub, LoopbackRepository) -> Void = { _, _ in }

  /// The fault.
  public var description: String { fault }

  private init(
    _ fault: String, _ promise: String, _ arguments: [String], status: Int32,
    _ words: [String] = [],
    isDone: @escaping @Sendable (SyntheticIssue) -> Bool,
    configure: @escaping @Sendable (inout LoopbackGitHub.Configuration) -> Void = { _ in },
    prepare: @escaping @Sendable (LoopbackGitHub, LoopbackRepository) -> Void = { _, _ in }
  ) {
    self.fault = fault
    self.promise = promise
    self.arguments = arguments
    self.status = status
    self.words = words
    self.isDone = isDone
    self.configure = configure
    self.prepare = prepare
  }

  private static let addsSubIssue = ["--add-sub-issue", "2"]
  private static let untouched: @Sendable (SyntheticIssue) -> Bool = {
    $0.subIssues.isEmpty && $0.parent == nil && $0.blockedBy.isEmpty && $0.fields.isEmpty
  }

  /// All rows, in the order of the page.
  public static let all: [WriteFault] = [
    WriteFault(
      "the answer to a new sub-issue is lost",
      "kept in the outbox; the next attempt finds the sub-issue, and is done",
      addsSubIssue, status: 75, ["perhaps already made"], isDone: { $0.subIssues == [2] },
      prepare: { github, _ in github.strike(.answerLost) }),
    WriteFault(
      "the request for a new sub-issue is lost", "kept in the outbox, and sent again",
      addsSubIssue, status: 75, ["kept in the outbox"], isDone: { $0.subIssues == [2] },
      prepare: { github, _ in github.strike(.requestLost) }),
    WriteFault(
      "a proxy answers a new sub-issue with its sign-in page", "kept in the outbox, and sent again",
      addsSubIssue, status: 75, ["perhaps already made"], isDone: { $0.subIssues == [2] },
      prepare: { github, _ in github.strike(.loginPage) }),
    WriteFault(
      "a field is answered with JSON of another kind", "kept in the outbox, and sent again",
      ["--field", "Effort=3"], status: 75, ["perhaps already made"],
      isDone: { !$0.fields.isEmpty },
      prepare: { github, _ in github.strike(.foreignJSON) }),
    WriteFault(
      "the sub-issue has another parent", "refused, with the parent's name", addsSubIssue,
      status: 64,
      ["swiftlang/swift#2 is a sub-issue of swiftlang/swift#3"], isDone: untouched,
      prepare: { $0.attach(2, to: 3, of: $1) }),
    WriteFault(
      "the same, with `--replace-parent`", "moved", addsSubIssue + ["--replace-parent"], status: 0,
      isDone: { $0.subIssues == [2] }, prepare: { $0.attach(2, to: 3, of: $1) }),
    WriteFault(
      "the other issue is a pull request", "refused before anything is written", addsSubIssue,
      status: 64, ["swiftlang/swift#2 is a pull request"], isDone: untouched,
      prepare: { $0.changeIssue(2, of: $1) { $0.isPullRequest = true } }),
    WriteFault(
      "the other issue doesn't exist", "refused before anything is written",
      ["--blocked-by", "99"], status: 3, ["there is no swiftlang/swift#99"], isDone: untouched),
    WriteFault(
      "a dependency that is there already", "done", ["--blocked-by", "2"], status: 0,
      isDone: { $0.blockedBy == [2] }, prepare: { $0.block(1, by: 2, of: $1) }),
    WriteFault(
      "a dependency to remove that isn't there", "done", ["--remove-blocked-by", "2"], status: 0,
      isDone: untouched),
    WriteFault(
      "a parent to remove that isn't there", "done, without a write", ["--remove-parent"],
      status: 0,
      isDone: untouched),
    WriteFault(
      "a server without sub-issues", "says so", addsSubIssue, status: 3,
      ["the server may have no sub-issues"], isDone: untouched,
      configure: { $0.hasRelations = false }),
    WriteFault(
      "a server without dependencies", "says so", ["--blocked-by", "2"], status: 3,
      ["the server may have no dependencies"], isDone: untouched,
      configure: { $0.hasRelations = false }),
    WriteFault(
      "a token without triage access", "says what is missing", addsSubIssue, status: 3,
      ["sub-issues require triage access"], isDone: untouched, configure: { $0.permission = .read }),
    WriteFault(
      "a field that the organization doesn't have", "refused, with the names of its fields",
      ["--field", "Prio=High"], status: 3,
      ["no field “Prio”", "Priority, Effort, Target date"], isDone: untouched),
    WriteFault(
      "an option that the field doesn't have", "refused, with its options",
      ["--field", "Priority=Highest"], status: 64,
      ["no option “Highest”", "Urgent, High, Medium, Low"], isDone: untouched),
    WriteFault(
      "a text for a number", "refused before anything is written", ["--field", "Effort=much"],
      status: 64, ["requires a number"], isDone: untouched),
    WriteFault(
      "an owner without fields", "says so", ["--field", "Priority=High"], status: 3,
      ["may have no issue fields"], isDone: untouched, configure: { $0.users = ["swiftlang"] }),
    WriteFault(
      "a token without write access sets a field", "says what is missing",
      ["--field", "Priority=High"], status: 4, ["issues=write"], isDone: untouched,
      configure: { $0.permission = .triage }),
    WriteFault(
      "a field to clear that has no value", "done", ["--remove-field", "Effort"], status: 0,
      isDone: untouched),
  ]
}
