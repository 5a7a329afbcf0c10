import IssueBrowser
import IssueTracker
import TerminalScreen
import TestSupport
import TestTraits
import Testing

@testable import IssuesCommand

@Suite("The configuration", .tags(.heavy))
struct ConfigurationReaderTests {
  private func problems(_ text: String) -> [String] {
    ConfigurationReader.read(text).problems.map {
      $0.text(in: "").dropFirst().description
    }
  }

  @Test("the configuration reads every setting")
  func settings() throws {
    let reading = ConfigurationReader.read(
      """
      theme = "mine"
      refresh = "10m"
      columns = ["labels", "updated"]
      images = true
      [keys]
      reload = ["R", "ctrl-r"]
      next = "space"
      select = []
      [themes.mine]
      title = "bold cyan"
      [views.z-first]
      query = '''is:open label:"good first issue"'''
      sort = "comments"
      repositories = ["apple/swift", "apple/swift-nio"]
      limit = 5
      [views.all]
      query = "author:@me"
      repositories = "all"
      [views.here]
      [forges]
      "git.example.com" = "forgejo"
      """)
    #expect(reading.problems.isEmpty)
    let configuration = reading.configuration
    #expect(configuration.theme == "mine")
    #expect(configuration.refresh == .seconds(600))
    #expect(configuration.columns == [.labels, .updated])
    #expect(configuration.images)
    #expect(configuration.forges == ["git.example.com": .forgejo])
    #expect(configuration.themes == ["mine": ["title": "bold cyan"]])
    #expect(
      configuration.keys.chosen == [
        "reload": [.character("R"), .control("r")], "next": [.character(" ")], "select": [],
      ])
    let repositories = try ["apple/swift", "apple/swift-nio"].map {
      try RepositoryReference(parsing: $0)
    }
    #expect(
      configuration.views == [
        SavedView(
          name: "z-first", query: "is:open label:\"good first issue\"", sort: "comments-desc",
          place: .repositories(repositories), limit: 5),
        SavedView(name: "all", query: "author:@me", place: .everywhere),
        SavedView(name: "here", query: "is:open"),
      ])
    #expect(reading.lines["keys.reload"] == 6)
    #expect(reading.lines["views.all"] == 16)
  }

  @Test("the configuration reads the user's own commands, also before the keys")
  func commands() {
    let reading = ConfigurationReader.read(
      """
      [commands.checkout]
      key = "r"
      command = ["gh", "pr", "checkout", "{number}", "-R={repository}", "{a1}"]
      description = "check it out"
      [commands.date]
      command = ["/bin/date"]
      [keys]
      reload = "R"
      """)
    #expect(reading.problems.isEmpty)
    #expect(
      reading.configuration.commands == [
        CustomCommand(
          "checkout", key: .character("r"),
          words: ["gh", "pr", "checkout", "{number}", "-R={repository}", "{a1}"],
          title: "check it out"),
        CustomCommand("date", words: ["/bin/date"]),
      ])
    #expect(reading.lines["commands.checkout"] == 1)
  }

  @Test(
    "each problem of a command is reported with its line and column",
    arguments: [
      (
        "commands = 1",
        "1:12: 'commands' must be a table, with the heading [commands], not an integer"
      ),
      (
        "[commands.a]\ncommand = \"gh pr\"",
        "2:11: 'command' must be a list of words such as [\"gh\", \"pr\", \"checkout\", \"{number}\"]: it isn't run by a shell"
      ),
      ("[commands.a]\nkey = \"z\"", "1:1: 'commands.a' has no 'command'"),
      (
        "[commands.a]\nkey = \"x\"\ncommand = [\"date\"]",
        "2:7: the key x already means 'close': choose another, or give 'close' another key in [keys]"
      ),
      (
        "[commands.a]\nkey = \"b\"\ncommand = [\"date\"]",
        "2:7: the key b already means 'copy': choose another, or give 'copy' another key in [keys]"
      ),
      (
        "[commands.a]\nkey = \"z\"\ncommand = [\"date\"]\n[commands.b]\nkey = \"z\"\ncommand = [\"ls\"]",
        "5:7: the key z already means 'a': choose another"
      ),
      (
        "[commands.a]\ncommand = [\"gh\", \"{title}\"]",
        "2:11: there is no placeholder '{title}'; there are {number}, {repository}, {url}, {branch}"
      ),
      (
        "[commands.a]\ncommand = [\"{branch}\"]",
        "2:11: the first word must be a program: its name, or its path from /"
      ),
      (
        "[commands.a]\ncommand = [\"bin/x\"]",
        "2:11: the first word must be a program: its name, or its path from /"
      ),
      (
        "[commands.a]\ncommand = [\"date\"]\nshell = true",
        "3:1: there is no setting of a command 'shell'; there are key, command, description"
      ),
      (
        "[forges]\n\"git.example.com\" = \"gogs\"",
        "2:21: there is no forge 'gogs'; there are github, forgejo, gitea"
      ),
      (
        "[commands.2]\ncommand = [\"date\"]",
        "1:1: a command can't be called '2': use letters, digits, '-' and '_', starting with a letter"
      ),
    ])
  func commandProblems(text: String, problem: String) {
    #expect(problems(text) == [problem])
    #expect(ConfigurationReader.read(text).configuration.commands.count <= 1)
  }

  @Test("an empty file changes no settings, and 'never' disables the refresh")
  func few() {
    #expect(ConfigurationReader.read("").configuration == Configuration())
    #expect(ConfigurationReader.read("# only a comment\r\n").configuration == Configuration())
    #expect(ConfigurationReader.read("refresh = \"never\"").configuration.refresh == .zero)
    #expect(ConfigurationReader.read("columns = []").configuration.columns == [])
  }

  @Test(
    "each problem is reported with its line and column",
    arguments: [
      ("colums = []", "1:1: there is no setting 'colums'; did you mean 'columns'?"),
      (
        "\n\nxyzzy = 1",
        "3:1: there is no setting 'xyzzy'; there are theme, refresh, columns, plain, images, keys, commands, themes, views, mirror, database, forges"
      ),
      ("theme = 3", "1:9: 'theme' must be text such as \"solarized\", not an integer"),
      ("theme = \"solarised\"", "1:9: there is no theme 'solarised'; did you mean 'solarized'?"),
      (
        "[themes.mine]\ntitle = \"bold\"\nmutted = \"red\"",
        "3:10: there is no role 'mutted'; did you mean 'muted'?"
      ),
      (
        "theme = \"ansi\"\nrefresh = \"soon\"",
        "2:11: 'refresh' must be a time from \"30s\" to \"24h\", or \"never\", not \"soon\""
      ),
      ("images = 1", "1:10: 'images' must be true or false, not an integer"),
      ("refresh = 5", "1:11: 'refresh' must be text such as \"5m\", not an integer"),
      (
        "columns = [\n  \"labels\",\n  \"autor\",\n]\ntheme = \"ansi\"",
        "1:11: there is no column 'autor'; did you mean 'author'?"
      ),
      (
        "columns = [\"title\"]",
        "1:11: there is no column 'title'; the number and the title always come first"
      ),
      ("columns = [\"labels\", \"labels\"]", "1:11: the column 'labels' is listed twice"),
      (
        "columns = [1]",
        "1:11: 'columns' must be a list of strings such as [\"labels\", \"updated\"]"
      ),
      ("keys = \"x\"", "1:8: 'keys' must be a table, with the heading [keys], not text"),
      (
        "[keys]\n# why\nrelaod = \"R\"", "3:1: there is no command 'relaod'; did you mean 'reload'?"
      ),
      (
        "[keys]\nreload = \"q\"",
        "2:10: the key q already means 'back': choose another, or give 'back' another key too"
      ),
      (
        "[keys]\nreload = \"R\"\nundo = \"R\"",
        "3:8: the key R already means 'reload': choose another, or give 'reload' another key too"
      ),
      (
        "[keys]\nreload = \"ctrl-c\"",
        "2:10: 'ctrl-c' isn't a valid key: use a character, \"space\", or \"ctrl-\" and a letter "
          + "other than c, h, i, j, l, m, q, s and z"
      ),
      ("views.a.sort = \"updatd\"", "1:16: there is no order 'updatd'; did you mean 'updated'?"),
      ("[views.a]\nsort = \"updated-up\"", "2:8: an order must end in -asc or -desc, not in -up"),
      (
        "[views.a]\nqurey = \"x\"",
        "2:1: there is no setting of a view 'qurey'; did you mean 'query'?"
      ),
      ("[views.a]\nquery = 'label:\"x'", "2:9: The search has an unclosed quotation mark."),
      (
        "[views.a]\nquery = \"foo:bar\"",
        "2:9: there is no qualifier 'foo:'. If it is text to search for, put it in quotation marks."
      ),
      (
        "[views.a]\nquery = \"org:apple labl:bug\"",
        "2:9: there is no qualifier 'labl:'; did you mean 'label:'? If it is text to search for, put it in "
          + "quotation marks."
      ),
      ("[views.a]\nlimit = 0", "2:9: 'limit' must be an integer of at least 1"),
      ("[views.a]\nlimit = \"all\"", "2:9: 'limit' must be an integer of at least 1"),
      (
        "[views.a]\nrepositories = [\"swift\"]",
        "2:16: 'swift' isn't a repository: write OWNER/REPO, or HOST/OWNER/REPO"
      ),
      (
        "[views.a]\nrepositories = []",
        "2:16: 'repositories' is empty: leave it out to use the current repository"
      ),
      (
        "[views.a]\nrepositories = [\"a/b\", \"example.com/a/b\"]",
        "2:16: a view's repositories must be on one host"
      ),
      (
        "[views.a]\nquery = \"repo:a/b\"\nrepositories = \"c/d\"",
        "3:16: the query names its own repositories: leave out 'repositories'"
      ),
      (
        "[views.a]\nquery = \"sort:updated\"\nsort = \"created\"",
        "3:8: the query has its own order: leave out 'sort'"
      ),
      ("[views.me]", "1:1: a view can't be called 'me', since @me is you"),
      (
        "[views.'1st']",
        "1:1: a view can't be called '1st': use letters, digits, '-' and '_', starting with a letter"
      ),
      (
        "[views]\na = 1",
        "2:5: 'views.a' must be a table, with the heading [views.a], not an integer"
      ),
      (
        "theme = \"a\u{0}\"", "1:11: text can't contain the character U+0000"
      ),
      ("theme = \"\\u0000\"", "1:12: text can't contain the character U+0000"),
    ])
  func wrong(text: String, problem: String) {
    #expect(problems(text) == [problem])
  }

  @Test(
    "a TOML syntax error is reported with its line and column",
    arguments: [
      ("theme = ", "1:9", "a value"), ("theme = \"a\"\n[keys\n", "2:6", "']'"),
      ("a = 1\na = 2", "2", "'a' is already set"), ("theme = dark", "1:9", "isn't a value"),
      ("views = {a = 1,\n}", "1", "inline table"), ("theme = \"\"\"\nx", "2", "end of the file"),
      // The next five once ended the process.
      ("[über]", "1:2", "a key is expected"), ("[“views”]", "1", "a key is expected"),
      ("[=]", "1", "a key is expected"), ("[[[", "1", "a key is expected"),
      ("[.a]", "1", "a key is expected"), ("a = [1, 2", "1", "']' is expected"),
      ("[a]\nb.c = 1\n[a.b]", "3", "'b' is already set"), ("a = 01", "1", "isn't a value"),
      ("a = \"x\ny\"", "1", "isn't closed on its line"),
      ("a = \"\\x\"", "1", "escape doesn't exist"),
      ("a = '\u{7F}'", "1", "control character"), ("a = 1 b = 2", "1", "the end of the line"),
      ("a = \(String(repeating: "[", count: 60_000))", "1", "nested too deeply"),
      ("\(String(repeating: "a.", count: 30_000))a = 1", "1", "too many parts"),
    ])
  func notTOML(text: String, place: String, words: String) throws {
    let problems = problems(text)
    #expect(problems.count == 1)
    let problem = try #require(problems.first)
    #expect(problem.hasPrefix("\(place):"), "\(problem)")
    #expect(problem.contains(": it isn't TOML: ") && problem.contains(words), "\(problem)")
    #expect(problem.prefix { $0 != " " }.count { $0 == ":" } == 2)
  }

  @Test("a byte order mark, CRLF, and every form of string, number and time are accepted")
  func forms() {
    let reading = ConfigurationReader.read(
      """
      \u{FEFF}# CRLF ends each line\r
      theme = \"""ansi\"""\r
      columns = [ # one\r
        'labels', "upd\\u0061ted",\r
      ]\r
      [ views . "a" ]\r
      query = \"""\r
        is:open \\\r
          label:\""x\"""\""
      """)
    #expect(reading.problems.isEmpty, "\(reading.problems)")
    #expect(reading.configuration.theme == "ansi")
    #expect(reading.configuration.columns == [.labels, .updated])
    #expect(reading.configuration.views.map(\.query) == ["  is:open label:\"\"x\"\""])
    #expect(reading.lines["views.a"] == 6)
    for (value, kind) in [
      ("-1_000", "an integer"), ("0xFF", "an integer"), ("1e3", "a number"), ("-inf", "a number"),
      ("6.5E-3", "a number"), ("1979-05-27T07:32:00.5Z", "a time"), ("07:32:00", "a time"),
      ("1979-05-27 07:32:00", "a time"), ("{a.b = 1, c = []}", "a table"), ("[1, {}]", "a list"),
    ] {
      #expect(problems("theme = \(value)").first?.hasSuffix("not \(kind)") == true, "\(value)")
    }
  }

  @Test("random short files don't crash the reader, and each problem has an existing place")
  func fuzzed() {
    let failure = FuzzTest("configurations", iterations: 2_000).run { source in
      let text = source.mutation(
        of: [
          "[views.a]\nlimit = 5\n", "a = {b = [1, 'x']}", "[[a.b]]\n", "a.\"b\" = \"\"\"x\"\"\"",
        ],
        words: [
          "[", "]", "[[", "{", "}", "=", ".", ",", "\"", "'", "ü", "“", "#", "\\", "\n", "\r", "-",
        ],
        upTo: 60)
      let count = text.unicodeScalars.count { $0 == "\n" } + 1
      for problem in ConfigurationReader.read(text).problems {
        try check((1...count).contains(problem.line ?? 0), text.debugDescription)
        let end = text.unicodeScalars.count + 1
        try check((1...end).contains(problem.column ?? 0), text.debugDescription)
      }
    }
    #expect(failure == nil)
  }

  @Test("all problems are reported in file order")
  func several() {
    let text = """
      [views.b]
      limit = 0
      [keys]
      nxt = "x"
      [views.a]
      sort = "x"
      [themes.a]
      title = "bold chartreuse"
      code = "#12345"
      """
    #expect(
      problems(text).map { $0.prefix { $0 != " " } } == ["2:9:", "4:1:", "6:8:", "8:9:", "9:8:"])
  }

  @Test("hostile characters in problems are escaped")
  func hostile() {
    #expect(problems("\"a\\u001B[31mb\" = 1").allSatisfy { !$0.contains("\u{1B}") })
  }
}
