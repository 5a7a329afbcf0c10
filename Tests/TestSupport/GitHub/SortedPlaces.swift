/// The places of things in an order, each found by binary search however many there are.
struct SortedPlaces: Sendable {
  /// Where a thing stands: by its key, and among equal keys by its number.
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

  /// How many come before a place.
  func count(before place: Place) -> Int {
    var low = 0
    var high = places.count
    while low < high {
      let middle = (low + high) / 2
      if places[middle] < place { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// How many come before a place or stand there.
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

  /// A part of the order, read in either direction.
  struct Window: Sendable {
    let order: SortedPlaces
    /// How many at the beginning are left out.
    var first = 0
    var isAscending = true

    var count: Int { max(order.count - first, 0) }

    /// The places at some of the positions, in the window's direction.
    func places(_ range: Range<Int>) -> [Place] {
      range.map { order.places[isAscending ? first + $0 : order.count - 1 - $0] }
    }

    /// How many positions come before a place or, with `behind`, through it.
    func position(of place: Place, behind: Bool) -> Int {
      let before =
        isAscending
        ? (behind ? order.count(through: place) : order.count(before: place)) - first
        : order.count - (behind ? order.count(before: place) : order.count(through: place))
      return min(max(before, 0), count)
    }
  }
}
