internal import PlatformModules

/// Compares texts with the subject of a ``SimilarIssuesQuery``. Each engine finds candidates by its own index, and this
/// ranks them, so that every engine returns the same issues with the same scores.
///
/// The measure is BM25F (Robertson, Zaragoza: The Probabilistic Relevance Framework, 2009) over stems, in which a
/// synonym counts half. From it, a logistic model estimates the probability that the two texts report the same problem.
/// The constants were fitted to thirty paraphrases of recorded issues; `ParaphraseTests` measure them on others.
package struct SimilarityRanking {
  /// The candidates to read. An engine returns those with the most and the rarest words of the subject.
  package static let mostCandidates = 60
  /// The least share of the subject's own score. Unrelated reports share fewer words.
  private static let leastShare = 0.15
  static let leastScore = 0.02

  private static let mostKnown = 40
  private static let mostUnknown = 20
  private static let titleWeight = 4.0
  private static let synonymWeight = 0.5
  private static let identifierBoost = 1.5
  private static let titleBoost = 1.3
  private static let saturation = 3.0
  private static let lengthShare = 0.9
  private static let averageLength = 150.0
  private static let shortestLength = 30

  private struct Weighed {
    var term: SimilarityTerms.Term
    var weight: Double
    var synonyms: [[String]]
  }

  private let known: [Weighed]
  /// The score of the subject itself. Its words that no other text has are part of it: an unrelated text has a few
  /// words in common, but not those.
  private let ideal: Double
  /// The scale of the weights, which grow with the number of texts.
  private let scale: Double

  /// `count` is the number of texts.
  package init(_ subject: SimilarityTerms, _ counted: [SimilarityWeights.Counted], of count: Double)
  {
    scale = log(max(count, 3))
    var (known, unknown): ([Weighed], [Weighed]) = ([], [])
    for counted in counted {
      let term = counted.term
      var weight = Double.idf(counted.frequency, of: max(count, counted.frequency))
      weight *= 1 + log(Double(min(term.count, 8)))
      if term.isInTitle { weight *= Self.titleBoost }
      if term.isIdentifier { weight *= Self.identifierBoost }
      let synonyms = term.isStem ? SimilarityWord.synonyms(of: term.tokens[0]).map { [$0] } : []
      let weighed = Weighed(term: term, weight: weight, synonyms: synonyms)
      if counted.frequency > 0 || !synonyms.isEmpty {
        known.append(weighed)
      } else {
        unknown.append(weighed)
      }
    }
    known = Array(known.sorted { $0.weight > $1.weight }.prefix(Self.mostKnown))
    unknown = Array(unknown.sorted { $0.weight > $1.weight }.prefix(Self.mostUnknown))
    let length = Self.relativeLength(max(subject.bodyLength, Self.shortestLength))
    ideal = (known + unknown).reduce(0) { sum, weighed in
      let term = weighed.term
      let frequency =
        Self.titleWeight * Double(term.titleCount)
        + Double(term.count - term.titleCount) / length
      return sum + weighed.weight * Self.saturated(frequency)
    }
    self.known = known
  }

  private static func relativeLength(_ length: Int) -> Double {
    1 - lengthShare + lengthShare * Double(length) / averageLength
  }

  private static func saturated(_ frequency: Double) -> Double {
    frequency * (saturation + 1) / (frequency + saturation)
  }

  /// The probability that a text is about the same; nil if it is unrelated.
  package func score(title: String, body: String) -> Double? {
    let text = SimilarityTerms(title: title, body: body)
    let length = Self.relativeLength(text.bodyLength)
    func frequency(of tokens: [String]) -> Double {
      guard let term = text[tokens] else { return 0 }
      return Self.titleWeight * Double(term.titleCount)
        + Double(term.count - term.titleCount) / length
    }
    let score = known.reduce(0) { sum, weighed in
      let found = weighed.synonyms.reduce(frequency(of: weighed.term.tokens)) {
        $0 + Self.synonymWeight * frequency(of: $1)
      }
      return sum + weighed.weight * Self.saturated(found)
    }
    let share = min(score / ideal, 1)
    guard share >= Self.leastShare else { return nil }
    let probability = 1 / (1 + exp(1.13 - 3.38 * log(share) - 1.79 * log(score / scale)))
    return probability < Self.leastScore ? nil : probability
  }
}
