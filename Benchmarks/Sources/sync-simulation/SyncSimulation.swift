import IssueMirrorPostgres

/// Simulates a day of a team's mirror: how old its issues are, by how it chooses what to ask for next.
///
///     sync-simulation [REPOSITORIES [CHANGES-A-DAY ...]]
///
/// Without arguments, 5,000 repositories change 24,000 and 60,000 times a day. How often each one changes falls as a
/// power of its rank (Zipf, 1.1). A request without news costs nothing of the 5,000 that a token has an hour, one with
/// news costs one, and all of them together keep to 900 a minute. The result is a Markdown table.
@main
struct SyncSimulation {
  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  static func main() throws {
    let arguments = try CommandLine.arguments.dropFirst().map { argument in
      guard let number = Int(argument), number > 0 else {
        throw Failure(description: "usage: sync-simulation [REPOSITORIES [CHANGES-A-DAY ...]]")
      }
      return number
    }
    let repositories = arguments.first ?? 5_000
    let loads = arguments.count > 1 ? Array(arguments.dropFirst()) : [24_000, 60_000]
    print(
      "| policy | changes a day | active: median, 95th | idle: median, 95th | requests an hour | paid |"
    )
    print("|---|--:|--:|--:|--:|--:|")
    for load in loads {
      for policy in Policy.allCases {
        var day = SimulatedDay(repositories: repositories, changesPerDay: load, policy: policy)
        let outcome = day.run()
        print(
          "| \(policy.rawValue) | \(load) | \(outcome.active) | \(outcome.idle) "
            + "| \(outcome.requestsPerHour) | \(outcome.paidPerHour) |")
      }
    }
  }
}

/// How the next repository is chosen.
enum Policy: String, CaseIterable {
  /// Three requests each, all paid: the look-up, the list, and the list again for its tag.
  case unconditional = "in turn, all paid"
  case inTurn = "in turn, conditional"
  /// What the workers do.
  case adaptive = "adaptive intervals"
  /// What they do where the organization's list was found to have all changes.
  case listed = "the organization's list"
}

/// A number from 0 up to 1, the same in every run (SplitMix64, <https://doi.org/10.1145/2714064.2660195>).
struct SteadyRandom {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((mixed ^ (mixed >> 31)) >> 11) / 9_007_199_254_740_992
  }
}
