/// A heap with the smallest element on top. To remove another element, the caller skips it when it reaches the top, and
/// occasionally drops all such elements at once.
struct BinaryHeap<Element: Comparable> {
  private var elements: [Element] = []

  var count: Int { elements.count }
  var first: Element? { elements.first }

  mutating func insert(_ element: Element) {
    elements.append(element)
    var child = elements.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard elements[child] < elements[parent] else { return }
      elements.swapAt(child, parent)
      child = parent
    }
  }

  mutating func removeFirst() {
    elements.swapAt(0, elements.count - 1)
    elements.removeLast()
    sink(0)
  }

  mutating func removeAll() {
    elements.removeAll(keepingCapacity: true)
  }

  mutating func removeAll(where isStale: (Element) -> Bool) {
    elements.removeAll(where: isStale)
    for parent in (0..<elements.count / 2).reversed() { sink(parent) }
  }

  private mutating func sink(_ start: Int) {
    var parent = start
    while true {
      var smallest = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < elements.count && elements[child] < elements[smallest] {
        smallest = child
      }
      guard smallest != parent else { return }
      elements.swapAt(parent, smallest)
      parent = smallest
    }
  }
}
