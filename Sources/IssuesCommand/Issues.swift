internal import ArgumentParser
internal import IssueTracker

/// The command `issues` as a function.
public enum Issues {
  /// Runs the command with the arguments after its name, and returns its exit status.
  ///
  /// When it returns, all output has been written to the world's descriptors, including usage errors, help and
  /// completions.
  public static func run(_ arguments: [String], in world: World) async -> Int32 {
    var world = world
    world.arguments = arguments
    return await World.$current.withValue(world) { await status(of: arguments).rawValue }
  }

  private static func status(of arguments: [String]) async -> ExitStatus {
    let world = World.current
    if let place = world.unreadableArgument {
      ErrorOutput(descriptor: world.errors.descriptor, form: world.errorForm)
        .report(CommandFailure(.usage, "argument \(place) isn't UTF-8 text"))
      return .usage
    }
    let arguments = GHArguments.attachingRules(
      in: GHArguments.movingRepository(in: ErrorForm.removingOption(from: arguments)))
    do {
      try await run(arguments)
      return .done
    } catch let code as ExitCode {
      // This exit has no message. The parser would otherwise compose the whole help first.
      return ExitStatus(rawValue: code.rawValue) ?? .failed
    } catch {
      return await report(error)
    }
  }

  private static func run(_ arguments: [String]) async throws {
    if let text = try await CompletionScript.response(to: arguments) {
      throw CleanExit.message(text)
    }
    if arguments.isEmpty, await BrowseCommand.isMeantByNothing {
      return try await BrowseCommand.asyncParse([]).run()
    }
    if ManualCommand.isMeant(by: arguments), !arguments.contains(where: ["-h", "--help"].contains),
      MistypedCommand(in: arguments) == nil
    {
      return try await ManualCommand.asyncParse(Array(arguments.dropFirst())).run()
    }
    if let mistyped = MistypedCommand(in: arguments) { throw ValidationError(mistyped.message) }
    // A synchronous command is either the parser's own help or a group without a default.
    guard var command = try await meant(by: arguments) as? any AsyncParsableCommand else {
      throw CleanExit.message(ShortHelp(for: arguments).text)
    }
    try await command.run()
    if arguments.isEmpty { ScreenHint.show() }
  }

  /// Parses the arguments. Tries other interpretations if the parser rejects a line, or if it mistakes an `h` in a
  /// value for a request for help.
  private static func meant(by arguments: [String]) async throws -> any ParsableCommand {
    let first: Result<any ParsableCommand, any Error>
    do { first = .success(try await parsed(arguments)) } catch { first = .failure(error) }
    if case .success(let command) = first, command is any AsyncParsableCommand { return command }
    for line in GHArguments.separatingValues(in: arguments) {
      if let other = try? await parsed(line), other is any AsyncParsableCommand { return other }
    }
    return try first.get()
  }

  private static func parsed(_ arguments: [String]) async throws -> any ParsableCommand {
    if !namesSubcommand(arguments.first ?? ""), arguments.contains(where: mayNameIssue) {
      // A user who names an issue wants to read it, unless the line has options that only a list supports.
      let list = try? await ListCommand.asyncParse(arguments)
      if list?.repositories.contains(where: mayNameIssue) ?? true,
        let view = try? await ViewCommand.asyncParse(arguments), view.issue.namesIssue
      {
        return view
      }
    }
    guard namesSubcommand(arguments.first ?? "") else {
      return try await IssuesCommand.asyncParseAsRoot(["list"] + arguments)
    }
    let isSearch = arguments.first.map(SearchCommand.isCalled) ?? false
    return try await IssuesCommand.asyncParseAsRoot(
      isSearch ? SearchCommand.readable(arguments) : arguments)
  }

  /// Whether a word names a subcommand. A line that begins with another word belongs to the list.
  private static func namesSubcommand(_ argument: String) -> Bool {
    ["help", "--help", "-h", "--experimental-dump-help"].contains(argument)
      || IssuesCommand.configuration.subcommands.contains { $0.isCalled(argument) }
  }

  /// Whether a word names an issue, unless it is the value of an option: `12`, `#12`, `OWNER/REPO#12` or a URL.
  private static func mayNameIssue(_ argument: String) -> Bool {
    (try? IssueReference(parsing: argument)) != nil
  }

  /// The message for a usage error: two lines, like the other messages, instead of the four of the parser; empty if it
  /// was already written.
  private static func usageMessage(_ error: any Error) -> String {
    let message = usageSentence(error)
    guard !message.isEmpty else { return "" }
    let hint = IssuesCommand.fullMessage(for: error).split(separator: "\n").last ?? ""
    return "issues: \(message)\n\(hint.drop { $0 == " " })"
  }

  /// The sentence for a usage error; empty if it was already written.
  private static func usageSentence(_ error: any Error) -> String {
    ForeignNames.advised(IssuesCommand.message(for: error), in: World.current.arguments)
  }

  /// Writes the message of the parser: a mistake on standard error, and help, the version or a completion on standard
  /// output.
  private static func report(_ error: any Error) async -> ExitStatus {
    let world = World.current
    let code = IssuesCommand.exitCode(for: error)
    let status = ExitStatus(rawValue: code.rawValue) ?? .failed
    let errors = ErrorOutput(descriptor: world.errors.descriptor, form: world.errorForm)
    guard code == .success else {
      let isMistake = code == .validationFailure
      if world.errorForm == .json {
        let said = isMistake ? usageSentence(error) : IssuesCommand.message(for: error)
        if !said.isEmpty { errors.report(CommandFailure(status, said)) }
      } else {
        let message = isMistake ? usageMessage(error) : IssuesCommand.fullMessage(for: error)
        if !message.isEmpty { errors.write(message) }
      }
      return status
    }
    var message = IssuesCommand.fullMessage(for: error)
    let isVerbose = world.arguments.contains { ["--verbose", "-v"].contains($0) }
    if isVerbose, message == PackageVersion.current {
      message = await LibraryVersions.described()
    }
    do throws(OutputError) {
      let output = Output(descriptor: world.output.descriptor)
      if !message.isEmpty { try await output.write(message + "\n") }
      return .done
    } catch {
      errors.report(CommandFailure(error.exitStatus, "\(error)"))
      return error.exitStatus
    }
  }
}
