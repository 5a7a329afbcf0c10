/// A row of the table of faults: a fault, a promise, and the outcome.
///
/// Tests run the same rows against the library and the built command. `Documentation/contributing/faults.md` is
/// their table.
public struct FaultCase: Sendable {
  /// The place of the fault in a listing.
  public enum Stage: String, Sendable, CaseIterable {
    /// The first request, which looks up the repository.
    case lookUp
    /// The second page of the list, after a hundred rows.
    case nextPage
  }

  /// One run of a row: the place of the fault, and how often it strikes.
  public struct Run: Sendable, CustomStringConvertible {
    /// The place.
    public var stage: Stage
    /// Whether it strikes once, and a repeated request makes the list whole.
    public var isPassing: Bool

    /// The place, and whether the fault passes.
    public var description: String { "\(stage)\(isPassing ? ", once" : "")" }
  }

  /// The outcome.
  public enum Outcome: Sendable {
    /// The whole list with `rows` rows, and exit status 0.
    case complete(rows: Int = FaultCase.issueCount)
    /// An error: the command's exit status, the library's code with its reason in parentheses, and words of the
    /// message.
    case failure(Int32, String, [String])
  }

  /// The heading above it.
  public var group = ""
  /// The number of rows above it, under the same heading.
  private var place = 0
  /// The fault.
  public var fault: String
  /// The promise.
  public var promise: String
  /// The outcome.
  public var outcome: Outcome
  /// The places of the fault, with one run each.
  public var stages = Stage.allCases
  /// Words that the command adds to the library's message.
  public var advice: [String] = []
  /// Whether a retry helps: if the fault strikes once, the list is whole.
  public var isWorthRetrying = false
  /// How often the faulty request is sent, even if repeating it would help otherwise; nil leaves that open, and nothing
  /// may be sent again.
  public var attempts: Int?
  /// The requested repository.
  public var repository = FaultCase.repositoryName
  /// The access token.
  public var token = FaultCase.token
  /// The longest tolerated silence; nil for the default.
  public var idle: Duration?
  /// The number of requested issues; nil for all.
  public var limit: Int?
  /// Further options of the command.
  public var options: [String] = []
  /// Makes the servers around the fault.
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

  /// A fault in answers of an otherwise correct server.
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

  /// A fault in answers of an otherwise correct server that a retry overcomes.
  static func passing(
    _ fault: String, _ promise: String, _ outcome: Outcome, by loopbackFault: LoopbackFault,
    _ change: (inout FaultCase) -> Void = { _ in }
  ) -> FaultCase {
    FaultCase(fault, promise, outcome, by: loopbackFault) {
      $0.isWorthRetrying = true
      change(&$0)
    }
  }

  /// Its runs: a lasting fault at each stage, and one that strikes once at the last stage. In an ordinary run of the
  /// tests it is one of them, another for the next row.
  public var runs: [Run] {
    var runs = stages.map { Run(stage: $0, isPassing: false) }
    if isWorthRetrying, let last = stages.last { runs.append(Run(stage: last, isPassing: true)) }
    return runsFullTests ? runs : [runs[place % runs.count]]
  }

  /// Runs `body` with the servers of a run, and stops them.
  ///
  /// - Throws: The error of `body`, or of starting a server.
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

  /// The servers' repository: `swiftlang/swift`.
  public static let repositoryName = "swiftlang/swift"
  /// The number of its open issues.
  public static let issueCount = 250
  /// A secret token for its own server only. Some of its characters look different in a URL.
  public static let token = "ghp_Leak+canary/7Zq4b1c9eXw=v2K8mP5"
  /// The part of ``token`` that looks the same in every encoding but base64.
  public static let tokenCore = "7Zq4b1c9eXw"

  /// Why no server can speak TLS here; nil if one can.
  public static var tlsProblem: String? { CertificateAuthority.problem }

  /// Every row that can run here: without TLS, not those that need it.
  public static var runnable: [FaultCase] {
    tlsProblem == nil ? all : all.filter { !$0.needsTLS }
  }

  /// Whether it needs a certificate.
  public var needsTLS = false

  /// Every row.
  public static let all: [FaultCase] = [
    ("The connection", connection), ("Certificates", certificates), ("Proxies", proxies),
    ("Heads and bodies", messages), ("What the server answers", answers),
    ("Limits", limits), ("Redirects and pages", redirects),
    ("Hostile text", hostileText), ("Names", names), ("Tokens", tokens),
  ].flatMap { group, cases in
    cases.enumerated().map { place, row in
      var row = row
      (row.group, row.place) = (group, place)
      return row
    }
  }
}

extension FaultCase: CustomStringConvertible {
  /// The fault.
  public var description: String { fault }
}
