import GitHubAPI
import HTTPTargets
import IssueBrowser
import IssueTracker
import Reactive
import StyledText
import TerminalScreen

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Loads all issues of a repository into the browser, and presses keys.
///
///     screen-latency API-URL OWNER/REPO PRESSES
///
/// It prints a line of seven numbers: the number of loaded issues; the median and the 99th percentile from a key press
/// to the picture, in microseconds; the same to the end of writing it to a pseudo-terminal; and the peak of the
/// process's memory in KiB, before and after scrolling through all issues. The window has 200×60 cells.
@main
@MainActor struct ScreenLatency {
  private struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Each key changes the picture if the list is longer than six pages. The last one ends where the first began.
  private static let keys: [InputEvent.Key] =
    Array(repeating: .down, count: 20) + Array(repeating: .pageDown, count: 5)
    + Array(repeating: .pageUp, count: 5) + Array(repeating: .up, count: 20) + [.end, .home]

  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count == 3, let presses = Int(arguments[2]), presses > 0 else {
      throw Failure(description: "usage: screen-latency API-URL OWNER/REPO PRESSES")
    }
    DisplayWidth.prepare()
    let size = ScreenSize(columns: 200, rows: 60)
    let output = try StandInTerminal.install(columns: 200, rows: 60)
    let server = try GitHubServer(apiURL: arguments[0])
    let source = BrowserSource { _ in
      BrowserConnection(
        server: server, provider: Provider.gitHub(.init(server: server)),
        reachability: ProbingReachability(server: server))
    }
    let screen = MeasuredScreen(size: size)
    let reactor = BrowserReactor(
      source: source, host: server.host, size: size, initialText: arguments[1],
      open: { _, _ in false })
    let view = BrowserView(screen: screen)
    let run = Task { await view.run(reactor) }
    let count = await load(reactor, on: screen)
    let loaded = peakMemory()
    _ = await screen.time(of: .home)
    for _ in 0..<count / size.rows { _ = await screen.time(of: .pageDown) }
    let scrolled = peakMemory()
    _ = await screen.time(of: .home)

    let pictures = await times(of: presses, on: screen)
    let terminal = try Terminal(
      environment: ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8"], color: .palette)
    screen.terminal = terminal
    let repaints = await times(of: presses, on: screen)
    terminal.close()
    screen.terminal = nil
    screen.press(.interrupt)
    await run.value
    dup2(output, STDOUT_FILENO)
    print(
      count, percentile(50, of: pictures), percentile(99, of: pictures),
      percentile(50, of: repaints),
      percentile(99, of: repaints), loaded, scrolled)
  }

  /// Goes to the end until everything is loaded.
  private static func load(_ reactor: BrowserReactor, on screen: MeasuredScreen) async -> Int {
    var seen = 0
    for await state in reactor.allStates {
      guard case .issues(let sheet) = state.list.content else { continue }
      if !sheet.hasMore, !state.list.isLoading { return sheet.issues.count }
      // Once for each page: every key makes a state, which would get another key.
      guard !state.list.isLoading, sheet.issues.count != seen else { continue }
      if seen == 0, state.pane == .search { screen.press(.down) }
      seen = sheet.issues.count
      screen.press(.end)
    }
    return 0
  }

  private static func times(of presses: Int, on screen: MeasuredScreen) async -> [Duration] {
    var times: [Duration] = []
    while times.count < presses {
      for key in keys { times.append(await screen.time(of: key)) }
    }
    return times.sorted()
  }

  /// The given percentile in microseconds.
  private static func percentile(_ percent: Int, of times: [Duration]) -> Int {
    Int(times[(times.count - 1) * percent / 100] / .microseconds(1))
  }

  private static func peakMemory() -> Int {
    var usage = rusage()
    #if canImport(Glibc)
      unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      return usage.ru_maxrss
    #elseif canImport(Darwin)
      unsafe getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss / 1_024
    #else
      unsafe getrusage(RUSAGE_SELF, &usage)
      return usage.ru_maxrss
    #endif
  }
}
