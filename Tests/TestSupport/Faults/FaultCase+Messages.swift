internal import PlatformModules

extension FaultCase {
  private static let misread = Outcome.failure(7, "decoding", ["can't be understood"])
  private static let invalid = Outcome.failure(
    7, "transport (malformedResponse)", ["isn't valid HTTP"])
  private static let damaged = Outcome.failure(
    7, "transport (contentEncoding)", ["can't be decompressed"])
  private static let longHead = Outcome.failure(
    7, "tooLarge", ["the head of the response", "longer"])

  static let messages: [FaultCase] = [
    .passing(
      "gzip cut in half, with the right length", "an error; nothing of the page is shown",
      .failure(6, "transport (interrupted)", ["compressed as gzip, was cut short"]),
      by: .gzipCutInHalf),
    .passing("corrupt gzip", "as above", damaged, by: .gzipCorrupt),
    .passing("gzip in name only", "as above", damaged, by: .gzipThatIsNone),
    FaultCase(
      "300 MB in 300 KB of gzip", "refused after 32 MiB", .failure(7, "tooLarge", ["longer than"]),
      by: .gzipBomb(300_000_000)),
    .passing("an unknown compression", "an error", damaged, by: .unknownEncoding),
    FaultCase("a head of 800 KB", "refused", longHead, by: .hugeHead),
    FaultCase(
      "a header line of 600 KB", "refused",
      .failure(7, "tooLarge", ["larger than libcurl accepts"]), by: .hugeField),
    FaultCase(
      "endless interim responses", "refused", longHead, by: .interimAnswersOnly),
    FaultCase("a negative length", "an error", invalid, by: .contentLength("-1")),
    FaultCase(
      "two different lengths", "an error; half a page isn't accepted", misread, by: .twoLengths),
    FaultCase("more bytes than announced", "an error", misread, by: .lengthTooShort),
    .passing(
      "a chunk size that isn't a number", "an error",
      .failure(6, "transport (interrupted)", ["broke"]), by: .badChunkSize),
    FaultCase("not HTTP at all", "an error", invalid, by: .notHTTP),
    FaultCase("a body without a head (HTTP/0.9)", "an error", invalid, by: .withoutHead),
  ]

  static let answers: [FaultCase] =
    [
      (500, GitHubError.serverError), (502, .badGateway), (503, .unavailable),
      (504, .gatewayTimeout),
    ]
    .map { status, error in
      .passing(
        status == 503 ? "503, with a page of HTML" : "\(status)",
        status == 500 ? "an error; the page isn't shown" : "as above",
        .failure(6, "statusCode", ["\(status)"]), by: .error(error)
      ) { $0.advice = ["try again later"] }
    } + [
      FaultCase(
        "401", "says which variable to set", .failure(4, "statusCode", ["401"]),
        by: .error(.badCredentials)
      ) {
        $0.attempts = 1
        $0.advice = ["Set GH_ENTERPRISE_TOKEN"]
      },
      FaultCase(
        "404", "says what wasn't found", .failure(3, "statusCode", ["404"]), by: .error(.notFound)
      ) {
        $0.attempts = 1
        $0.advice = ["“\(FaultCase.repositoryName)”"]
      },
      FaultCase(
        "410", "an error", .failure(3, "statusCode", ["410"]), by: .error(.gone)),
      FaultCase(
        "422", "an error", .failure(64, "statusCode", ["422"]),
        by: .error(.unprocessable("No such thing"))),
      FaultCase(
        "451", "an error", .failure(3, "statusCode", ["451"]), by: .error(.blocked)
      ) { $0.advice = ["legal reasons"] },
      FaultCase(
        "200 with a page of HTML", "an error that names the content type",
        .failure(7, "decoding", ["text/html", "not JSON"]),
        by: .body("<!DOCTYPE html><html>Sign in</html>", contentType: "text/html")),
      FaultCase(
        "200 with half of the JSON", "an error",
        .failure(7, "decoding", ["application/json", "not JSON"]),
        by: LoopbackFault { $0.body = Data($0.body.prefix($0.body.count / 2)) }),
      FaultCase(
        "200 with other JSON", "an error that says what is missing", misread,
        by: .body(#"{"hello":"world"}"#)),
      FaultCase(
        "200 with an empty body", "an error, never an empty list",
        .failure(7, "decoding", ["the body is empty"]), by: .body("")),
      FaultCase(
        "JSON nested 100,000 deep", "an error", misread,
        by: .body(String(repeating: "[", count: 100_000))),
      FaultCase(
        "bytes in texts that aren't UTF-8", "replacement characters in their places",
        .complete(), by: .invalidUTF8),
    ]

  static let limits: [FaultCase] = [
    limit("403 with nothing remaining") { .primaryRateLimit(status: 403, reset: $0) },
    limit("429 with nothing remaining") { .primaryRateLimit(status: 429, reset: $0) },
    limit("403 with `Retry-After` in seconds") {
      .secondaryRateLimit(status: 403, retryAfter: $0)
    },
    limit("429 with `Retry-After` in seconds") {
      .secondaryRateLimit(status: 429, retryAfter: $0)
    },
    limit("429 with `Retry-After` as a date") {
      .secondaryRateLimitUntilDate(status: 429, retryAfter: $0)
    },
    // Not waited for here, since that would take a minute.
    FaultCase(
      "403 that only its text distinguishes from a permission error",
      "as above, for at least a minute",
      .failure(5, "rateLimited", ["secondary rate limit"]),
      by: .error(.secondaryRateLimitWithoutTime(status: 403))),
    FaultCase(
      "403 without any sign of a limit", "a permission error, at once",
      .failure(4, "statusCode", ["403"]), by: .error(.forbidden)
    ) { $0.attempts = 1 },
    FaultCase(
      "403 that asks for single sign-on", "an error with the page that authorizes the token",
      .failure(4, "statusCode", ["403"]),
      by: .answer(
        .json(
          #"{"message":"Resource protected by organization SAML enforcement."}"#, status: 403,
          headers: ["X-GitHub-SSO": "required; url=https://github.com/orgs/acme/sso?r=AB"]))
    ) {
      $0.attempts = 1
      $0.advice = ["https://github.com/orgs/acme/sso?r=AB"]
    },
  ]

  /// A limit that outlasts any wait, or that ends within a second if it passes.
  private static func limit(
    _ fault: String, _ error: @escaping @Sendable (_ seconds: Int) -> GitHubError
  ) -> FaultCase {
    FaultCase(
      fault, "a wait within `--wait`, else an error that says when the limit ends",
      .failure(5, "rateLimited", ["until 20"])
    ) { run in
      try await .github(
        run.stage, .error(error(run.isPassing ? 1 : 900)), times: run.isPassing ? 1 : .max)
    }
    .with {
      $0.isWorthRetrying = true
      $0.advice = ["--wait"]
    }
  }
}

extension LoopbackFault {
  /// One of GitHub's errors in place of the answer.
  static func error(_ error: GitHubError) -> LoopbackFault {
    LoopbackFault { $0 = error.response(now: Int(Date().timeIntervalSince1970)) }
  }

  /// Another answer.
  static func answer(_ response: LoopbackResponse) -> LoopbackFault {
    LoopbackFault { $0 = response }
  }
}
