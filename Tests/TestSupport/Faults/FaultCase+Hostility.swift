extension FaultCase {
  static let redirects: [FaultCase] = [
    FaultCase(
      "a redirect to itself", "refused", .failure(7, "tooManyRedirects", ["loop"]),
      by: LoopbackFault { response in
        response = LoopbackResponse(status: 302, headers: ["Location": ""])
      }
    ) { $0.stages = [.lookUp] },
    FaultCase(
      "endless redirects", "refused after 10",
      .failure(7, "tooManyRedirects", ["more than 10"])
    ) { _ in
      try await .server { request in
        LoopbackResponse(status: 307, headers: ["Location": "\(request.path)x"])
      }
    }
    .with { $0.stages = [.lookUp] },
    FaultCase(
      "a redirect to another server", "followed without the token", .complete()
    ) { _ in
      try await .beside(FaultWorld.makeGitHub().handler) { request, other in
        LoopbackResponse(status: 301, headers: ["Location": other + request.target])
      }
    }
    .with { $0.stages = [.lookUp] },
    FaultCase(
      "a redirect from https to http", "refused",
      .failure(7, "insecureRedirect", ["from https to http"])
    ) { _ in
      try await .tls(.good) { request, _ in
        LoopbackResponse(status: 302, headers: ["Location": "http://127.0.0.1\(request.target)"])
      }
    }
    .with {
      $0.stages = [.lookUp]
      $0.needsTLS = true
      $0.attempts = 1
    },
    FaultCase(
      "a redirect to an address that isn't on the web", "refused",
      .failure(7, "decoding", ["redirects to"]),
      by: .answer(LoopbackResponse(status: 302, headers: ["Location": "file:///etc/passwd"]))
    ) { $0.stages = [.lookUp] },
    FaultCase(
      "a next page on another server", "refused, after the page that named it",
      .failure(7, "decoding", ["another server"])
    ) { _ in
      let github = FaultWorld.makeGitHub()
      return try await .beside(github.handler) { request, other in
        var response = await github.handler(request)
        if let link = response.headers["Link"] {
          response.headers["Link"] = link.replacing(request.origin, with: other)
        }
        return response
      }
    }
    .with { $0.stages = [.nextPage] },
    FaultCase(
      "pages in a loop", "refused", .failure(7, "decoding", ["loop"])
    ) { _ in
      let github = FaultWorld.makeGitHub()
      return try await .server { request in
        var response = await github.handler(request)
        if request.queryValue("after") != nil {
          response.headers["Link"] = "<\(request.origin)\(request.target)>; rel=\"next\""
          response.body = LoopbackResponse.json("[]").body
        }
        return response
      }
    }
    .with { $0.stages = [.nextPage] },
    FaultCase(
      "endless empty pages", "refused after 20",
      .failure(7, "decoding", ["had nothing new"])
    ) { _ in try await .server { endlessPages($0, isEmpty: true) } }
    .with { $0.stages = [.lookUp] },
    FaultCase(
      "endless pages", "read up to the limit; 10,000 with `--all`", .complete(rows: 300)
    ) { _ in try await .server { endlessPages($0, isEmpty: false) } }
    .with {
      $0.stages = [.lookUp]
      $0.limit = 300
    },
  ]

  private static func endlessPages(_ request: LoopbackRequest, isEmpty: Bool) -> LoopbackResponse {
    guard request.path.hasSuffix("/issues") else {
      return .json(#"{"id":1,"full_name":"\#(repositoryName)"}"#)
    }
    let page = request.queryValue("page").flatMap(Int.init) ?? 1
    let issue = #"[{"id":\#(page),"number":\#(page),"title":"one more","state":"open"}]"#
    return .json(
      isEmpty ? "[]" : issue,
      headers: ["Link": "<\(request.origin)\(request.path)?page=\(page + 1)>; rel=\"next\""])
  }

  static let hostileText: [FaultCase] = [
    FaultCase(
      "`ESC ]`, CSI, bidirectional controls, NUL, CRLF in titles, logins, labels",
      "shown as carets and escapes, which no terminal obeys", .complete()
    ) { _ in
      let github = FaultWorld.makeGitHub(isHostile: true)
      return try await .server(github.handler)
    }
    .with { $0.stages = [.lookUp] },
    FaultCase(
      "the same in an error's message", "as above", .failure(3, "statusCode", ["404"]),
      by: .answer(
        .json(
          #"{"message":\#(JSONText.string(HostileText.samples.joined(separator: " ")))}"#,
          status: 404))),
    FaultCase(
      "the same in header fields, and `-vv`", "as above", .complete(),
      by: LoopbackFault {
        $0.headers.add("X-Evil", "\u{9B}31m \u{1B}]0;owned\u{07} \u{202E}")
      }
    ) { $0.options = ["-vv"] },
  ]

  static let names: [FaultCase] = [
    "../..", "a/..", "a/.", "%2e%2e/%2e%2e", "a/b\r\nX-Evil: 1", "a/b?page=2", "a/b#x", "", "a/",
    "/b",
    "a//b", "a b/c", "a/b/../../c",
  ].map { name in
    // By scalars: CRLF is one character.
    let shown = String(
      String.UnicodeScalarView(
        name.unicodeScalars.map { $0 == "\r" ? "␍" : $0 == "\n" ? "␊" : $0 }))
    return FaultCase(
      name.isEmpty ? "an empty name" : "the name `\(shown)`", "refused before any request",
      .failure(64, "InvalidInput", [])
    ) { _ in try await .server(FaultWorld.makeGitHub().handler) }
    .with {
      $0.stages = [.lookUp]
      $0.repository = name
      $0.attempts = 0
    }
  }

  static let tokens: [FaultCase] =
    [
      ("a line break in the token", "secret7Zq4b1c9eXw\nX-Evil: 1"),
      ("CRLF in the token", "secret7Zq4b1c9eXw\r\nX-Evil: 1"),
      ("`ESC` in the token", "secret7Zq4b1c9eXw\u{1B}[2J"),
      ("a blank in the token", "secret7Zq4b1c9eXw x"),
      ("a token that isn't ASCII", "sécret7Zq4b1c9eXw"),
    ].map { fault, token in
      FaultCase(
        fault, "refused; nothing is sent without it", .failure(4, "requestMapping", ["token"])
      ) { _ in try await .server(FaultWorld.makeGitHub().handler) }
      .with {
        $0.stages = [.lookUp]
        $0.token = token
        $0.attempts = 0
      }
    } + [
      FaultCase(
        "logs with `-v`", "without the token", .complete()
      ) { _ in try await .server(FaultWorld.makeGitHub().handler) }
      .with {
        $0.stages = [.lookUp]
        $0.options = ["-v"]
      },
      FaultCase(
        "logs with `-vv`", "without the token", .complete()
      ) { _ in try await .server(FaultWorld.makeGitHub().handler) }
      .with {
        $0.stages = [.lookUp]
        $0.options = ["-vv"]
      },
      FaultCase(
        "a server that repeats the token in its error", "masked",
        .failure(4, "statusCode", ["401"]),
        by: .answer(.json(#"{"message":"Bad token: \#(token)"}"#, status: 401))
      ) { $0.options = ["-vv"] },
    ]
}
