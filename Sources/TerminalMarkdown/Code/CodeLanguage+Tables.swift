extension CodeLanguage {
  static func table(of name: String) -> CodeLanguage? {
    switch name {
    case "swift": swift
    case "c", "h", "objc", "objective-c", "m": c
    case "c++", "cpp", "cc", "cxx", "hpp", "h++": cPlusPlus
    case "rust", "rs": rust
    case "go", "golang": go
    case "python", "py", "python3": python
    case "javascript", "js", "jsx", "mjs", "cjs", "node": javaScript
    case "typescript", "ts", "tsx": typeScript
    case "java": java
    case "sh", "bash", "shell", "zsh", "dash": shell
    case "json", "jsonc", "json5": json
    case "yaml", "yml": yaml
    case "diff", "patch": diff
    case "log", "crash", "crashlog", "ips", "stacktrace", "backtrace": log
    default: nil
    }
  }

  private static let backslash = UInt8(ascii: "\\")

  private static let cComments = [
    Region("//", "", .comment), Region("/*", "*/", .comment).with { $0.isMultiline = true },
  ]

  private static let nestedComments = [
    Region("//", "", .comment),
    Region("/*", "*/", .comment).with {
      $0.isMultiline = true
      $0.nests = true
    },
  ]

  private static func string(
    _ open: String, _ close: String? = nil, _ change: (inout Region) -> Void = { _ in }
  ) -> Region {
    Region(open, close ?? open, .string).with {
      $0.escape = backslash
      change(&$0)
    }
  }

  private static func raw(_ open: String, _ close: String? = nil) -> Region {
    string(open, close) {
      $0.escape = nil
      $0.isMultiline = true
    }
  }

  private static let character = string("'") { $0.isCharacter = true }

  // MARK: Languages

  static let swift: CodeLanguage = {
    let hole = Hole("\\(", ")")
    var language = CodeLanguage(
      words: [
        .keyword: """
        actor any as associatedtype async await borrowing break case catch class consuming continue
        convenience default defer deinit didSet distributed do dynamic each else enum extension
        fallthrough false fileprivate final for func get guard if import in indirect infix init inout
        internal is isolated lazy let macro mutating nil nonisolated nonmutating open operator optional
        override package postfix precedencegroup prefix private protocol public repeat required
        rethrows return self sending set some static struct subscript super switch throw throws true
        try typealias unowned var weak where while willSet
        """,
        .type: "Self Any",
      ],
      regions: nestedComments + [
        raw("#\"\"\"", "\"\"\"#"),
        string("\"\"\"") {
          $0.isMultiline = true
          $0.hole = hole
        },
        string("#\"", "\"#") { $0.escape = nil }, string("\"") { $0.hole = hole },
      ],
      prefixes: ["@": .meta, "#": .meta])
    language.hasCapitalTypes = true
    return language
  }()

  private static let cWords = """
    alignas alignof auto break case const constexpr continue default do else enum extern false for
    goto if inline nullptr register restrict return sizeof static static_assert struct switch
    thread_local true typedef typeof union volatile while NULL
    """

  private static let cTypes = """
    bool char double float int int8_t int16_t int32_t int64_t intptr_t long ptrdiff_t short signed
    size_t ssize_t time_t uint8_t uint16_t uint32_t uint64_t uintptr_t unsigned void wchar_t FILE
    id BOOL NSString NSInteger NSUInteger
    """

  static let c = CodeLanguage(
    words: [.keyword: cWords + " self nil YES NO", .type: cTypes],
    regions: cComments + [string("@\"", "\""), string("\""), character],
    prefixes: ["#": .meta, "@": .meta])

  static let cPlusPlus: CodeLanguage = {
    var language = CodeLanguage(
      words: [
        .keyword: cWords + """
           and asm catch class co_await co_return co_yield concept const_cast consteval constinit
          decltype delete dynamic_cast explicit export final friend import module mutable namespace
          new noexcept not operator or override private protected public reinterpret_cast requires
          static_cast template this throw try typeid typename using virtual
          """,
        .type: cTypes + """
           char8_t char16_t char32_t string string_view vector map unordered_map set optional
          unique_ptr shared_ptr
          """,
      ],
      regions: cComments + [raw("R\"(", ")\""), string("\""), character], prefixes: ["#": .meta])
    language.hasDigitQuotes = true
    return language
  }()

  static let rust: CodeLanguage = {
    var language = CodeLanguage(
      words: [
        .keyword: """
        as async await break const continue crate dyn else enum extern false fn for if impl in let
        loop macro_rules match mod move mut pub ref return self static struct super trait true type
        union unsafe use where while yield
        """,
        .type: """
        Self bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize
        """,
      ],
      regions: nestedComments + [
        Region("#![", "]", .meta), Region("#[", "]", .meta), raw("r#\"", "\"#"), raw("r\""),
        string("\"") { $0.isMultiline = true }, character,
      ],
      prefixes: ["'": .type])
    language.hasCapitalTypes = true
    return language
  }()

  static let go = CodeLanguage(
    words: [
      .keyword: """
      break case chan const continue default defer else fallthrough false for func go goto if import
      interface iota map nil package range return select struct switch true type var
      """,
      .type: """
      any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64
      rune string uint uint8 uint16 uint32 uint64 uintptr
      """,
    ],
    regions: cComments + [raw("`"), string("\""), character])

  static let python: CodeLanguage = {
    var language = CodeLanguage(
      words: [
        .keyword: """
        and as assert async await break case class continue def del elif else except False finally
        for from global if import in is lambda match None nonlocal not or pass raise return self
        True try while with yield
        """,
        .type: "bool bytes dict float frozenset int list object set str tuple",
      ],
      regions: [
        Region("#", "", .comment),
        string("\"\"\"") { $0.isMultiline = true }, string("\'\'\'") { $0.isMultiline = true },
        string("\""), string("'"),
      ],
      prefixes: ["@": .meta])
    language.hasCapitalTypes = true
    return language
  }()

  private static let scriptWords = """
    as async await break case catch class const continue debugger default delete do else export
    extends false finally for from function get if import in instanceof let new null of return set
    static super switch this throw true try typeof undefined var void while with yield
    """

  private static let scriptRegions =
    cComments + [
      string("`") {
        $0.isMultiline = true
        $0.hole = Hole("${", "}")
      },
      string("\""), string("'"),
    ]

  static let javaScript: CodeLanguage = {
    var language = CodeLanguage(
      words: [.keyword: scriptWords], regions: scriptRegions, prefixes: ["@": .meta],
      wordBytes: "_$")
    language.hasCapitalTypes = true
    return language
  }()

  static let typeScript: CodeLanguage = {
    var language = CodeLanguage(
      words: [
        .keyword: scriptWords + """
           abstract declare enum implements infer interface is keyof namespace override private
          protected public readonly satisfies type
          """,
        .type: "any bigint boolean never number object string symbol unknown",
      ],
      regions: scriptRegions, prefixes: ["@": .meta], wordBytes: "_$")
    language.hasCapitalTypes = true
    return language
  }()

  static let java: CodeLanguage = {
    var language = CodeLanguage(
      words: [
        .keyword: """
        abstract assert break case catch class const continue default do else enum extends false
        final finally for goto if implements import instanceof interface native new null package
        permits private protected public record return sealed static strictfp super switch
        synchronized this throw throws transient true try var volatile while yield
        """,
        .type: "boolean byte char double float int long short void",
      ],
      regions: cComments + [string("\"\"\"") { $0.isMultiline = true }, string("\""), character],
      prefixes: ["@": .meta], wordBytes: "_$")
    language.hasCapitalTypes = true
    return language
  }()

  static let shell = CodeLanguage(
    words: [
      .keyword: """
      case cd do done elif else esac eval exec exit export fi for function if in local readonly
      return set shift source then trap unset until while
      """
    ],
    // Strings end at the end of the line. Otherwise, an apostrophe in pasted output would color all text after it.
    regions: [
      Region("#", "", .comment).with { $0.followsBlank = true }, string("\""),
      string("'") { $0.escape = nil }, Region("${", "}", .type),
    ],
    prefixes: ["$": .type], wordBytes: "_-./", hasNumbers: false)

  static let json: CodeLanguage = {
    var language = CodeLanguage(
      words: [.keyword: "true false null"], regions: cComments + [string("\"")])
    language.keys = .areStrings
    return language
  }()

  static let yaml: CodeLanguage = {
    var language = CodeLanguage(
      words: [.keyword: "true false null yes no on off True False"],
      regions: [
        Region("#", "", .comment).with { $0.followsBlank = true },
        string("\"") { $0.followsBlank = true },
        string("'") {
          $0.escape = nil
          $0.followsBlank = true
        },
      ],
      prefixes: ["&": .meta, "*": .meta, "!": .meta], wordBytes: "_-./")
    language.keys = .beginLines
    return language
  }()

  static let diff: CodeLanguage = {
    var language = CodeLanguage(hasNumbers: false)
    language.linePrefixes = [
      ("+++ ", CodePart.meta), ("--- ", .meta), ("@@ ", .meta), ("diff ", .meta), ("index ", .meta),
      ("new file mode ", .meta), ("deleted file mode ", .meta), ("similarity index ", .meta),
      ("rename from ", .meta), ("rename to ", .meta), ("\\ ", .comment), ("+", .added),
      ("-", .removed),
    ].map { (Array($0.0.utf8), $0.1) }
    return language
  }()

  /// Logs: stack frames, addresses, and words for failures. Highlighting all numbers would add too much color.
  static let log = CodeLanguage(
    words: [
      .error: """
      Fatal fatal FATAL ERROR FAILED panicked crashed Crashed SIGABRT SIGBUS SIGILL SIGSEGV SIGTRAP
      EXC_BAD_ACCESS EXC_BAD_INSTRUCTION EXC_BREAKPOINT EXC_CRASH Traceback Exception
      """,
      .warning: "WARNING WARN",
    ],
    labels: [
      .error: "error Error exception failure", .warning: "warning Warning", .meta: "note Note",
    ],
    prefixes: ["#": .meta], hasNumbers: false)
}
