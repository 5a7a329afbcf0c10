/// A row of the table of faults that only the command meets: lists of several repositories, syncs of many, and
/// features that servers may lack.
///
/// The server has the organization `acme` with `repo-1` and `repo-2`, each with two open issues.
public struct CommandFault: Sendable, CustomStringConvertible {
  /// The fault.
  public var fault: String
  /// The promise.
  public var promise: String
  /// The words of the command.
  public var command: [String]
  /// The exit status.
  public var status: Int32
  /// The number of lines on standard output; nil for any.
  public var rows: Int?
  /// Words of standard error.
  public var words: [String]
  /// The end of the struck paths; nil where the server is right.
  public var struckPath: String?
  /// The answer to requests for them.
  public var error = GitHubError.notFound
  /// Whether the command has a token.
  public var hasToken = true
  /// Changes the server.
  public var configure: @Sendable (inout LoopbackGitHub.Configuration) -> Void = { _ in }

  private init(
    _ fault: String, _ promise: String, _ command: [String], _ status: Int32, rows: Int?,
    _ words: [String], _ change: (inout Self) -> Void = { _ in }
  ) {
    self.fault = fault
    self.promise = promise
    self.command = command
    self.status = status
    self.rows = rows
    self.words = words
    change(&self)
  }

  /// The fault.
  public var description: String { fault }

  /// A server that answers as the row wants.
  public func makeGitHub() -> LoopbackGitHub {
    var configuration = LoopbackGitHub.Configuration()
    configuration.tokenOwner = "ada"
    configuration.repositories = (1...2).map { number in
      LoopbackRepository(
        id: number, owner: "acme", name: "repo-\(number)",
        issues: SyntheticIssues(count: 2, pullRequests: 0, closed: 0, newest: 1_700_000_000))
    }
    configure(&configuration)
    let github = LoopbackGitHub(configuration)
    if let struckPath {
      github.intercept(
        where: { $0.path.hasSuffix(struckPath) },
        response: { [error] _, now in error.response(now: now) })
    }
    return github
  }

  /// Every row.
  public static let all = [
    CommandFault(
      "`mine` without a token", "an error that says what it is for", ["mine", "--created"], 4,
      rows: 0,
      ["only an access token identifies you"]
    ) { $0.hasToken = false },
    CommandFault(
      "`mine` with a token that the server refuses", "an error", ["mine", "--created"], 4, rows: 0,
      ["token"]
    ) {
      $0.struckPath = "/issues"
      $0.error = .badCredentials
    },
    CommandFault(
      "`mine`, and single sign-on withholds an organization", "the rest is listed, and it is said",
      ["mine", "--created"], 4, rows: nil, ["single sign-on"]
    ) { $0.configure = { $0.singleSignOn = ["acme": 7] } },
    CommandFault(
      "one of several listed repositories isn't there", "the others are listed, and it is named",
      ["acme/repo-1", "acme/no-such", "acme/repo-2"], 3, rows: 4, ["acme/no-such"]),
    CommandFault(
      "one of several listed repositories fails (500)", "as above",
      ["acme/repo-1", "acme/repo-2", "--retries", "0"], 6, rows: 2, ["acme/repo-2", "500"]
    ) {
      $0.struckPath = "/repos/acme/repo-2/issues"
      $0.error = .serverError
    },
    CommandFault(
      "the list of an organization that isn't there", "an error that names it", ["org:nobody"], 3,
      rows: 0,
      ["no organization “nobody”"]),
    CommandFault(
      "`sync` of an organization that isn't there", "an error that names it; nothing is synced",
      ["sync", "--org", "nobody", "acme/repo-1"], 3, rows: 0, ["“nobody”"]),
    CommandFault(
      "`sync` of a pattern that nothing matches", "as above", ["sync", "acme/x*"], 3, rows: 0,
      ["no repository of acme matches 'acme/x*'"]),
    CommandFault(
      "one of several synced repositories may not be read (403)",
      "the others are synced, and it is named",
      ["sync", "--org", "acme"], 4, rows: 1, ["acme/repo-2", "1 of 2 repositories"]
    ) {
      $0.struckPath = "/repos/acme/repo-2/issues"
      $0.error = .forbidden
    },
    CommandFault(
      "`inbox` without a token", "an error", ["inbox"], 4, rows: 0,
      ["notifications need an access token"]
    ) { $0.hasToken = false },
    CommandFault(
      "`inbox` with a fine-grained token (403)", "an error that names the kind of token", ["inbox"],
      4, rows: 0,
      ["Only classic tokens"]
    ) {
      $0.struckPath = "/notifications"
      $0.error = .forbidden
    },
    CommandFault(
      "`tree` of a server without sub-issues", "an error; it isn't asked again for a month",
      ["tree", "acme/repo-1", "1"], 3, rows: 0, ["has no sub-issues"]
    ) { $0.configure = { $0.hasRelations = false } },
    CommandFault(
      "`tree --offline` where nothing is mirrored",
      "an error that names the command which mirrors it",
      ["tree", "acme/repo-1", "1", "--offline"], 3, rows: 0, ["issues sync acme/repo-1"]),
    CommandFault(
      "`sync --timeline` of a server without timelines",
      "the rest is synced, and it is said; it isn't asked again for a month",
      ["sync", "acme/repo-1", "--timeline"], 0, rows: 1, ["doesn't provide timelines"]
    ) { $0.configure = { $0.hasRelations = false } },
    CommandFault(
      "`list --field` with a field that the organization hasn't (422)",
      "an error with the server's words", ["acme/repo-1", "--field", "Priority=High"], 64, rows: 0,
      ["issue_field_values"]
    ) {
      $0.struckPath = "/repos/acme/repo-1/issues"
      $0.error = .validationFailed(field: "issue_field_values")
    },
    CommandFault(
      "`ready` of a server without dependencies", "the list, and a note", ["ready", "acme/repo-1"],
      0, rows: nil,
      ["doesn't have issue dependencies"]
    ) {
      $0.configure = { configuration in
        configuration.hasRelations = false
        // Some of them are unassigned.
        configuration.repositories[0].issues.count = 20
      }
    },
    CommandFault(
      "`similar` where nothing is mirrored", "an error that names the command which mirrors it",
      ["similar", "acme/repo-1", "1"], 3, rows: 0, ["issues sync acme/repo-1"]),
    CommandFault(
      "`context` of an issue that isn't there", "an error", ["context", "acme/repo-1", "99"], 3,
      rows: 0,
      ["acme/repo-1#99"]),
  ]
}
