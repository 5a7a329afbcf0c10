internal import ArgumentParser
internal import IssueTracker

/// Subcommands and options of gh and hub that this command lacks, with their equivalents here.
enum ForeignNames {
  private static let token =
    "Use 'gh auth login', or set GH_TOKEN: 'issues auth status' shows which is used."

  /// The advice for commands, by the words after `issues`. Each value is a sentence.
  private static let commands = [
    "status": """
    'issues mine' lists the issues that concern you, 'issues inbox' your notifications, and 'issues outbox' your \
    unsent changes.
    """,
    "issue": "Leave out 'issue': 'issues list', 'issues view 12', 'issues create'.",
    "pr": """
    'issues list --include-pull-requests' lists pull requests and 'issues view' shows one; for anything else, \
    use 'gh pr'.
    """,
    "new": "'issues create' creates an issue.",
    "login": token, "logout": token, "auth login": token, "auth logout": token, "auth token": token,
    "auth refresh": token, "auth switch": token,
    "config list": "'issues config' shows all settings.",
    "config get": "'issues config' shows all settings.",
    "config set": "'issues config edit' opens the configuration file.",
    "version": "'issues --version' shows the version.",
    "completion": "'issues --generate-completion-script bash' (or zsh, fish) prints the script.",
    "notifications": "'issues inbox' lists your notifications.",
    "repo": "'issues repos NAME' lists the repositories of a user or an organization.",
    "api":
      "'issues list --json' prints the server's JSON; for other requests, use 'gh api'.",
  ]

  private static let templates = """
    Templates are not supported: use --json with --jq, such as --json number,title --jq '.[] | "\\(.number) \\(.title)"'.
    """

  private static let projects =
    "Add issues with 'issues edit NUMBER --add-project OWNER/NUMBER'; remove them with 'gh issue edit'."

  /// The advice for options, by the name of the subcommand, or for any subcommand. Each value is a sentence.
  private static let options: [String: [String: String]] = [
    "": [
      "--template": templates, "-t": templates, "--project": projects, "--add-project": projects,
      "--remove-project": projects,
    ],
    "list": [
      "--app": "Use --author app/NAME.",
      "-M": "Use -m or --milestone.", "-c": "Use -A or --author.", "-@": "Use --mention.",
      "--creator": "Use -A or --author.", "--mentioned": "Use --mention.",
      "-o": "Use --sort.", "-d": "Use --since.", "-^": "Use --order asc.",
      "--sort-ascending": "Use --order asc.", "-f": "Use --json with --jq.",
      "--format": "Use --json with --jq.", "--include-pulls": "Use --include-pull-requests.",
    ],
    "comment": ["--web": "'issues open NUMBER' opens the issue's page, where you can comment."],
    "edit": [
      "--label": "Use --add-label or --remove-label.", "-l": "Use --add-label or --remove-label.",
      "--assignee": "Use --add-assignee or --remove-assignee.",
      "-a": "Use --add-assignee or --remove-assignee.",
    ],
    "search": [
      "--owner": "Write org:NAME or user:NAME in the query.",
      "--label": "Write label:NAME in the query.", "--state": "Write is:open in the query.",
      "--author": "Write author:LOGIN in the query.",
      "--assignee": "Write assignee:LOGIN in the query.",
      "--milestone": "Write milestone:TITLE in the query.",
      "--created": "Write created:>DATE in the query.",
      "--updated": "Write updated:>DATE in the query.",
      "--sort": "Write sort:updated in the query.",
      "--order": "Write sort:updated-asc in the query.",
      "--match": "Write in:title in the query.",
    ],
  ]

  static func advice(onCommand words: [String]) -> String? {
    commands[words.joined(separator: " ")]
  }

  /// The parser's message. If it is about such an option, advice replaces the parser's suggestion, which only looks
  /// similar.
  static func advised(_ message: String, in arguments: [String]) -> String {
    guard let unknown = message.firstMatch(of: /Unknown option '(--?[^']+)'/) else {
      return message
    }
    let option = String(unknown.output.1)
    let command = IssuesCommand.subcommand(at: arguments[...])._commandName
    let beginning = String(message[..<unknown.range.upperBound])
    if let advice = options[""]?[option] { return advice }
    if let advice = options[command]?[option] { return "\(beginning). \(advice)" }
    guard let suggested = message.firstMatch(of: /Did you mean '--([^']+)'\?/) else {
      return message
    }
    let isAlike =
      Spelling.nearest(to: String(option.drop { $0 == "-" }), among: [String(suggested.output.1)])
      != nil
    return isAlike ? message : beginning
  }
}
