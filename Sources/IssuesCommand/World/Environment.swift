internal import CTerminal

/// The environment variables that the command reads.
enum Environment {
  /// The variables of the process. If two have the same name, the first is used, as by `getenv`. `ProcessInfo` takes
  /// more time to initialize than a list takes to be written.
  static func ofProcess() -> [String: String] {
    var variables: [String: String] = [:]
    var index = 0
    while let entry = unsafe cterminal_environment_entry(index) {
      index += 1
      let text = unsafe String(cString: entry)
      guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let name = String(text[..<mark])
      if variables[name] == nil { variables[name] = String(text[text.utf8.index(after: mark)...]) }
    }
    return variables
  }

  static let tokenVariables = [
    "GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN", "FORGEJO_TOKEN",
    "GITEA_TOKEN",
  ]

  /// The variables that may contain passwords of databases.
  private static let databaseVariables = [DatabaseName.variable, "PGPASSWORD"]

  /// The variables with keys.
  private static let keyVariables = [GitHubApp.Variable.key, "ISSUES_WEBHOOK_SECRET"]

  /// The variables for git, gh, the pager and the browser, which don't receive tokens.
  static func withoutSecrets(_ environment: [String: String]) -> [String: String] {
    let secret = tokenVariables + databaseVariables + keyVariables
    return environment.filter { !secret.contains($0.key) }
  }

  /// The values that must never be shown.
  static func secrets(in environment: [String: String]) -> [String] {
    tokenVariables.compactMap {
      environment[$0]?.split(whereSeparator: \.isNewline).first.map(String.init)
    }
  }

  /// A paragraph of `--help`, wrapped at 80 columns.
  static let discussion = """
    ENVIRONMENT:
      GH_TOKEN, GITHUB_TOKEN    the access token for github.com
      GH_ENTERPRISE_TOKEN,      the access token for the host in GH_HOST,
      GITHUB_ENTERPRISE_TOKEN   or for --api-url; sent nowhere else
      FORGEJO_TOKEN,            the access token for the server at
      GITEA_TOKEN               GITEA_INSTANCE_URL, or for GH_HOST or --api-url;
                                sent nowhere else
      GITEA_INSTANCE_URL        the address of a server with Forgejo or Gitea
      ISSUES_APP_ID,            a GitHub App to sign in as, instead of a token:
      ISSUES_APP_KEY_FILE,      its id, the file with its private key (or the
      ISSUES_APP_INSTALLATION   key, in ISSUES_APP_KEY), and where it is
                                installed: a number, OWNER or OWNER/REPO
      PATH                      where to find gh, which supplies the token of
                                an https host if no variable does
      ISSUES_DATABASE           a team's mirror in PostgreSQL: a connection string,
                                or local for the mirror on this machine
      ISSUES_EMBEDDER           a local model for 'issues similar': a command of
                                the shell that turns texts into vectors
      GH_HOST                   the host of OWNER/REPO; github.com if unset
      GH_REPO                   the repository if none is named, instead of
                                the clone: [HOST/]OWNER/REPO
      NO_COLOR, CLICOLOR=0      no colors
      CLICOLOR_FORCE            colors in a pipe too
      GH_FORCE_TTY              any value: tables in a pipe too; a number sets
                                their width, 80% a share of the window
      GH_PAGER, PAGER           the pager for long output on a terminal; an
                                empty GH_PAGER turns it off
      GIT_EDITOR, VISUAL,       the editor for texts; git's core.editor comes
      EDITOR                    after GIT_EDITOR
      GH_BROWSER, BROWSER       the browser, or several between colons, with %s
                                for the address; xdg-open or open if unset
      DISPLAY, WAYLAND_DISPLAY  the desktop; without one, and without BROWSER,
                                addresses are printed
      FORCE_HYPERLINK           1 if the terminal has hyperlinks, 0 if not
      XDG_CACHE_HOME            the folder for the cache; ~/.cache if unset
      XDG_CONFIG_HOME           the folder for issues/config.toml, the file of
                                'issues config'; ~/.config if unset
      XDG_DATA_HOME             the folder for mirrors, the outbox and drafts;
                                ~/.local/share if unset
      XDG_STATE_HOME            the folder for the history, which completion
                                uses; ~/.local/state if unset
      https_proxy, no_proxy     the proxy, as for curl
      CURL_CA_BUNDLE,           the certificates to trust
      SSL_CERT_FILE,
      SSL_CERT_DIR
    """

  /// The default locations of files, in the form of ``discussion``.
  static let files = """
    FILES:
      ~/.config/issues/config.toml        the configuration: 'issues config'
      ~/.cache/issues                     server responses: 'issues cache'
      ~/.local/share/issues/mirror.db     the mirror: 'issues sync'
      ~/.local/share/issues/vectors.db    vectors of texts: 'issues similar'
      ~/.local/share/issues/outbox.db     your changes: 'issues outbox'
      ~/.local/share/issues/drafts        drafts of unfinished texts
      ~/.local/state/issues/repositories  the history: 'issues history'
      ~/.local/state/issues/rate-limits   requests left, for all processes
    """
}
