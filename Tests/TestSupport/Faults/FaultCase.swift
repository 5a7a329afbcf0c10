/// A row of the table of faults: what goes wrong, what is promised, and what comes of it.
///
/// The same rows are run against the library and against the built command, and are the table of
/// `Documentation/faults.md`.
public struct FaultCase: Sendable {
  /// Where in a listing it happens.
  public enum Stage: String, Sendable, CaseIterable {
    /// With the first request, which looks the repository up.
    case lookUp
    /// With the second page of the list, when a hundred rows are there.
    case nextPage
  }

  /// One run of a row: where the fault strikes, and how often.
  public struct Run: Sendable, CustomStringConvertible {
    /// Where.
    public var stage: Stage
    /// Whether it strikes once, and the list becomes whole by a request that is sent again.
    public var isPassing: Bool

    /// Where, and whether it passes.
    public var description: String { "\(stage)\(isPassing ? ", once" : "")" }
  }

  /// What comes of it.
  public enum Outcome: Sendable {
    /// The whole list of so many rows, and exit status 0.
    case complete(rows: Int = FaultCase.issueCount)
    /// An error: the command's exit status, the code that the library throws (with its reason, in
    /// parentheses), and words of the message.
    case failure(Int32, String, [String])
  }

  /// The heading that it stands under.
  public var group = ""
  /// What goes wrong.
  public var fault: String
  /// What is promised.
  public var promise: String
  /// What comes of it.
  public var outcome: Outcome
  /// Where it happens; one run each.
  public var stages = Stage.allCases
  /// Words of what the command says besides the library's message.
  public var advice: [String] = []
  /// Whether it is worth another try: striking once, it leaves the list whole.
  public var isWorthRetrying = false
  /// How often the request that it happens to is sent, although it would be sent again if that were of any
  /// use; nil where that is left open, and nothing is to be sent again.
  public var attempts: Int?
  /// The repository that is asked for.
  public var repository = FaultCase.repositoryName
  /// The access token that is used.
  public var token = FaultCase.token
  /// The longest silence that is put up with; nil for the default.
  public var idle: Duration?
  /// How many issues are wanted; nil for all.
  public var limit: Int?
  /// Options of the command beside those of the properties above.
  public var options: [String] = []
  /// Makes the servers that it happens between.
  let makeWorld: @Sendable (Run) async throws -> FaultWorld

  init(
    _ fault: String, _ promise: String, _ outcome: Outcome,
    in makeWorld: @escaping @Sendable (Run) async throws -> FaultWorld
  ) {
    self.fault = fault
    self.promise = promise
    self.outcome = outcome
    self.makeWorld = makeWorld
  }

  /// What happens to answers of a server that is otherwise right.
  init(
    _ fault: String, _ promise: String, _ outcome: Outcome, by loopbackFault: LoopbackFault,
    _ change: (inout FaultCase) -> Void = { _ in }
  ) {
    self.init(fault, promise, outcome) { run in
      try await .github(run.stage, loopbackFault, times: run.isPassing ? 1 : .max)
    }
    change(&self)
  }

  /// The same row, changed.
  func with(_ change: (inout FaultCase) -> Void) -> FaultCase {
    var copy = self
    change(&copy)
    return copy
  }

  /// What happens to answers of a server that is otherwise right, and is worth another try.
  static func passing(
    _ fault: String, _ promise: String, _ outcome: Outcome, by loopbackFault: LoopbackFault,
    _ change: (inout FaultCase) -> Void = { _ in }
  ) -> FaultCase {
    FaultCase(fault, promise, outcome, by: loopbackFault) {
      $0.isWorthRetrying = true
      change(&$0)
    }
  }

  /// Its runs: with a fault that stays at every stage, and with one that strikes once at the last.
  public var runs: [Run] {
    let lasting = stages.map { Run(stage: $0, isPassing: false) }
    guard isWorthRetrying, let last = stages.last else { return lasting }
    return lasting + [Run(stage: last, isPassing: true)]
  }

  /// Runs `body` with the servers of a run, and stops them.
  ///
  /// - Throws: What `body` throws, or that a server couldn't be started.
  public func withWorld<Result>(
    of run: Run, isolation: isolated (any Actor)? = #isolation,
    perform body: (FaultWorld) async throws -> Result
  ) async throws -> Result {
    let world = try await makeWorld(run)
    do {
      let result = try await body(world)
      await world.stop()
      return result
    } catch {
      await world.stop()
      throw error
    }
  }

  /// The repository that the servers have: `swiftlang/swift`.
  public static let repositoryName = "swiftlang/swift"
  /// How many open issues it has.
  public static let issueCount = 250
  /// A token that no server but its own may see, and nobody may read. With characters that look different
  /// in a URL.
  public static let token = "ghp_Leak+canary/7Zq4b1c9eXw=v2K8mP5"
  /// What of ``token`` looks the same in all writings but base64.
  public static let tokenCore = "7Zq4b1c9eXw"

  /// Why no server can speak TLS here; nil where it can.
  public static var tlsProblem: String? { CertificateAuthority.problem }

  /// Every row; without those that need TLS where it can't be served.
  public static var runnable: [FaultCase] {
    tlsProblem == nil ? all : all.filter { !$0.needsTLS }
  }

  /// Whether a certificate has to be made for it.
  public var needsTLS = false

  /// Every row.
  public static let all: [FaultCase] = [
    ("The connection", connection), ("Certificates", certificates), ("Proxies", proxies),
    ("Heads and bodies", messages), ("What the server answers", answers),
    ("Limits", limits), ("Redirects and pages", redirects),
    ("Hostile text", hostileText), ("Names", names), ("Tokens", tokens),
  ].flatMap { group, cases in
    cases.map { row in
      var row = row
      row.group = group
      return row
    }
  }
}

extension FaultCase: CustomStringConvertible {
  /// What goes wrong.
  public var description: String { fault }
}
