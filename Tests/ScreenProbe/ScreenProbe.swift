import Dispatch
import PlatformModules
import StyledText
import TerminalScreen
import TestSupport

/// Opens the screen and does to it what its arguments say, one after the other, for a test that reads the
/// terminal's other end:
///
///     screen-probe palette show=label-d73a4a:bug events close
///
/// The first is the color mode. What happens is reported on the terminal itself, between a record separator
/// and a unit separator, so that a test sees what is written between two reports.
@main
@MainActor struct ScreenProbe {
  private var terminal: Terminal?
  private var canvas: Canvas
  private var row = 0

  static func main() async {
    // As the command does it: before anything else is done with text.
    DisplayWidth.prepare()
    var arguments = CommandLine.arguments.dropFirst()
    let color = arguments.popFirst().flatMap { modes[$0] }
    do {
      let terminal = try Terminal(
        environment: environment, color: color ?? .none,
        hasLinks: getenv("FORCE_HYPERLINK") != nil, hasImages: getenv("PROBE_IMAGES") != nil)
      var probe = ScreenProbe(terminal: terminal, canvas: Canvas(size: terminal.size))
      report("process \(getpid())")
      report("open")
      while let argument = arguments.popFirst() {
        let words = argument.split(separator: "=", maxSplits: 1).map(String.init)
        await probe.perform(words[0], words.count > 1 ? words[1] : "")
      }
    } catch {
      print("screen-probe: \(error)")
      exit(3)
    }
  }

  private static let modes: [String: ColorMode] = [
    "none": .none, "basic": .basic, "palette": .palette, "trueColor": .trueColor,
  ]

  private static var environment: [String: String] {
    var result: [String: String] = [:]
    for name in [
      "TERM", "LC_ALL", "LC_CTYPE", "LANG", "TMUX", "STY", "VTE_VERSION", "TERM_PROGRAM",
    ] {
      if let value = getenv(name) { result[name] = String(cString: value) }
    }
    return result
  }

  private static func report(_ text: String) {
    let bytes = Array("\u{1E}\(text)\u{1F}".utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
  }

  private mutating func perform(_ step: String, _ value: String) async {
    switch step {
    case "row": row = Int(value) ?? 0
    case "show": draw(value)
    case "small": canvas = Canvas(size: ScreenSize(columns: 10, rows: 2))
    case "large": canvas = Canvas(size: ScreenSize(columns: 300, rows: 100))
    case "cursor":
      let place = value.split(separator: ",").compactMap { Int($0) }
      canvas.cursor = (place[0], place[1])
      terminal?.show(canvas)
    case "image": drawImage(Int(value) ?? 1)
    case "again": terminal?.show(canvas)
    case "hostile": drawHostile()
    case "flood": await flood()
    case "pairs": drawPairs(Int(value) ?? 0)
    case "colors": drawColors(Int(value) ?? 0)
    case "events": await reportEvents()
    case "suspend": terminal?.suspend()
    case "copy": Self.report("copied \(terminal?.copy(value) ?? .unsupported)")
    case "lend": await lend(to: value)
    case "close": terminal?.close()
    case "drop": terminal = nil
    case "exit": exit(7)
    case "crash": crash(value)
    default: break
    }
    Self.report("done \(step)")
  }

  /// Draws an image as many pixels high as wide, on four columns of two rows.
  private mutating func drawImage(_ side: Int) {
    guard let image = ScreenImage(png: Array(PNG.image(width: side, height: side))) else { return }
    canvas.images = [image]
    canvas.place(
      ImagePlacement(image, number: 1, column: 3, row: row, columns: 4, rows: 0..<2, height: 2))
    terminal?.show(canvas)
  }

  /// Draws a row for each text that tries to do more than to be read.
  private mutating func drawHostile() {
    for (row, text) in HostileText.samples.enumerated() {
      canvas.draw(StyledLine(text), column: 0, row: row)
    }
    terminal?.show(canvas)
  }

  /// Draws pictures of cells that each have another color, until there were at least so many.
  private mutating func drawColors(_ count: Int) {
    var number = 0
    while number < count {
      for row in 0..<canvas.size.rows {
        let runs = (0..<canvas.size.columns).map { _ in
          number += 1
          let parts = [number >> 16, number >> 8, number].map { UInt8(truncatingIfNeeded: $0) }
          let color = Color(red: parts[0], green: parts[1], blue: parts[2])
          return StyledLine.Run("x", style: Style(foreground: .exact(color)))
        }
        canvas.draw(StyledLine(runs: runs), column: 0, row: row)
      }
      terminal?.show(canvas)
    }
  }

  /// Draws nine cells, each with other colors of the theme.
  private mutating func drawPairs(_ first: Int) {
    let paints: [Style.Paint] = [
      .standard, .black, .red, .green, .yellow, .blue, .magenta, .cyan, .white,
    ]
    let runs = (first..<first + 9).map { number in
      let style = Style(foreground: paints[number % 9], background: paints[number / 9 % 9])
      return StyledLine.Run("x", style: style)
    }
    canvas.draw(StyledLine(runs: runs), column: 0, row: 1)
    terminal?.show(canvas)
  }

  /// Draws without end. Not before a suspension: from then on the main queue may be served by other threads
  /// than the one that signals come to.
  private mutating func flood() async {
    await Task.yield()
    for number in 0... {
      for row in 0..<canvas.size.rows {
        canvas.draw(StyledLine("\(number * 7919) flood"), column: number % 40, row: row)
      }
      terminal?.show(canvas)
      if number % 10 == 0 { Self.report("drawn \(number)") }
    }
  }

  /// Draws `STYLE:TEXT` in the row that was chosen last.
  private mutating func draw(_ value: String) {
    let parts = value.split(separator: ":", maxSplits: 1).map(String.init)
    let link = parts[0] == "link" ? WebLink("https://example.org/x") : nil
    let run = StyledLine.Run(parts[1], style: style(parts[0]), link: link)
    canvas.draw(StyledLine(runs: [run]), column: 0, row: row)
    terminal?.show(canvas)
  }

  private static let pill = Color(red: 0xD7, green: 0x3A, blue: 0x4A)

  private func style(_ name: String) -> Style {
    switch name {
    case "bold": Style(isBold: true)
    case "faint": Style(isFaint: true)
    case "underlined": Style(isUnderlined: true)
    case "italic": Style(isItalic: true)
    case "reversed": Style(isReversed: true)
    case "struck": Style(isStruck: true)
    case "green": Style(foreground: .green)
    case "onBlue": Style(foreground: .white, background: .blue)
    case "onGrey": Style(background: .grey)
    case "pill": Style(foreground: .exact(.white), background: .exact(Self.pill))
    case "grey": Style(foreground: .grey)
    default: name.hasPrefix("label-") ? .label(String(name.dropFirst(6))) : .plain
    }
  }

  /// Reports each event, until `q` is pressed or there are no more. Ctrl-Z suspends.
  private func reportEvents() async {
    guard let terminal else { return }
    for await event in terminal.events {
      Self.report(Self.description(of: event))
      switch event {
      case .key(.character("q")): return
      case .key(.control("z")):
        terminal.suspend()
        Self.report("resumed")
      default: break
      }
    }
    Self.report("end of events")
  }

  private static func description(of event: InputEvent) -> String {
    switch event {
    case .key(let key): "key \(key)"
    case .paste(let text): "paste \(text.utf8.count) \(text.debugDescription)"
    case .mouse(let action, let column, let row): "mouse \(action) \(column),\(row)"
    case .background(let color): "background \(color.red),\(color.green),\(color.blue)"
    case .showsImages(let cell): "cells \(cell.width)x\(cell.height)"
    case .resized(let size): "resized \(size.columns)x\(size.rows)"
    }
  }

  /// Lends the terminal to a shell, and draws meanwhile.
  private mutating func lend(to script: String) async {
    canvas.draw(StyledLine("drawn meanwhile"), column: 0, row: 20)
    let canvas = canvas
    let status = await terminal?.lend { [terminal] in
      terminal?.show(canvas)
      return await Self.status(of: script)
    }
    Self.report("status \(status ?? -1)")
  }

  /// As wait(2) reports it.
  private static func status(of script: String) async -> Int32 {
    var child: pid_t = 0
    var arguments = ["/bin/sh", "-c", script].map { (text: String) in strdup(text) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    guard posix_spawn(&child, "/bin/sh", nil, nil, arguments, [nil]) == 0 else { return -1 }
    return await withCheckedContinuation { continuation in
      DispatchQueue(label: "waiting").async { [child] in
        var status: Int32 = 0
        while waitpid(child, &status, 0) == -1, errno == EINTR {}
        continuation.resume(returning: status)
      }
    }
  }

  private func crash(_ kind: String) {
    switch kind {
    case "address": UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
    case "overflow": print(Self.depth(1))
    case "trap": fatalError("as the test asked for")
    case "abort": abort()
    default: raise(Int32(kind) ?? SIGKILL)
    }
  }

  /// Never returns: each call needs what the next one gives.
  private static func depth(_ number: Int) -> Int {
    number == 0 ? 0 : depth(number + 1) + number
  }
}
