/// Places in an order, found by binary search.
struct SortedPlaces: Sendable {
  /// A place: by its key, and then by its number.
  struct Place: Sendable, Hashable, Comparable {
    var key: Int
    var number: Int

    static func < (first: Place, second: Place) -> Bool {
      (first.key, first.number) < (second.key, second.number)
    }
  }

  /// In ascending order.
  private(set) var places: [Place]

  init(_ places: [Place]) {
    self.places = places.sorted()
  }

  var count: Int { places.count }

  /// How many places come before one.
  func count(before place: Place) -> Int {
    var low = 0
    var high = places.count
    while low < high {
      let middle = (low + high) / 2
      if places[middle] < place { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// How many places come before one or are equal to it.
  func count(through place: Place) -> Int {
    let index = count(before: place)
    return index < places.count && places[index] == place ? index + 1 : index
  }

  mutating func insert(_ place: Place) {
    places.insert(place, at: count(before: place))
  }

  mutating func remove(_ place: Place) {
    let index = count(before: place)
    if index < places.count, places[index] == place { places.remove(at: index) }
  }

  /// A part of the order, in either direction.
  struct Window: Sendable {
    let order: SortedPlaces
    /// How many places at the beginning to skip.
    var first = 0
    var isAscending = true

    var count: Int { max(order.count - first, 0) }

    /// The places in a range of positions, in the window's direction.
    func places(_ range: Range<Int>) -> [Place] {
      range.map { order.places[isAscending ? first + $0 : order.count - 1 - $0] }
    }

    /// How many positions come before a place or, with `behind`, before or at it.
    func position(of place: Place, behind: Bool) -> Int {
      let before =
        isAscending
        ? (behind ? order.count(through: place) : order.count(before: place)) - first
        : order.count - (behind ? order.count(before: place) : order.count(through: place))
      return min(max(before, 0), count)
    }
  }
}
