internal import IssueTracker

extension ListRequest {
  /// Reads the command line of a list as it is typed most often; nil for any other, and for a wrong one.
  ///
  /// ArgumentParser finds out through reflection what a command takes, for which the runtime searches all that
  /// the program conforms to: 3 ms of a list of 20 ms, more than both of the server's answers take. It stays the
  /// one that knows what there is, and says what is wrong: here each option stands once, written out, with
  /// a value behind it that is accepted, or the parser reads the line. A test compares the two.
  init?(reading arguments: [String]) {
    self.init()
    var rest = arguments[...]
    var given: Set<String> = []

    /// The value of an option, unless that was given before or no value follows.
    func value<Value>(_ read: (String) throws -> Value) -> Value? {
      guard let text = rest.popFirst(), !text.isEmpty, !text.hasPrefix("-") else { return nil }
      return try? read(text)
    }

    let longNames = ["-L": "--limit", "-s": "--state"]
    while let name = rest.popFirst() {
      let argument = longNames[name] ?? name
      guard given.insert(argument).inserted else { return nil }
      switch argument {
      case "--limit":
        guard let limit = value(ValueReader.limit) else { return nil }
        self.limit = limit
      case "--state":
        guard let state = value({ $0 }).flatMap(IssueFilter.State.init) else { return nil }
        filter.state = state
      case "--api-url":
        guard let url = value({ $0 }) else { return nil }
        connection.request.apiURL = url
      case "--no-cache":
        connection.request.usesCache = false
      case "--stub":
        connection.request.stub = true
      case "--include-pull-requests":
        includesPullRequests = true
      default:
        guard repository == nil, !argument.isEmpty, !argument.hasPrefix("-") else { return nil }
        repository = argument
      }
    }
  }
}
