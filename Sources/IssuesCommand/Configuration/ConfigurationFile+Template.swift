internal import HTTPTargets
internal import IssueBrowser
internal import PlatformModules

extension ConfigurationFile {
  /// The template of the file: every setting, explained and commented out.
  static let template = """
    # The configuration of 'issues'. 'issues config' shows and checks it.
    # Remove the number sign from a line to enable it.

    # default, high-contrast or solarized, also with -dark or -light; ansi; or one of your own.
    # Without -dark or -light, the terminal's background decides.
    # theme = "default-dark"

    # How often the screen looks for changes: from "30s" to "24h", or "never".
    # refresh = "5m"

    # The columns after the number and the title, in 'issues list' on a terminal and on the screen:
    # \(ListColumn.allCases.map(\.rawValue).joined(separator: ", ")).
    # columns = ["labels", "author", "comments", "updated"]

    # Words on the screen instead of boxes and glyphs, for screen readers.
    # plain = true

    # A team's mirror in PostgreSQL, instead of the one on this machine. Keep the password in ~/.pgpass.
    # database = "postgres://issues@db.example.com/issues"

    # Images in issues on the screen, from the server's own hosts, if the terminal supports them.
    # images = true

    # Other keys for the commands on the screen. 'issues help config' has an example.
    # [keys]
    # reload = "R"
    # next = ["j", "ctrl-n"]

    # A command of your own on the screen: the key !, or its own key, runs it. It isn't run by a shell.
    # Placeholders: {number}, {repository}, {url}, and {branch}, the branch linked to the issue.
    # [commands.checkout]
    # key = "ctrl-t"
    # command = ["issues", "develop", "{url}", "--checkout"]
    # description = "check the issue's branch out"

    # A theme of your own: the styles of a base, except for some roles.
    # [themes.mine]
    # base = "solarized"
    # title = "bold #7aa2f7"
    # match = "black on yellow"

    # A view: 'issues @triage' at the prompt, and a tab of the screen.
    # [views.triage]
    # query = "is:open no:label"           # GitHub's search syntax
    # sort = "created-asc"                 # created, updated or comments; -asc or -desc
    # repositories = ["apple/swift"]       # or "all"; by default the current clone's
    # limit = 50

    # What your own servers are, instead of asking them: github, forgejo or gitea.
    # [forges]
    # "git.example.com" = "forgejo"

    # The repositories of 'issues sync --all': 'issues mirror add' writes this list.
    # [mirror]
    # sources = ["apple/swift", "apple/swift-*", "org:swiftlang", "mine", "starred"]

    """

  func checkOwner() throws(CommandFailure) {
    guard FolderOwner.isInTheWay(of: path) else { return }
    throw CommandFailure(
      .output,
      "root doesn't write a configuration into another user's folder: \(path)\n"
        + "Set XDG_CONFIG_HOME, or HOME.")
  }

  /// Writes text, by default the template, unless the file exists. Returns whether it wrote the file.
  func create(_ text: String = Self.template) throws(CommandFailure) -> Bool {
    if unsafe access(path, F_OK) == 0 { return false }
    try checkOwner()
    let folder = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
    var made = ""
    for name in folder.split(separator: "/") {
      made += "/\(name)"
      // XDG requires 0700 for new folders.
      unsafe mkdir(made, 0o700)
    }
    do throws(FileFailure) {
      let file = try AtomicFile(named: path, replaces: false)
      try file.write(Array(text.utf8))
      try file.commit()
      return true
    } catch {
      throw CommandFailure(.output, "the configuration can't be written: \(error)")
    }
  }
}
