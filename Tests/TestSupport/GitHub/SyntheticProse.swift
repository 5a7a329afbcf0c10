/// Meaningless text of some sixty thousand words. As in any language, a few are everywhere and most are rare (Zipf's
/// law). The same place always has the same text.
enum SyntheticProse {
  /// The bits in a word's number.
  private static let bits = 16

  private static let consonants = Array("bdfghjklmnprstvz".utf8)
  private static let vowels = Array("aeio".utf8)

  /// A few words.
  static func title(_ place: Int) -> String {
    var dice = FuzzSource(place, of: "title")
    var text: [UInt8] = []
    addSentence(of: 4 + dice.below(6), to: &text, &dice)
    return String(decoding: text, as: UTF8.self)
  }

  /// Some sentences.
  static func text(_ place: Int) -> String {
    var dice = FuzzSource(place, of: "text")
    var text: [UInt8] = []
    for sentence in 0..<3 + dice.below(40) {
      if sentence > 0 { text.append(UInt8(ascii: " ")) }
      addSentence(of: 5 + dice.below(14), to: &text, &dice)
      text.append(UInt8(ascii: "."))
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func addSentence(
    of count: Int, to text: inout [UInt8], _ dice: inout FuzzSource
  ) {
    for place in 0..<count {
      if place > 0 { text.append(UInt8(ascii: " ")) }
      let start = text.count
      addWord(to: &text, &dice)
      // To a capital letter. Each consonant's capital is 32 below it.
      if place == 0 { text[start] -= 32 }
    }
  }

  /// Every length in bits is equally likely, so a word is the rarer the larger its number is.
  private static func addWord(to text: inout [UInt8], _ dice: inout FuzzSource) {
    let length = dice.below(bits)
    var number = 1 << length + dice.below(1 << length)
    while number > 0 {
      text.append(consonants[number % 16])
      text.append(vowels[number / 16 % 4])
      number /= 64
    }
  }
}
