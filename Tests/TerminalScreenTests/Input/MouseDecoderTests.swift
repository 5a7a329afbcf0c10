import Testing

@testable import TerminalScreen

@Suite("Mouse input")
struct MouseDecoderTests {
  private var decoder = MouseDecoder()
  private var now = ContinuousClock.now

  private mutating func report(_ text: String, after wait: Duration = .zero) -> InputEvent? {
    now += wait
    return decoder.take(report: Array(text.dropLast().utf8), end: text.utf8.last ?? 0, at: now)
  }

  private mutating func click(_ place: String, after wait: Duration = .zero) -> InputEvent? {
    let press = report("0;\(place)M", after: wait)
    #expect(press == nil)
    return report("0;\(place)m")
  }

  @Test("a press and a release at the same position are a click")
  mutating func click() {
    let there = click("5;6")
    #expect(there == .mouse(.click, column: 4, row: 5))
    let selection = (report("0;5;6M"), report("0;9;6m"))
    #expect(selection == (nil, nil))
    let alone = report("0;9;6m")
    #expect(alone == nil)
  }

  @Test("a second quick click at the same position is a double click, and a third isn't")
  mutating func doubleClick() {
    let events = [click("5;6"), click("5;6", after: .milliseconds(400)), click("5;6")]
    #expect(
      events == [
        .mouse(.click, column: 4, row: 5), .mouse(.doubleClick, column: 4, row: 5),
        .mouse(.click, column: 4, row: 5),
      ])
  }

  @Test("clicks that are too late or too far apart are single clicks")
  mutating func twoClicks() {
    let events = [
      click("5;6"), click("5;6", after: .milliseconds(401)), click("5;7"), click("4;7"),
    ]
    #expect(
      events == [
        .mouse(.click, column: 4, row: 5), .mouse(.click, column: 4, row: 5),
        .mouse(.click, column: 4, row: 6), .mouse(.click, column: 3, row: 6),
      ])
  }

  @Test("the wheel is recognized, even with Shift or Ctrl")
  mutating func wheel() {
    let events = [report("64;1;1M"), report("65;2;3M"), report("68;1;1M"), report("81;1;1M")]
    #expect(
      events == [
        .mouse(.wheelUp, column: 0, row: 0), .mouse(.wheelDown, column: 1, row: 2),
        .mouse(.wheelUp, column: 0, row: 0), .mouse(.wheelDown, column: 0, row: 0),
      ])
  }

  @Test("other buttons, sideways scrolling and movement are ignored")
  mutating func others() {
    for text in ["1;1;1M", "1;1;1m", "2;1;1M", "2;1;1m", "66;1;1M", "128;1;1M", "35;1;1M"] {
      let event = report(text)
      #expect(event == nil)
    }
  }

  @Test("X10 encoding gives the same events")
  mutating func legacy() {
    let bytes: [[UInt8]] = [
      [32, 37, 38], [35, 37, 38], [96, 33, 33], [97, 33, 255], [31, 33, 33],
    ]
    let events = bytes.map { decoder.take(legacy: $0, at: now) }
    #expect(
      events == [
        nil, .mouse(.click, column: 4, row: 5), .mouse(.wheelUp, column: 0, row: 0),
        .mouse(.wheelDown, column: 0, row: 222), nil,
      ])
  }
}
