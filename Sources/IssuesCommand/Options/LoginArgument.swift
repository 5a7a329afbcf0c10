internal import IssueTracker

/// A login on the command line, or `@me`: the user whom the token belongs to.
enum LoginArgument: Hashable, Sendable {
  case me
  case user(Username)

  init?(_ text: String) {
    if text == "@me" {
      self = .me
    } else {
      guard let username = Username(text) else { return nil }
      self = .user(username)
    }
  }

  /// How GitHub's search writes it.
  var word: String {
    switch self {
    case .me: "@me"
    case .user(let username): username.login
    }
  }

  /// The login; nil for `@me`, which stands for one that isn't known.
  var username: Username? {
    switch self {
    case .me: nil
    case .user(let username): username
    }
  }
}

/// Whom an issue is assigned to, on the command line.
enum AssigneeArgument: Hashable, Sendable {
  case me
  case known(Assignee)

  init?(_ text: String) {
    if text == "@me" {
      self = .me
    } else {
      guard let assignee = Assignee(text) else { return nil }
      self = .known(assignee)
    }
  }

  /// How GitHub's search writes it.
  var word: QueryWord {
    switch self {
    case .me: QueryWord(name: "assignee", value: "@me")
    case .known(.nobody): QueryWord(name: "no", value: "assignee")
    case .known(let assignee): QueryWord(name: "assignee", value: assignee.description)
    }
  }

  /// What a list is filtered by; nil for `@me`, which stands for one that isn't known.
  var assignee: Assignee? {
    switch self {
    case .me: nil
    case .known(let assignee): assignee
    }
  }
}
