/// A set of requests that remembers its last changes, for a state with thousands of them.
///
/// ```swift
/// struct State { var downloads = RequestSet<URL>() }
///
/// .react(requests: \.downloads) { url, emit in await emit(.loaded(url, load(url))) }
/// ```
///
/// A step of the loop examines only the requests that the event inserted or removed, regardless of the size of the set.
/// With a `Set`, it must compare all of them. Sets are equal if they have the same members, regardless of their
/// changes.
public struct RequestSet<Request: Hashable & Sendable>: Sendable {
  /// A version. It is an object, because copies that are changed separately would reach the same number.
  fileprivate final class Version: Sendable {}

  fileprivate struct Change: Sendable {
    let request: Request
    let version: Version
  }

  /// The requests as a standard set, for all set operations.
  public private(set) var members: Set<Request>
  /// Nil for an empty set that has never been changed.
  fileprivate private(set) var version: Version?
  /// The version before ``changes``.
  private var base: Version?
  /// The changes from ``base`` to ``version``. The members show whether a change was an insertion or a removal.
  private var changes: [Change] = []

  /// Creates an empty set.
  public init() {
    members = []
  }

  /// Creates a set of some requests.
  public init(_ requests: some Sequence<Request>) {
    members = Set(requests)
    version = Version()
    base = version
  }

  /// The number of requests.
  public var count: Int { members.count }

  /// Whether there are no requests.
  public var isEmpty: Bool { members.isEmpty }

  /// Whether a request is in the set.
  public func contains(_ request: Request) -> Bool { members.contains(request) }

  /// Inserts a request, and returns whether it is new.
  @discardableResult
  public mutating func insert(_ request: Request) -> Bool {
    guard members.insert(request).inserted else { return false }
    note(request)
    return true
  }

  /// Removes a request, and returns whether the set contained it.
  @discardableResult
  public mutating func remove(_ request: Request) -> Bool {
    guard members.remove(request) != nil else { return false }
    note(request)
    return true
  }

  /// Removes all requests.
  public mutating func removeAll() {
    self = RequestSet()
  }

  private mutating func note(_ request: Request) {
    let version = Version()
    self.version = version
    changes.append(Change(request: request, version: version))
    // Half of the changes are removed at a time, so that each change is moved about once.
    if changes.count > max(32, members.count) {
      let old = changes.count / 2
      base = changes[old - 1].version
      changes.removeFirst(old)
    }
  }

  /// The requests that were inserted or removed since a version; nil if the changes since that version are no longer
  /// known.
  fileprivate func changes(since version: Version?) -> ArraySlice<Change>? {
    if let index = changes.lastIndex(where: { $0.version === version }) {
      return changes[(index + 1)...]
    }
    return version === base ? changes[...] : nil
  }
}

extension RequestSet: Equatable {
  /// Whether both have the same members.
  public static func == (left: Self, right: Self) -> Bool {
    left.version === right.version || left.members == right.members
  }
}

/// Reads the set of each state of a run.
struct RequestSetReader<Request: Hashable & Sendable> {
  private var known: Set<Request> = []
  private var version: RequestSet<Request>.Version?

  mutating func difference(to set: RequestSet<Request>) -> RequestDifference<Request, Request>? {
    guard set.version !== version else { return nil }
    defer { version = set.version }
    guard let changes = set.changes(since: version) else {
      guard let difference = RequestDifference(from: known, to: set.members) else { return nil }
      // This doesn't keep the set itself: its storage would be shared, so that the next change would copy it.
      for (request, _) in difference.gone { known.remove(request) }
      for (request, _) in difference.come { known.insert(request) }
      return difference
    }
    var difference = RequestDifference<Request, Request>()
    for change in changes {
      let request = change.request
      if set.contains(request) {
        if known.insert(request).inserted { difference.come.append((request, request)) }
      } else if known.remove(request) != nil {
        difference.gone.append((request, request))
      }
    }
    return difference
  }
}
