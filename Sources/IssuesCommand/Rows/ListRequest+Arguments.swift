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
    var given: [String] = []

    /// The value of an option; nil where no value follows, or none that is accepted.
    func value<Value>(_ read: (String) throws -> Value?) -> Value? {
      guard let text = rest.popFirst(), !text.isEmpty, !text.hasPrefix("-") else { return nil }
      return try? read(text)
    }

    while let argument = rest.popFirst() {
      let name: String
      switch argument {
      case "--limit", "-L":
        guard let limit = value(ValueReader.limit) else { return nil }
        (name, self.limit) = ("--limit", limit)
      case "--state", "-s":
        guard let state = value(IssueFilter.State.init(rawValue:)) else { return nil }
        (name, filter.state) = ("--state", state)
      case "--api-url":
        guard let url = value({ $0 }) else { return nil }
        (name, connection.request.apiURL) = (argument, url)
      case "--no-cache":
        (name, connection.request.usesCache) = (argument, false)
      case "--stub":
        (name, connection.request.stub) = (argument, true)
      case "--include-pull-requests":
        (name, includesPullRequests) = (argument, true)
      default:
        guard !argument.isEmpty, !argument.hasPrefix("-") else { return nil }
        (name, repository) = ("", argument)
      }
      guard !given.contains(name) else { return nil }
      given.append(name)
    }
  }
}
