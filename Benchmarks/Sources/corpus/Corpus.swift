#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Issues with 50,000 words, as frequent as in a real language (Zipf's law).
package struct Corpus: Sendable {
  private var state: UInt64
  package let words: [String]
  private let cumulated: [Double]

  /// Creates the texts of a seed. The words are always the same.
  package init(seed: UInt64 = 1) {
    state = seed
    var words: [String] = []
    var total = 0.0
    var cumulated: [Double] = []
    var dice = Dice(state: 7)
    for rank in 0..<50_000 {
      let word = (0..<2 + dice.below(8)).map { _ in
        String(UnicodeScalar(UInt8(97 + dice.below(26))))
      }.joined()
      // Some words are identifiers.
      words.append(rank % 11 == 10 ? word + "Of" + word.capitalizedFirst : word)
      total += 1 / (Double(rank) + 2.7)
      cumulated.append(total)
    }
    self.words = words
    self.cumulated = cumulated
  }

  /// The same words, and the texts of another seed.
  package init(from other: Corpus, seed: UInt64) {
    (words, cumulated, state) = (other.words, other.cumulated, seed)
  }

  /// A word, chosen by its frequency.
  package mutating func word() -> String { words[rank()] }

  /// A text for a JSON string.
  package mutating func text(bytes: Int) -> String {
    var text = ""
    while text.utf8.count < bytes {
      if !text.isEmpty { text += state % 13 == 0 ? "\\n\\n" : " " }
      text += word()
    }
    return text
  }

  /// A page of issues, as a server sends it: opened ten minutes after each other, by people in some revision.
  package mutating func page(
    _ numbers: [Int], at start: Int = 1_600_000_000, revision: Int = 0
  ) -> Data {
    var json = "["
    for number in numbers {
      if json.utf8.count > 1 { json += "," }
      let time = Timestamps.string(start + number * 600)
      json += """
        {"id":\(number),"number":\(number),"title":"\(text(bytes: 50))",\
        "body":"\(text(bytes: 1_000))",\
        "state":"\(number % 3 == 0 ? "open" : "closed")","comments":\(number % 7),\
        "user":{"login":"user\(number % 500)","id":\(number % 500),"revision":\(revision)},\
        "labels":[{"id":\(number % 20),"name":"label \(number % 20)","color":"ededed"}],\
        "assignees":[],"created_at":"\(time)","updated_at":"\(time)"}
        """
    }
    return Data((json + "]").utf8)
  }

  private mutating func rank() -> Int {
    var dice = Dice(state: state)
    let point = Double(dice.next() >> 11) / Double(1 << 53) * (cumulated.last ?? 1)
    state = dice.state
    var (low, high) = (0, cumulated.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if cumulated[middle] < point { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// SplitMix64.
package struct Dice: Sendable {
  var state: UInt64

  package init(state: UInt64) {
    self.state = state
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}

package enum Timestamps {
  /// RFC 3339, to the day.
  package static func string(_ seconds: Int) -> String {
    let days = seconds / 86_400
    let (hour, minute, second) = (seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60)
    // https://howardhinnant.github.io/date_algorithms.html
    let era = (days + 719_468) / 146_097
    let dayOfEra = days + 719_468 - era * 146_097
    let year = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    let civil = month < 10 ? month + 3 : month - 9
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(year + era * 400 + (civil <= 2 ? 1 : 0))-\(two(civil))-\(two(day))T"
      + "\(two(hour)):\(two(minute)):\(two(second))Z"
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
