#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Notes time and memory at the beginning and after each stretch.
struct Marks {
  private struct Mark {
    let time: ContinuousClock.Instant
    let memory: Int
  }

  private let interval: Int
  private var marks: [Mark] = []

  init(every interval: Int) {
    self.interval = interval
    marks.reserveCapacity(8)
  }

  mutating func begin() {
    mark()
  }

  mutating func passed(_ count: Int) {
    if count.isMultiple(of: interval) { mark() }
  }

  /// The nanoseconds for each item of a stretch, counted from 1.
  func nanoseconds(of stretch: Int) -> Int {
    let time = marks[stretch - 1].time.duration(to: marks[stretch].time)
    return Int(time / .nanoseconds(1)) / interval
  }

  /// The growth of the process's peak memory in a stretch, in bytes.
  func growth(of stretch: Int) -> Int {
    marks[stretch].memory - marks[stretch - 1].memory
  }

  private mutating func mark() {
    marks.append(Mark(time: .now, memory: Self.peakMemory()))
  }

  /// The largest resident set so far. The current one could hide memory that was freed again.
  private static func peakMemory() -> Int {
    var usage = rusage()
    #if canImport(Darwin)
      getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss
    #elseif canImport(Glibc)
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      return usage.ru_maxrss * 1_024
    #else
      getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss * 1_024
    #endif
  }
}
