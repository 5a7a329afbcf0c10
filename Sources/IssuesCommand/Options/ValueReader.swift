public import ArgumentParser
internal import IssueTracker
internal import PlatformModules

/// Reads values of options and arguments, and lists the accepted values when it refuses one.
///
/// With a failable `init?(argument:)` the parser would only say that the value is invalid.
enum ValueReader {
  struct Refusal: Error, Hashable, CustomStringConvertible {
    let description: String
  }

  static func login(_ text: String) throws -> LoginArgument {
    try read(
      text, LoginArgument.init,
      "a login has up to 39 characters: A-Z a-z 0-9 - _; app/NAME is a bot, @me is your own")
  }

  /// Without the optional `@`.
  static func viewName(_ text: String) throws -> String {
    try read(
      text,
      { text in
        let name = String(text.drop { $0 == "@" })
        return MistypedCommand.looksLikeName(name) && name != "me" ? name : nil
      }, "a view is @NAME: letters, digits, '-' and '_', starting with a letter; @me is you")
  }

  static func username(_ text: String) throws -> Username {
    try read(text, Username.init, "a login has up to 39 characters: A-Z a-z 0-9 - _")
  }

  static func assignee(_ text: String) throws -> AssigneeArgument {
    try read(
      text, AssigneeArgument.init, "use a login, @me, '*' for any, or 'none' for unassigned")
  }

  static func milestone(_ text: String) throws -> MilestoneChoice {
    try read(
      text, MilestoneChoice.init(titleOrNumber:),
      "use the milestone's title or number, '*' for any, or 'none' for none")
  }

  static func type(_ text: String) throws -> IssueTypeChoice {
    try read(text, IssueTypeChoice.init, "use the type's name, '*' for any, or 'none' for none")
  }

  /// Without a comma: the API has no way to write one.
  static func field(_ text: String) throws -> IssueFieldChoice {
    try read(
      text,
      { text in
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        return parts.count == 2 ? IssueFieldChoice(name: parts[0], value: parts[1]) : nil
      }, "use NAME=VALUE, such as Priority=High, without a comma")
  }

  /// Reads a free text, which may begin with a hyphen, for example for a list.
  ///
  /// A word that is the name of an option was meant as one, and the text is missing.
  static func text(of option: String) -> @Sendable (String) throws -> String {
    { text in
      let isName = text.wholeMatch(of: /-[A-Za-z]|--[a-z]+(-[a-z]+)*/) != nil
      guard !isName || !World.current.arguments.contains(text) else {
        throw Refusal(description: "that is an option; if it is the text, write \(option)=\(text)")
      }
      return text
    }
  }

  static func time(_ text: String) throws -> TimeArgument {
    try read(
      text, { TimeArgument($0) },
      "use 2026-01-31, 2026-01-31T12:00:00Z, today, yesterday, or an age such as 7d, 12h or 2w")
  }

  /// Six hexadecimal digits, with or without a `#`.
  static func color(_ text: String) throws -> String {
    try read(
      text,
      { text in
        let digits = text.drop { $0 == "#" }
        return digits.utf8.count == 6 && text.count - digits.count <= 1
          && digits.allSatisfy { $0.isASCII && $0.isHexDigit } ? String(digits) : nil
      }, "use six hexadecimal digits, such as d73a4a or '#d73a4a'")
  }

  /// Returns noon of the day in UTC: GitHub keeps the date at that time on the US West Coast.
  static func day(_ text: String) throws -> Date {
    try read(
      text,
      { text in
        guard text.utf8.count == 10, !text.contains("T") else { return nil }
        return Timestamp.date(fromDayOrTime: text).map { $0 + 43_200 }
      }, "use a day such as 2026-12-31")
  }

  static func dayOrNone(_ text: String) throws -> FieldChange<Date> {
    text == "none" ? .clear : .set(try day(text))
  }

  static func duration(_ text: String) throws -> DurationArgument {
    try read(
      text, DurationArgument.init, "use a number with ms, s, m or h, up to a day, such as 300ms")
  }

  static func age(_ text: String) throws -> AgeArgument {
    try read(
      text, AgeArgument.init,
      "use a number with s, m, h, d or w, up to ten years, such as 10m, 2h or 1d")
  }

  static func wait(_ text: String) throws -> WaitArgument {
    try read(
      text, WaitArgument.init, "use a number with s, m or h, up to a day, such as 90s, or 'forever'"
    )
  }

  /// Must be above 0.
  static func timeout(_ text: String) throws -> DurationArgument {
    try read(
      text, { DurationArgument($0).flatMap { $0.duration > .zero ? $0 : nil } },
      "use a number above 0 with ms, s, m or h, up to a day, such as 10s")
  }

  static func watchInterval(_ text: String) throws -> DurationArgument {
    try read(
      text,
      { DurationArgument($0).flatMap { $0.duration >= .seconds(1) ? $0 : nil } },
      "use a number with s, m or h, from 1s to a day, such as 1m")
  }

  static func limit(_ text: String) throws -> Int {
    try read(text, { Int($0).flatMap { $0 > 0 ? $0 : nil } }, "use a number of at least 1")
  }

  static func weeks(_ text: String) throws -> Int {
    try read(
      text, { Int($0).flatMap { (1...520).contains($0) ? $0 : nil } }, "use a number from 1 to 520")
  }

  static func retries(_ text: String) throws -> Int {
    try read(
      text, { Int($0).flatMap { (0...100).contains($0) ? $0 : nil } }, "use a number from 0 to 100")
  }

  static func priority(_ text: String) throws -> Int {
    try read(
      text, { Int($0).flatMap { (-1000...1000).contains($0) ? $0 : nil } },
      "use a number from -1000 to 1000")
  }

  static func listenAddress(_ text: String) throws -> ListenAddress {
    try read(
      text, ListenAddress.init,
      "use a port of this machine, or an IP address and a port, such as 9464 or 0.0.0.0:9464")
  }

  /// GitHub accepts up to 100 concurrent requests.
  static func jobs(_ text: String) throws -> Int {
    try read(
      text, { Int($0).flatMap { (1...100).contains($0) ? $0 : nil } }, "use a number from 1 to 100")
  }

  /// Accepts `12` and `#12`.
  static func issueNumber(_ text: String) throws -> Int {
    try read(
      text,
      { text in
        let issue = try? IssueReference(parsing: text)
        return issue?.repository == nil ? issue?.number : nil
      }, "use the number of an issue in the same repository")
  }

  /// Reads free text that is sent unchanged. In other programs `-`, `@-` and `@FILE` mean standard input and a file.
  static func sentText(of option: String) -> @Sendable (String) throws -> String {
    let read = text(of: option)
    return { text in
      let namesFile = text.first == "@" && BodyOptions.isFile(String(text.dropFirst()))
      guard !namesFile, text != "-", text != "@-" else {
        throw Refusal(
          description: option == "--body"
            ? "no file is read for it; use --body-file FILE, or --body-file - for standard input"
            : "no file is read for it; give the text itself, such as \"$(cat FILE)\"")
      }
      return try read(text)
    }
  }

  static func read<Value>(
    _ text: String, _ value: (String) -> Value?, _ expectation: String
  ) throws -> Value {
    guard let value = value(text) else { throw Refusal(description: expectation) }
    return value
  }
}

/// A value chosen by name.
///
/// Without it, the parser derives the names from key paths and comparisons, for every option at every launch. The
/// description of a default also requires conformance lookups. So the options of `list` are optionals, and their help
/// texts name the default.
public protocol NamedChoice: ExpressibleByArgument, CaseIterable, RawRepresentable
where RawValue == String {}

extension NamedChoice {
  /// The names.
  public static var allValueStrings: [String] { allCases.map { $0.rawValue } }
  /// None: the names are clear.
  public static var allValueDescriptions: [String: String] { [:] }
}
