import Foundation
import Testing

@testable import TestSupport

@Suite("The github-loopback command", .timeLimit(.minutes(5)))
struct GitHubLoopbackCommandTests {
  @Test("the command prints its URL, logs requests without the token, and stops on a signal")
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
    #expect(result.errorText.hasSuffix("1 requests on 1 connections, at most 1 at once\n"))
    await connection.close()
  }

  @Test("the command limits a chosen request and the requests per window")
  func limits() async throws {
    let run = try CommandRun(
      "github-loopback", ["--limit-at", "2", "--retry-after", "7", "--rate-limit", "3"])
    let url = try await run.waitFor("\n")
    let port = try #require(UInt16(url.split(separator: ":").last?.dropLast() ?? ""))
    var answers: [String] = []
    for _ in 1...4 {
      let client = try await RawConnection(port: port)
      try await client.send(
        "GET /users/a HTTP/1.1\r\nHost: h\r\nUser-Agent: t\r\nConnection: close\r\n\r\n")
      answers.append(String(decoding: try await client.receiveAll(), as: UTF8.self))
    }
    #expect(answers.map { $0.prefix(12) } == ["200", "403", "200", "403"].map { "HTTP/1.1 \($0)" })
    #expect(answers[1].contains("Retry-After: 7\r\n"))
    #expect(answers[3].contains("x-ratelimit-remaining: 0\r\n"))
    run.send(signal: 15)
    #expect(try await run.result().status == .exited(0))
  }

  @Test("more clients than descriptors are all served, one at a time if necessary")
  func descriptors() async throws {
    let program = try BuiltProducts.path(of: "github-loopback")
    let run = try CommandRun(
      "/bin/sh", ["-c", #"ulimit -n 32 && exec "$0" --latency 5ms"#, program])
    let url = try await run.waitFor("\n")
    let port = try #require(UInt16(url.split(separator: ":").last?.dropLast() ?? ""))
    var clients: [RawConnection] = []
    try await withThrowingTaskGroup(of: RawConnection.self) { group in
      for _ in 1...40 {
        group.addTask {
          let client = try await RawConnection(port: port)
          try await client.send("GET /rate_limit HTTP/1.1\r\nHost: h\r\nUser-Agent: t\r\n\r\n")
          let answer = try await client.receive { $0.hasSuffix("}") }
          #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
          // Kept open: an idle connection must not lock the others out.
          return client
        }
      }
      for try await client in group { clients.append(client) }
    }
    #expect(clients.count == 40)
    run.send(signal: 15)
    #expect(try await run.result().status == .exited(0))
    for client in clients { await client.close() }
  }

  @Test("lists follow the options for page numbers, comments, changes and faults")
  func lists() async throws {
    let run = try CommandRun(
      "github-loopback",
      [
        "--issues", "50", "--pages-by-number", "--comments", "0", "--activity", "1", "--faults",
        "0.5",
        "--seed", "7", "--prose",
      ])
    let url = try await run.waitFor("\n")
    let port = try #require(UInt16(url.split(separator: ":").last?.dropLast() ?? ""))
    var answers: [String] = []
    for _ in 1...40 {
      let client = try await RawConnection(port: port)
      try await client.send(
        "GET /repos/o/r/issues?state=all&sort=updated&per_page=9 HTTP/1.1\r\nHost: h\r\n"
          + "User-Agent: t\r\nConnection: close\r\n\r\n")
      answers.append(String(decoding: (try? await client.receiveAll()) ?? Data(), as: UTF8.self))
      await client.close()
    }
    let whole = answers.filter { $0.hasPrefix("HTTP/1.1 200") && $0.hasSuffix("}]") }
    #expect((5..<40).contains(whole.count))
    #expect(whole.allSatisfy { $0.contains("&page=2>; rel=\"next\"") })
    #expect(whole.first?.contains("\"comments\":0") == true)
    #expect(Set(whole.compactMap { $0.split(separator: "\r\n\r\n").last }).count > 3)
    run.send(signal: 15)
    #expect(try await run.result().status == .exited(0))
  }

  @Test("writes are stored, restricted by the permission, and reported")
  func writes() async throws {
    let run = try CommandRun(
      "github-loopback",
      [
        "--issues", "3", "--permission", "read", "--write-faults", "1", "--write-fault",
        "bad-gateway-after-commit",
      ])
    let url = try await run.waitFor("\n")
    let port = try #require(UInt16(url.split(separator: ":").last?.dropLast() ?? ""))
    let client = WritingClient(port: port, base: "/repos/o/r")
    let answer = try await client.send("POST", "/issues", #"{"title":"t","labels":["bug"]}"#)
    #expect(answer.status == 502)
    let state = try await client.send("GET", "//_loopback/state?changed=1").json
    let issue = try #require(state.at("repositories.1.issues.0"))
    #expect(issue["title"] == .string("t") && issue["labels"] == .array([]))
    let requests = try await client.send("GET", "//_loopback/requests").json
    #expect(requests.at("0.committed") == .bool(true))
    run.send(signal: 15)
    #expect(try await run.result().status == .exited(0))
  }

  @Test(
    "the command replaces an https host through a proxy",
    .enabled(if: CertificateAuthority.problem == nil, "no TLS server can run here"))
  func secureHost() async throws {
    let run = try CommandRun("github-loopback", ["--tls-host", "api.github.com"])
    let lines = try await run.waitFor("authority.pem\n").split(separator: "\n").map(String.init)
    #expect(lines.count == 3 && FileManager.default.fileExists(atPath: lines[2]))
    let plain = try #require(lines[0].split(separator: ":").last.flatMap { UInt16($0) })
    let proxy = try #require(lines[1].split(separator: ":").last.flatMap { UInt16($0) })
    let tunnel = try await RawConnection(port: proxy)
    try await tunnel.send("CONNECT api.github.com:443 HTTP/1.1\r\nHost: api.github.com\r\n\r\n")
    let answer = try await tunnel.receive { $0.hasSuffix("\r\n\r\n") }
    #expect(answer.hasPrefix("HTTP/1.1 200"))
    await tunnel.close()
    let client = try await RawConnection(port: plain)
    try await client.send(
      "GET /repos/o/r/issues?per_page=1 HTTP/1.1\r\nHost: api.github.com\r\nUser-Agent: t\r\n"
        + "Connection: close\r\n\r\n")
    let list = String(decoding: try await client.receiveAll(), as: UTF8.self)
    #expect(list.contains("Link: <https://api.github.com/repositories/"))
    run.send(signal: 15)
    #expect(try await run.result().status == .exited(0))
    #expect(!FileManager.default.fileExists(atPath: lines[2]))
  }

  @Test(
    "an invalid option is a usage error",
    arguments: [
      ["--issues", "-1"], ["--latency", "5"], ["--pull-requests", "2"],
      ["--accept-token-from-env", "UNSET"], ["--limit-at", "0"], ["--rate-limit", "0"],
      ["--limit-at", "1", "--retry-after", "-1"], ["--rate-window", "0"], ["--comments", "-1"],
      ["--activity", "-1"], ["--faults", "1.5"], ["--seed", "-1"], ["--write-faults", "2"],
      ["--write-fault", "none"], ["--permission", "king"], ["--moved-status", "302"],
      ["--commit-delay", "0"], ["--unauthorized-from", "0"], ["--line-ends", "cr"],
    ]
  )
  func usage(arguments: [String]) async throws {
    let result = try await CommandRun.run("github-loopback", arguments)
    #expect(result.status == .exited(64))
    #expect(result.errorText.hasPrefix("Error: "))
  }
}
