import IssueMirror

@testable import GitHubAPI

/// A server's feed without a server: what changes goes to its end.
struct SimulatedFeed {
  /// An item of the feed.
  struct Item: Hashable {
    var id: Int64
    var updatedAt: Int
    /// Counted up with every change: two within a second leave `updatedAt` as it is.
    var version = 0
  }

  /// The place of an item: change feeds are in this order.
  private struct Place: Comparable {
    var updatedAt: Int
    var id: Int64

    static func < (left: Place, right: Place) -> Bool {
      (left.updatedAt, left.id) < (right.updatedAt, right.id)
    }
  }

  /// The time, in seconds since 1970.
  var now: Int
  /// Whether the next page is named by its number, and not by where this one ends.
  let numbersPages: Bool
  let pageSize: Int
  private(set) var items: [Int64: Item]
  private var places: [Place]

  init(
    updatedAt times: [Int], now: Int, numbersPages: Bool = false,
    pageSize: Int = SweepAnswer.pageSize
  ) {
    self.now = now
    self.numbersPages = numbersPages
    self.pageSize = pageSize
    items = [:]
    places = []
    for (index, time) in times.enumerated() {
      items[Int64(index + 1)] = Item(id: Int64(index + 1), updatedAt: time)
      places.append(Place(updatedAt: time, id: Int64(index + 1)))
    }
    places.sort()
  }

  /// Changes an item now.
  mutating func change(_ id: Int64) {
    guard var item = items[id] else { return }
    places.remove(at: index(of: Place(updatedAt: item.updatedAt, id: id)))
    item.updatedAt = now
    item.version += 1
    insert(item)
  }

  /// Adds an item now.
  mutating func add() {
    insert(Item(id: (items.keys.max() ?? 0) + 1, updatedAt: now))
  }

  mutating func remove(_ id: Int64) {
    guard let item = items.removeValue(forKey: id) else { return }
    places.remove(at: index(of: Place(updatedAt: item.updatedAt, id: id)))
  }

  private mutating func insert(_ item: Item) {
    items[item.id] = item
    let place = Place(updatedAt: item.updatedAt, id: item.id)
    places.insert(place, at: index(of: place))
  }

  /// A page, as the server finds it at this moment.
  func page(_ place: SweepAsk.Place) -> (ids: [Int64], next: PageLink?) {
    var query: [Substring: Int] = [:]
    switch place {
    case .since(let second): query["since"] = second
    case .page(let link):
      for item in link.url.drop(while: { $0 != "?" }).dropFirst().split(separator: "&") {
        let parts = item.split(separator: "=")
        query[parts[0]] = Int(parts[1])
      }
    }
    let since = query["since"] ?? 0
    var begin = index(of: Place(updatedAt: since, id: .min))
    if let time = query["after"], let id = query["id"] {
      let cursor = Place(updatedAt: time, id: Int64(id))
      begin = index(of: cursor)
      if begin < places.count, places[begin] == cursor { begin += 1 }
    } else if let number = query["page"] {
      begin = min(begin + (number - 1) * pageSize, places.count)
    }
    let end = min(begin + pageSize, places.count)
    let shown = places[begin..<end].map(\.id)
    guard end < places.count else { return (shown, nil) }
    let number = "/items?since=\(since)&page=\((query["page"] ?? 1) + 1)"
    let last = places[end - 1]
    let cursor = "&after=\(last.updatedAt)&id=\(last.id)"
    return (shown, PageLink(numbersPages ? number : number + cursor))
  }

  /// The first place that isn't before another.
  private func index(of place: Place) -> Int {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle] < place { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension SweepAnswer {
  /// A page of items as they are now.
  init(_ items: [SimulatedFeed.Item], next: PageLink?, askedAt: Int) {
    self.init(
      entries: items.map { Entry(id: $0.id, updatedAt: $0.updatedAt) }, next: next,
      askedAt: askedAt)
  }
}

extension PageLink {
  /// A link of a server that doesn't run. To read it as a header would take half of a simulation's time.
  init(_ target: String) {
    self.init(url: "http://127.0.0.1:1\(target)")
  }
}
