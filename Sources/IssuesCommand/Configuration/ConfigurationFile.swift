internal import HTTPTargets
internal import IssueBrowser
internal import IssueTracker
internal import PlatformModules

/// The user's configuration file: `$XDG_CONFIG_HOME/issues/config.toml`.
struct ConfigurationFile: Sendable {
  static let maximumBytes = 64 << 10

  let path: String

  /// Returns nil if neither `XDG_CONFIG_HOME` nor `HOME` names a folder.
  init?(environment: [String: String]) {
    guard let folder = UserDirectory.configuration.path(in: environment) else { return nil }
    path = "\(folder)/issues/config.toml"
  }

  /// The text of the file; nil if the file doesn't exist.
  func text() throws(ConfigurationProblem) -> String? {
    // O_NONBLOCK is needed because opening a pipe would wait for a writer.
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw problem(errno)
    }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else { throw problem(errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR:
      throw ConfigurationProblem(line: nil, "it is a folder: remove it, or move it away")
    default:
      throw ConfigurationProblem(line: nil, "it isn't a regular file: put one in its place")
    }
    let bytes = try bytes(of: file)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
      let valid = String(decoding: lines[line], as: UTF8.self).unicodeScalars
        .prefix { $0 != "\u{FFFD}" }
      throw ConfigurationProblem(
        line: line + 1, column: valid.count + 1, "it isn't in UTF-8: save the file as UTF-8")
    }
    return text
  }

  private func bytes(of file: CInt) throws(ConfigurationProblem) -> [UInt8] {
    var failure: CInt = 0
    let size = Self.maximumBytes + 1
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let length = unsafe read(file, buffer.baseAddress?.advanced(by: count), size - count)
        if length > 0 {
          count += length
        } else if length == 0 {
          break
        } else if errno != EINTR {
          failure = errno
          break
        }
      }
    }
    guard failure == 0 else { throw problem(failure) }
    guard bytes.count < size else {
      throw ConfigurationProblem(line: nil, "it is larger than 64 KiB: make it shorter")
    }
    return bytes
  }

  private func problem(_ code: CInt) -> ConfigurationProblem {
    let advice = code == EACCES ? ": check its permissions" : ""
    return ConfigurationProblem(
      line: nil, unsafe "it can't be read (\(String(cString: strerror(code))))\(advice)")
  }
}

extension CommandSession {
  /// The configuration, or the default one if the file doesn't exist. A problem in the file is a failure.
  func configuration() throws(CommandFailure) -> Configuration {
    guard let file = ConfigurationFile(environment: environment) else { return Configuration() }
    let problems: [ConfigurationProblem]
    do throws(ConfigurationProblem) {
      guard let text = try file.text() else { return Configuration() }
      let reading = ConfigurationReader.read(text)
      guard let first = reading.problems.first else { return reading.configuration }
      problems = [first] + reading.problems.dropFirst()
    } catch {
      problems = [error]
    }
    let others =
      problems.count > 1
      ? "'issues config' shows all \(problems.count) problems." : "'issues config edit' opens it."
    throw CommandFailure(.configuration, "\(problems[0].text(in: file.path))\n\(others)")
  }
}

extension CommandSession {
  /// The view that an argument such as `@triage` refers to; nil for any other argument.
  func view(_ argument: String?) throws(CommandFailure) -> SavedView? {
    guard let argument, argument.first == "@" else { return nil }
    return try configuration().view(named: String(argument.dropFirst()))
  }
}

extension CommandSession {
  /// The configured columns; nil if there are none. Other problems in the file don't prevent a list.
  func configuredColumns() -> [ListColumn]? {
    do throws(ConfigurationProblem) {
      return try configuration(for: .columns)?.columns
    } catch {
      guard let file = ConfigurationFile(environment: environment) else { return nil }
      errors.write("\(error.text(in: file.path))\nThe list shows its default columns.")
      return nil
    }
  }

  /// The list of mirrors. Other problems in the file don't prevent a sync.
  func mirrorSources() throws(CommandFailure) -> [MirrorSource] {
    do throws(ConfigurationProblem) {
      return try configuration(for: .mirror)?.mirror ?? []
    } catch {
      guard let file = ConfigurationFile(environment: environment) else { return [] }
      throw CommandFailure(
        .configuration, "\(error.text(in: file.path))\n'issues config edit' opens it.")
    }
  }

  /// The configured mirror of a team; nil if there is none. Other problems in the file are ignored.
  func configuredDatabase() throws(CommandFailure) -> DatabaseName? {
    do throws(ConfigurationProblem) {
      return try configuration(for: .database)?.database
    } catch {
      guard let file = ConfigurationFile(environment: environment) else { return nil }
      throw CommandFailure(
        .configuration, "\(error.text(in: file.path))\n'issues config edit' opens it.")
    }
  }

  /// What a server is, according to the configuration. Other problems in the file are ignored.
  func configuredForge(of server: GitHubServer) throws(CommandFailure) -> Forge? {
    do throws(ConfigurationProblem) {
      return try configuration(for: .forges)?.forges[server.host]
    } catch {
      guard let file = ConfigurationFile(environment: environment) else { return nil }
      throw CommandFailure(
        .configuration, "\(error.text(in: file.path))\n'issues config edit' opens it.")
    }
  }

  /// The configuration, for one setting; nil if the file doesn't contain the setting's name, because parsing takes time
  /// and a list should be fast. Throws problems with the setting, and problems with the whole file.
  private func configuration(
    for setting: Configuration.Setting
  ) throws(ConfigurationProblem) -> Configuration? {
    guard let file = ConfigurationFile(environment: environment), let text = try file.text(),
      text.utf8.firstRange(of: setting.rawValue.utf8) != nil
    else { return nil }
    let reading = ConfigurationReader.read(text)
    if let problem = reading.problems.first(where: { [setting.rawValue, nil].contains($0.setting) })
    {
      throw problem
    }
    return reading.configuration
  }
}
