/// The form in which words of two reports are compared, because two people rarely choose the same form of a word.
enum SimilarityWord {
  /// The shortest word with a stem. The endings of shorter words are often parts of them.
  private static let shortest = 4
  private static let shortestStem = 3
  /// Longer endings come before those that they end with.
  private static let endings = [
    "ations", "ation", "able", "ment", "ing", "ers", "ion", "er", "ed", "ly", "e", "y",
  ]

  /// The stem of an English word, after an abbreviation is spelled out: `repos` becomes `repositor`, as do `repository`
  /// and `repositories`. Other words are returned as they are.
  static func stem(of word: String) -> String {
    let word = abbreviations[word] ?? word
    let letters = word.utf8
    guard letters.count >= shortest, letters.allSatisfy({ $0 < 0x80 }) else { return word }
    var stem = word[...]
    if stem.hasSuffix("ies"), letters.count > shortest + 1 {
      stem.removeLast(3)
    } else if stem.hasSuffix("sses") {
      stem.removeLast(2)
    } else if stem.hasSuffix("s"), !["ss", "us", "is"].contains(where: stem.hasSuffix) {
      stem.removeLast()
    }
    for ending in endings
    where stem.hasSuffix(ending) && stem.utf8.count - ending.utf8.count >= shortestStem {
      stem.removeLast(ending.utf8.count)
      let end = stem.suffix(2)
      // stop|p|ed, but fill|ed and pass|ed
      if stem.utf8.count > shortestStem, end.first == end.last, end != "ll", end != "ss" {
        stem.removeLast()
      }
      break
    }
    return String(stem)
  }

  /// The stems of words with a similar meaning.
  static func synonyms(of stem: String) -> [String] { synonyms[stem] ?? [] }

  /// Abbreviations in reports about software.
  private static let abbreviations = [
    "admin": "administrator", "app": "application", "arg": "argument", "args": "argument",
    "auth": "authentication", "cmd": "command", "conf": "configuration", "config": "configuration",
    "db": "database", "dir": "directory", "doc": "documentation", "docs": "documentation",
    "env": "environment", "err": "error", "fn": "function", "func": "function",
    "id": "identifier", "ids": "identifier", "img": "image", "impl": "implementation",
    "info": "information", "lib": "library", "max": "maximum", "min": "minimum", "msg": "message",
    "num": "number", "org": "organization", "orgs": "organization", "param": "parameter",
    "params": "parameter", "perf": "performance", "pr": "pull", "prs": "pull",
    "pwd": "password", "repo": "repository", "repos": "repository", "spec": "specification",
    "var": "variable",
  ]

  private static let groups = [
    "create make add new generate", "delete remove drop erase", "list enumerate all every",
    "get fetch retrieve obtain read load download", "find search look lookup query",
    "update edit change modify set alter", "fail failure error exception crash broken wrong throw",
    "hang freeze stuck block deadlock unresponsive", "slow performance speed fast latency",
    "null nil none empty missing blank", "support allow possible able feature option",
    "documentation readme javadoc guide manual", "user account person login member belong",
    "issue ticket bug", "close shut finish", "limit quota maximum", "return give result output",
    "connect network socket", "sort order ascending descending", "release publish version",
    "dependency library package", "window dialog screen", "start launch boot open begin",
    "stop quit exit terminate end", "store save write persist", "show display render print",
    "compile build", "install setup", "duplicate twice repeat copy", "rename move",
  ]

  private static let synonyms: [String: [String]] = {
    var synonyms: [String: [String]] = [:]
    for group in groups {
      let stems = group.split(separator: " ").map { stem(of: String($0)) }
      for stem in stems { synonyms[stem, default: []] += stems.filter { $0 != stem } }
    }
    return synonyms
  }()
}
