internal import StyledText

/// The addresses that a document leads to, each once, in the order of their numbers.
struct LinkNotes {
  /// The addresses.
  private(set) var links: [WebLink] = []
  private var numbers: [WebLink: Int] = [:]

  /// The number of an address, from 1.
  mutating func number(of link: WebLink) -> Int {
    if let number = numbers[link] { return number }
    links.append(link)
    numbers[link] = links.count
    return links.count
  }
}
