import TestSupport
import Testing

@Suite("The github-loopback command", .timeLimit(.minutes(1)))
struct GitHubLoopbackCommandTests {
  @Test("it prints its URL first, logs requests without the token, and stops when told to")
  func serve() async throws {
    let run = try CommandRun(
      "github-loopback", ["--issues", "3", "--log", "-", "--accept-token-from-env", "TOKEN"],
      environment: ["TOKEN": "secret-1"])
    let url = try await run.waitFor("\n")
    let port = try #require(UInt16(url.split(separator: ":").last?.dropLast() ?? ""))
    #expect(url == "http://127.0.0.1:\(port)\n")

    let connection = try await RawConnection(port: port)
    try await connection.send(
      """
      GET /repos/any/name/issues HTTP/1.1\r\nHost: h\r\nUser-Agent: a\u{1B}b\r
      Authorization: Bearer secret-1\r\n\r\n
      """)
    let answer = try await connection.receive { $0.contains("\r\n\r\n[") }
    #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
    let log = try await run.waitFor("authorization=present\n", on: .error)
    #expect(
      log == """
        GET "/repos/any/name/issues" host="h" user-agent="a\\u001bb" accept=absent \
        x-github-api-version=absent authorization=present

        """)
    // A connection is still open: it must not keep the server.
    run.send(signal: 2)
    let result = try await run.result()
    #expect(result.status == .exited(0))
    #expect(!result.errorText.contains("secret-1"))
    await connection.close()
  }

  @Test(
    "what can't be is a usage error",
    arguments: [
      ["--issues", "-1"], ["--latency", "5"], ["--pull-requests", "2"],
      ["--accept-token-from-env", "UNSET"],
    ]
  )
  func usage(arguments: [String]) async throws {
    let result = try await CommandRun.run("github-loopback", arguments)
    #expect(result.status == .exited(64))
    #expect(result.errorText.hasPrefix("Error: "))
  }
}
