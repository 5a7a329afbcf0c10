internal import GitHubAPI

extension SearchQuery {
  /// What a search can ask of an issue besides its words.
  enum Property: Hashable, Sendable {
    /// A state.
    enum State: String, Hashable, Sendable {
      case open
      case closed
    }

    /// What `is:` asks, besides the states.
    enum Kind: String, CaseIterable, Hashable, Sendable {
      case issue
      case pullRequest = "pr"
      case merged
      case unmerged
      case draft
      case locked
      case unlocked
    }

    /// How somebody has to do with an issue.
    enum Role: String, CaseIterable, Hashable, Sendable {
      case author
      case assignee
      case mentioned = "mentions"
      case commenter
      case involved = "involves"
    }

    /// What an issue can be without.
    enum Aspect: String, CaseIterable, Hashable, Sendable {
      case label
      case assignee
      case milestone
    }

    /// What happened when.
    enum Event: String, CaseIterable, Hashable, Sendable {
      case created
      case updated
      case closed
    }

    case state(State)
    case kind(Kind)
    /// One of these labels.
    case label([String])
    /// Somebody's login.
    case person(Role, Username)
    case assigned
    /// A milestone's title, or its number where no title is that.
    case milestone(String)
    case planned
    case without(Aspect)
    /// In seconds since 1970.
    case time(Event, SearchSpan)
    case comments(SearchSpan)
  }
}

extension SearchQuery.Property {
  /// Which of its kind may be meant when several are said; nil where each has to be so.
  var alternatives: Alternatives? {
    switch self {
    case .state: .state
    case .kind(.issue), .kind(.pullRequest): .kind
    case .person(.author, _): .author
    case .milestone: .milestone
    case .kind, .label, .person, .assigned, .planned, .without, .time, .comments: nil
    }
  }

  /// What an issue has one of.
  enum Alternatives: Hashable {
    case state
    case kind
    case author
    case milestone
  }

  /// The property as it is typed.
  var written: String {
    switch self {
    case .state(let state): "is:\(state.rawValue)"
    case .kind(let kind): "is:\(kind.rawValue)"
    case .label(let names): "label:" + names.map(SearchWord.written).joined(separator: ",")
    case .person(let role, let login): "\(role.rawValue):\(Self.written(login))"
    case .assigned: "assignee:*"
    case .planned: "milestone:*"
    case .milestone(let title): "milestone:\(SearchWord.written(title))"
    case .without(let aspect): "no:\(aspect.rawValue)"
    case .time(let event, let span): "\(event.rawValue):\(span.text)"
    case .comments(let span): "comments:\(span.text)"
    }
  }

  /// GitHub's search calls a bot `app/dependabot`, and its API `dependabot[bot]`.
  private static func written(_ login: Username) -> String {
    login.login.hasSuffix("[bot]") ? "app/\(login.login.dropLast(5))" : login.login
  }
}
