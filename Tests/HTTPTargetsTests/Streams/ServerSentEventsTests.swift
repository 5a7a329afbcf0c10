import CurlTransport
import HTTPTargets
import PlatformModules
import TestSupport
import Testing

@Suite("Server-sent events", .timeLimit(.minutes(5)))
struct ServerSentEventsTests {
  private func events(_ text: String, maximumSize: Int = 100) async throws -> [ServerSentEvent] {
    var events: [ServerSentEvent] = []
    let body = ResponseBody(Data(text.utf8), maximumSize: .max)
    for try await event in body.serverSentEvents(maximumSize: maximumSize) { events.append(event) }
    return events
  }

  @Test(
    "the events match the examples of the HTML standard",
    arguments: [
      (
        "data: YHOO\ndata: +2\ndata: 10\n\n", [ServerSentEvent(data: "YHOO\n+2\n10")]
      ),
      (
        ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
        [
          ServerSentEvent(data: "first event", id: "1"), ServerSentEvent(data: "second event"),
          ServerSentEvent(data: " third event"),
        ]
      ),
      // The last block isn't finished.
      (
        "data\n\ndata\ndata\n\ndata:", [ServerSentEvent(data: ""), ServerSentEvent(data: "\n")]
      ),
      (
        "data:test\n\ndata: test\n\n",
        [ServerSentEvent(data: "test"), ServerSentEvent(data: "test")]
      ),
      (
        "event: add\ndata: 73857293\n\nevent: remove\ndata: 2153\n\nevent: add\ndata: 113411\n\n",
        [
          ServerSentEvent(type: "add", data: "73857293"),
          ServerSentEvent(type: "remove", data: "2153"),
          ServerSentEvent(type: "add", data: "113411"),
        ]
      ),
    ])
  func examples(text: String, expected: [ServerSentEvent]) async throws {
    #expect(try await events(text) == expected)
  }

  @Test("an event ID and a reconnection time apply to later events")
  func lasting() async throws {
    let text = """
      \u{FEFF}retry: 1500\r
      id: 7\r
      \r
      event: ping\r
      \r
      data: a\r
      \r
      id: 8\0\r
      retry: soon\r
      data: b\r
      unknown: c\r
      data:\u{301}x\r
      \r

      """
    let time = Duration.milliseconds(1500)
    #expect(
      try await events(text) == [
        ServerSentEvent(data: "a", id: "7", reconnectionTime: time),
        ServerSentEvent(data: "b\n\u{301}x", id: "7", reconnectionTime: time),
      ])
  }

  @Test("an event of many lines has a size limit")
  func tooLarge() async {
    let line = "data: 0123456789\n"
    let error = await #expect(throws: NetworkError.self) {
      try await events(String(repeating: line, count: 12), maximumSize: 100)
    }
    #expect(error?.code == .tooLarge)
  }

  @Test("each event is read over a socket before the next one is sent")
  func live() async throws {
    let gates = [Gate(), Gate()]
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
    let answer = LoopbackResponse.script([
      .send(Data("\(head)data: 0\n\n".utf8)), .pause(.gate(gates[0])),
      .send(Data("data: 1\r\n\r".utf8)), .pause(.gate(gates[1])),
      .send(Data("\ndata: 2\n\n".utf8)), .close,
    ])
    try await withLoopbackServer { _ in
      answer
    } perform: { server in
      let response = try await Provider<Zoo>(transport: CurlTransport.shared).stream(
        Zoo(baseURL: server.url))
      var data: [String] = []
      for try await event in response.body.serverSentEvents() {
        data.append(event.data)
        if data.count <= gates.count { gates[data.count - 1].open() }
      }
      #expect(data == ["0", "1", "2"])
    }
  }
}
