import Reactive

/// The state of most loops here: the request, and the responses.
struct Lookup: Equatable, Sendable {
  var request: Int?
  var answers: [String] = []

  init(_ request: Int? = nil, answers: [String] = []) {
    self.request = request
    self.answers = answers
  }

  static func reduce(_ state: inout Lookup, _ event: LookupEvent) {
    switch event {
    case .ask(let request): state.request = request
    case .answer(let answer): state.answers.append(answer)
    }
  }
}

enum LookupEvent: Equatable, Sendable {
  case ask(Int?)
  case answer(String)
}

extension FeedbackLoop<Lookup, LookupEvent> {
  /// A loop that answers requests.
  static func lookup(
    initially request: Int? = nil, _ feedbacks: Feedback<Lookup, LookupEvent>...
  ) -> Self {
    FeedbackLoop(
      initialState: Lookup(request), reduce: { Lookup.reduce(&$0, $1) }, feedbacks: feedbacks)
  }
}
