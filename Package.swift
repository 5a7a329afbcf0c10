// swift-tools-version: 6.2

import PackageDescription

/// IssueTracker's API uses the types of these modules.
let trackerModules: [Target.Dependency] = [
  .target(name: "CurlTransport", condition: .when(platforms: [.linux, .macOS])),
  .target(
    name: "URLSessionTransport",
    condition: .when(platforms: [.iOS, .macCatalyst, .tvOS, .visionOS, .watchOS])),
  "GitHubAPI", "HTTPTargets", "Reactive",
]

#if os(Linux)
  let trackerProducts = ["CurlTransport", "GitHubAPI", "HTTPTargets", "Reactive"]
#else
  // A Mac builds for platforms that have no libcurl, and a product's targets have no conditions.
  let trackerProducts = ["GitHubAPI", "HTTPTargets", "Reactive"]
#endif

/// The products of other packages. SwiftPM fetches the package of a heavy one only with the trait.
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let grdb = heavyProduct("GRDB", of: "GRDB.swift")
let grdbSQLite = heavyProduct("GRDBSQLite", of: "GRDB.swift")
let yams = heavyProduct("Yams", of: "Yams")
let argumentParser = heavyProduct("ArgumentParser", of: "swift-argument-parser")
let flyingSocks = heavyProduct("FlyingSocks", of: "FlyingFox")

func heavyProduct(_ name: String, of package: String) -> Target.Dependency {
  .product(name: name, package: package, condition: .when(traits: ["Everything"]))
}

let package = Package(
  name: "issue-tracker",
  platforms: [
    .iOS("18.4"), .macCatalyst("18.4"), .macOS("15.4"), .tvOS("18.4"), .visionOS("2.4"),
    .watchOS("11.4"),
  ],
  products: [
    .executable(name: "issues", targets: ["issues"]),
    .executable(name: "github-loopback", targets: ["github-loopback"]),
    // With the modules of its API: an incremental build doesn't see other modules change, and a client keeps
    // an old layout of their types.
    .library(
      name: "IssueTracker",
      targets: ["IssueTracker"] + trackerProducts),
    .library(name: "IssueMirror", targets: ["IssueMirror", "IssueTracker"] + trackerProducts),
    .library(
      name: "IssueMirrorPostgres",
      targets: ["IssueMirror", "IssueMirrorPostgres", "IssueTracker"] + trackerProducts),
    .library(name: "IssueOutbox", targets: ["IssueOutbox", "IssueTracker"] + trackerProducts),
    .library(
      name: "IssueTemplates", targets: ["IssueTemplates", "IssueTracker"] + trackerProducts),
    .library(name: "GitHubAPI", targets: ["GitHubAPI", "HTTPTargets"]),
    .library(name: "HTTPTargets", targets: ["HTTPTargets"]),
    .library(name: "CurlTransport", targets: ["CurlTransport", "HTTPTargets"]),
    .library(name: "URLSessionTransport", targets: ["HTTPTargets", "URLSessionTransport"]),
    .library(name: "HTTPTargetsTesting", targets: ["HTTPTargets", "HTTPTargetsTesting"]),
    .library(name: "Reactive", targets: ["Reactive"]),
    .library(name: "ReactiveTesting", targets: ["Reactive", "ReactiveTesting"]),
  ],
  // One trait, enabled unless a client says `traits: []`. SwiftPM hands several traits to the compiler in an order that
  // changes, and each change compiles everything anew. With a second trait, two packages of one program could enable
  // both.
  traits: [
    .default(enabledTraits: ["Everything"]),
    .trait(
      name: "Everything",
      description: "The mirror, the outbox, the templates, the command and the tests"),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    // libcurl, libpq and libcrypto are loaded at run time: see ccurl.h, cpostgres.h and ccrypto.h.
    .target(name: "CCurl", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(name: "CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(
      name: "CPostgres", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(name: "CCrypto", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(name: "PlatformModules"),
    .target(name: "ConcurrencyPrimitives"),
    .target(name: "StyledText", dependencies: ["CTerminal"]),
    .systemLibrary(
      name: "CMarkGFM",
      providers: [
        .apt(["libcmark-gfm-dev", "libcmark-gfm-extensions-dev"]), .brew(["cmark-gfm"]),
      ]),
    // Static, like ncurses: a shared library costs time at each start, and may be missing.
    .target(
      name: "TerminalMarkdown", dependencies: ["CMarkGFM", "ConcurrencyPrimitives", "StyledText"],
      linkerSettings: [
        .linkedLibrary(":libcmark-gfm-extensions.a", .when(platforms: [.linux])),
        .linkedLibrary(":libcmark-gfm.a", .when(platforms: [.linux])),
        .linkedLibrary("cmark-gfm-extensions", .when(platforms: [.macOS])),
        .linkedLibrary("cmark-gfm", .when(platforms: [.macOS])),
      ]),
    .target(
      name: "CNcurses",
      linkerSettings: [
        .linkedLibrary(":libncursesw.a", .when(platforms: [.linux])),
        .linkedLibrary(":libtinfo.a", .when(platforms: [.linux])),
        .linkedLibrary("ncurses", .when(platforms: [.macOS])),
      ]),
    .target(
      name: "TerminalScreen", dependencies: ["CNcurses", "ConcurrencyPrimitives", "StyledText"]),
    .systemLibrary(name: "CTerminal"),
    .target(
      name: "HTTPTargets",
      dependencies: ["ConcurrencyPrimitives", httpTypes, logging]),
    .target(
      name: "CurlTransport", dependencies: ["CCurl", "ConcurrencyPrimitives", "HTTPTargets"]),
    .target(
      name: "URLSessionTransport", dependencies: ["ConcurrencyPrimitives", "HTTPTargets"]),
    .target(
      name: "HTTPTargetsTesting", dependencies: ["ConcurrencyPrimitives", "HTTPTargets"]),
    .target(name: "Reactive", dependencies: ["ConcurrencyPrimitives"]),
    .target(name: "ReactiveTesting", dependencies: ["ConcurrencyPrimitives", "Reactive"]),
    .target(
      name: "SampleData",
      path: "SampleData",
      resources: [
        .embedInCode("issues.json"),
        .embedInCode("rate_limit.json"),
        .embedInCode("repository.json"),
        .embedInCode("repositories.json"),
        .embedInCode("search_repositories.json"),
        .embedInCode("user.json"),
      ]
    ),
    .target(
      name: "GitHubAPI", dependencies: ["ConcurrencyPrimitives", "HTTPTargets", "SampleData"]),
    .target(name: "IssueTracker", dependencies: trackerModules + ["ConcurrencyPrimitives"]),
    .target(
      name: "IssueTemplates",
      dependencies: trackerModules + ["IssueTracker", yams]),
    .target(
      name: "PrivateDatabase",
      dependencies: ["CSQLite", "HTTPTargets", grdb, grdbSQLite]),
    .target(
      name: "IssueMirror",
      dependencies: trackerModules + [
        "CSQLite", "ConcurrencyPrimitives", "IssueTracker", "PrivateDatabase",
        grdb, grdbSQLite,
      ]),
    .target(
      name: "IssueMirrorPostgres",
      dependencies: trackerModules + [
        "CPostgres", "ConcurrencyPrimitives", "IssueMirror", "IssueTracker",
      ]),
    .target(
      name: "IssueOutbox",
      dependencies: trackerModules + [
        "ConcurrencyPrimitives", "IssueTracker", "PrivateDatabase", grdb,
      ]),
    .target(
      name: "IssueBrowser",
      dependencies: trackerModules + [
        "IssueMirror", "IssueOutbox", "IssueTracker", "ConcurrencyPrimitives", "StyledText",
        "TerminalMarkdown", "TerminalScreen",
      ]),
    .target(
      name: "IssuesCommand",
      dependencies: trackerModules + [
        "CCrypto",
        "CTerminal",
        "IssueBrowser",
        "IssueMirror",
        "IssueMirrorPostgres",
        "IssueOutbox",
        "IssueTemplates",
        "IssueTracker",
        "ConcurrencyPrimitives",
        "StyledText",
        "TerminalMarkdown",
        "TerminalScreen",
        argumentParser,
        flyingSocks,
        httpTypes,
        logging,
        yams,
      ]
    ),
    .executableTarget(name: "issues", dependencies: ["IssuesCommand"]),
    // libssl is loaded at run time: see ctls.h.
    .target(
      name: "CTLS", path: "Tests/CTLS",
      linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(
      name: "TestSupport",
      dependencies: [
        "CTLS", "ConcurrencyPrimitives", "ReactiveTesting", flyingSocks,
      ],
      path: "Tests/TestSupport"
    ),
    .target(name: "TestTraits", path: "Tests/TestTraits"),
    .executableTarget(
      name: "github-loopback",
      dependencies: ["TestSupport", argumentParser]
    ),
    .testTarget(
      name: "TestSupportTests",
      dependencies: ["github-loopback"]
    ),
    .testTarget(
      name: "HTTPTargetsTests",
      dependencies: ["CurlTransport", "HTTPTargets", logging]
    ),
    .testTarget(
      name: "CurlTransportTests",
      dependencies: ["CCurl", "CurlTransport", "HTTPTargets", "HTTPTargetsTesting"]),
    .testTarget(
      name: "ReactiveTests",
      dependencies: ["ConcurrencyPrimitives", "Reactive", "ReactiveTesting"]),
    .testTarget(
      name: "GitHubAPITests",
      dependencies: [
        "CurlTransport", "GitHubAPI", "ConcurrencyPrimitives", "HTTPTargets", "SampleData",
        logging,
      ]),
    .testTarget(
      name: "IssueTrackerTests",
      dependencies: trackerModules + ["IssueTracker", "ReactiveTesting"]),
    .testTarget(
      name: "IssueTemplatesTests",
      dependencies: trackerModules + ["IssueTemplates", "IssueTracker"]),
    // Tests kill this program.
    .executableTarget(
      name: "sync-probe", dependencies: trackerModules + ["IssueMirror"], path: "Tests/SyncProbe"),
    .testTarget(
      name: "IssueMirrorTests",
      dependencies: trackerModules + [
        "IssueMirror", "IssueMirrorPostgres", "IssueTracker", "ConcurrencyPrimitives",
        "ReactiveTesting", "SampleData", "sync-probe", grdb,
      ],
      exclude: ["Search/Paraphrases"]),
    // Tests kill this program too.
    .executableTarget(
      name: "outbox-probe", dependencies: trackerModules + ["IssueOutbox", "TestSupport"],
      path: "Tests/OutboxProbe"),
    .testTarget(
      name: "IssueOutboxTests",
      dependencies: trackerModules + [
        "IssueOutbox", "IssueTracker", "ConcurrencyPrimitives", "ReactiveTesting",
        "outbox-probe",
        grdb,
        logging,
      ]),
    .testTarget(
      name: "StyledTextTests", dependencies: ["StyledText"]),
    .testTarget(
      name: "TerminalMarkdownTests",
      dependencies: ["StyledText", "TerminalMarkdown"],
      exclude: ["Snapshots", "Specification/NOTICE.md", "Specification/examples.json"]),
    // A program with a terminal of its own, because ncurses has one screen per process.
    .executableTarget(
      name: "screen-probe", dependencies: ["StyledText", "TerminalScreen", "TestSupport"],
      path: "Tests/ScreenProbe"),
    .testTarget(
      name: "TerminalScreenTests",
      dependencies: ["StyledText", "TerminalScreen", "screen-probe"]),
    .testTarget(
      name: "IssueBrowserTests",
      dependencies: trackerModules + [
        "IssueBrowser", "IssueMirror", "IssueOutbox", "IssueTracker", "ConcurrencyPrimitives",
        "StyledText", "TerminalMarkdown", "TerminalScreen",
      ],
      exclude: ["Drawing/Snapshots"]
    ),
    .testTarget(
      name: "IssuesCommandTests",
      dependencies: trackerModules + [
        "IssueBrowser", "IssueMirror", "IssueOutbox", "IssueTemplates", "IssueTracker",
        "IssuesCommand", "ConcurrencyPrimitives", "StyledText", "TerminalScreen",
        "issues",
        argumentParser,
      ],
      exclude: ["Commands/Snapshots"]
    ),
  ]
)

// Benchmarks of the package's inside must be part of it. Only Benchmarks/run builds them.
if Context.environment["ISSUES_BENCHMARKS"] != nil {
  package.targets += [
    .executableTarget(
      name: "screen-latency",
      dependencies: trackerModules + [
        "IssueBrowser", "IssueTracker", "StyledText", "TerminalScreen",
      ],
      path: "Benchmarks/Sources/screen-latency"),
    .executableTarget(
      name: "mirror-store", dependencies: trackerModules + ["IssueMirror", "IssueTracker"],
      path: "Benchmarks/Sources/mirror-store"),
    .executableTarget(
      name: "mirror-search",
      dependencies: trackerModules + ["BenchmarkCorpus", "IssueMirror", "IssueTracker"],
      path: "Benchmarks/Sources/mirror-search"),
    .executableTarget(
      name: "mirror-measure",
      dependencies: trackerModules + [
        "IssueMirror", "IssueTracker", grdb,
      ],
      path: "Benchmarks/Sources/mirror-measure"),
    .target(name: "BenchmarkCorpus", path: "Benchmarks/Sources/corpus"),
    .executableTarget(
      name: "team-measure",
      dependencies: trackerModules + [
        "BenchmarkCorpus", "CPostgres", "IssueMirror", "IssueMirrorPostgres", "IssueTracker",
        "TestSupport",
      ],
      path: "Benchmarks/Sources/team-measure"),
    .executableTarget(
      name: "sync-simulation", dependencies: ["IssueMirrorPostgres"],
      path: "Benchmarks/Sources/sync-simulation"),
  ]
}

// Scripts/test-release builds only these libraries, because a release build of all tests takes long.
if Context.environment["ISSUES_LIBRARIES_ONLY"] != nil {
  let libraries: Set = [
    "ConcurrencyPrimitives", "CurlTransport", "GitHubAPI", "HTTPTargets", "IssueTracker",
    "Reactive",
  ]
  let others: Set = [
    "CCurl", "CTLS", "HTTPTargetsTesting", "PlatformModules", "ReactiveTesting", "SampleData",
    "TestSupport", "TestTraits", "URLSessionTransport",
  ]
  let names = libraries.union(others).union(libraries.map { "\($0)Tests" })
  package.targets.removeAll { !names.contains($0.name) }
  package.products.removeAll { !names.contains($0.name) }
}

let withoutSwift: Set = ["CCrypto", "CCurl", "CNcurses", "CPostgres", "CSQLite", "CTLS"]
for target in package.targets
where target.type != .system && target.name != "PlatformModules"
  && !withoutSwift.contains(target.name)
{
  target.dependencies.append("PlatformModules")
}

for target in package.targets where target.type == .test {
  target.dependencies += ["TestSupport", "TestTraits"]
}

// Warnings are errors on CI only, so that a newer compiler's warning breaks nobody else's build.
let onCI = Context.environment["CI"] != nil
for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
  if target.type != .test, target.path?.hasPrefix("Tests/") != true {
    target.swiftSettings?.append(.strictMemorySafety())
  }
  if onCI {
    target.swiftSettings?.append(.treatAllWarnings(as: .error))
  }
}

if Context.environment["ISSUES_LIBRARIES_ONLY"] != nil {
  // Compiling the tests takes most of the time, and Swift 6.3 can't compile some of them with whole-module optimization.
  for target in package.targets where target.path?.hasPrefix("Tests/") ?? (target.type == .test) {
    target.swiftSettings?.append(
      .unsafeFlags(["-Onone", "-no-whole-module-optimization", "-enable-batch-mode"]))
  }
}
