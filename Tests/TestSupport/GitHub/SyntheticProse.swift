/// Text of some sixty thousand different words that mean nothing: a few are everywhere and most are rare,
/// as in any language (Zipf's law).
///
/// The same place always has the same text.
enum SyntheticProse {
  /// As many bits as the number of a word has: there are two to the power of that many.
  private static let bits = 16

  private static let consonants = Array("bdfghjklmnprstvz").map(String.init)
  private static let vowels = Array("aeio").map(String.init)

  /// A few words.
  static func title(_ place: Int) -> String {
    var dice = Dice(place, of: "title")
    return sentence(of: 4 + dice.below(6), &dice)
  }

  /// Some sentences.
  static func text(_ place: Int) -> String {
    var dice = Dice(place, of: "text")
    return (0..<3 + dice.below(40)).map { _ in sentence(of: 5 + dice.below(14), &dice) + "." }
      .joined(separator: " ")
  }

  private static func sentence(of count: Int, _ dice: inout Dice) -> String {
    (0..<count).map { $0 == 0 ? word(&dice).capitalized : word(&dice) }.joined(separator: " ")
  }

  /// Every length in bits is as likely as any other, so that a word is as rare as its number is large.
  private static func word(_ dice: inout Dice) -> String {
    let length = dice.below(bits)
    var number = 1 << length + dice.below(1 << length)
    var word = ""
    while number > 0 {
      word += consonants[number % 16] + vowels[number / 16 % 4]
      number /= 64
    }
    return word
  }
}

extension String {
  /// With its first letter as a capital.
  fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
