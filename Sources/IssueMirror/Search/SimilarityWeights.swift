internal import PlatformModules

/// The terms by which an engine finds candidates: the rarest ones.
package struct SimilarityWeights: Hashable, Sendable {
  /// A term, and the approximate number of texts that contain it.
  package struct Counted: Hashable, Sendable {
    package var term: SimilarityTerms.Term
    package var frequency: Double

    package init(term: SimilarityTerms.Term, frequency: Double) {
      self.term = term
      self.frequency = frequency
    }
  }

  static let mostTerms = 40
  /// The most texts that contain one of the terms. The time of a comparison is proportional to their number.
  package static let mostTexts = 10_000.0
  private static let titleBoost = 2.0
  private static let identifierBoost = 1.5
  /// The weight of a word in a title.
  package static let titleShare = 3.0

  package private(set) var phrases: [SearchPhrases.Phrase] = []
  package private(set) var weights: [Double] = []

  /// Chooses among the terms of one text. `count` is the total number of texts.
  package init(_ counted: [Counted], of count: Double) {
    let weighed = counted.filter { $0.frequency > 0 }.map { counted in
      let term = counted.term
      var weight = Double.idf(counted.frequency, of: max(count, counted.frequency))
      weight *= 1 + log(Double(min(term.count, 8)))
      if term.isInTitle { weight *= Self.titleBoost }
      if term.isIdentifier { weight *= Self.identifierBoost }
      return (counted, weight)
    }.sorted { first, second in
      (first.1, first.0.term.tokens.count) > (second.1, second.0.term.tokens.count)
    }
    var chosen: [Counted] = []
    var texts = 0.0
    for (counted, weight) in weighed where phrases.count < Self.mostTerms {
      guard chosen.isEmpty || texts + counted.frequency <= Self.mostTexts else { continue }
      // Text with a name also contains its words, which don't add information.
      guard
        !chosen.contains(where: {
          $0.frequency == counted.frequency && $0.term.tokens.contains(counted.term.tokens)
        })
      else { continue }
      texts += counted.frequency
      chosen.append(counted)
      phrases.append(counted.term.phrase)
      weights.append(weight)
    }
  }
}

extension Double {
  /// The inverse document frequency (BM25).
  static func idf(_ frequency: Double, of count: Double) -> Double {
    log1p((count - frequency + 0.5) / (frequency + 0.5))
  }
}
