// swift-tools-version: 6.2

import PackageDescription

/// IssueTracker's API uses the types of these modules.
let trackerModules: [Target.Dependency] = [
  "CurlTransport", "GitHubAPI", "HTTPTargets", "Reactive",
]

let trackerProducts = ["CurlTransport", "GitHubAPI", "HTTPTargets", "Reactive"]

let package = Package(
  name: "issue-tracker",
  platforms: [.macOS("15.4")],
  products: [
    .executable(name: "issues", targets: ["issues"]),
    .executable(name: "github-loopback", targets: ["github-loopback"]),
    // With the modules of its API: an incremental build doesn't see other modules change, and a client keeps
    // an old layout of their types.
    .library(
      name: "IssueTracker",
      targets: ["IssueTracker"] + trackerProducts),
    .library(name: "IssueMirror", targets: ["IssueMirror", "IssueTracker"] + trackerProducts),
    .library(name: "IssueOutbox", targets: ["IssueOutbox", "IssueTracker"] + trackerProducts),
    .library(
      name: "IssueTemplates", targets: ["IssueTemplates", "IssueTracker"] + trackerProducts),
    .library(name: "GitHubAPI", targets: ["GitHubAPI", "HTTPTargets"]),
    .library(name: "HTTPTargets", targets: ["HTTPTargets"]),
    .library(name: "CurlTransport", targets: ["CurlTransport", "HTTPTargets"]),
    .library(name: "Reactive", targets: ["Reactive"]),
    .library(name: "ReactiveTesting", targets: ["Reactive", "ReactiveTesting"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    // libcurl and libjq are loaded at run time: see ccurl.h and cjq.h.
    .target(name: "CCurl", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .target(name: "CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(name: "CJQ", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
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
      dependencies: [
        "ConcurrencyPrimitives",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
      ]
    ),
    .target(
      name: "CurlTransport", dependencies: ["CCurl", "ConcurrencyPrimitives", "HTTPTargets"]),
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
      dependencies: trackerModules + [
        "IssueTracker", .product(name: "Yams", package: "Yams"),
      ]),
    .target(
      name: "PrivateDatabase",
      dependencies: [
        "CSQLite", "HTTPTargets",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]),
    .target(
      name: "IssueMirror",
      dependencies: trackerModules + [
        "CSQLite", "ConcurrencyPrimitives", "IssueTracker", "PrivateDatabase",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]),
    .target(
      name: "IssueOutbox",
      dependencies: trackerModules + [
        "ConcurrencyPrimitives", "IssueTracker", "PrivateDatabase",
        .product(name: "GRDB", package: "GRDB.swift"),
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
        "CJQ",
        "CTerminal",
        "IssueBrowser",
        "IssueMirror",
        "IssueOutbox",
        "IssueTemplates",
        "IssueTracker",
        "ConcurrencyPrimitives",
        "StyledText",
        "TerminalMarkdown",
        "TerminalScreen",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "TOMLKit", package: "TOMLKit"),
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
        "CTLS", "ConcurrencyPrimitives", "ReactiveTesting",
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ],
      path: "Tests/TestSupport"
    ),
    .target(name: "TestTraits", path: "Tests/TestTraits"),
    .executableTarget(
      name: "github-loopback",
      dependencies: [
        "TestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]
    ),
    .testTarget(
      name: "TestSupportTests",
      dependencies: ["TestSupport", "github-loopback"]
    ),
    .testTarget(
      name: "HTTPTargetsTests",
      dependencies: [
        "CurlTransport",
        "HTTPTargets",
        "TestSupport",
        .product(name: "Logging", package: "swift-log"),
      ]
    ),
    .testTarget(
      name: "CurlTransportTests",
      dependencies: ["CCurl", "CurlTransport", "HTTPTargets", "TestSupport"]),
    .testTarget(
      name: "ReactiveTests",
      dependencies: ["ConcurrencyPrimitives", "Reactive", "ReactiveTesting", "TestSupport"]),
    .testTarget(
      name: "GitHubAPITests",
      dependencies: [
        "CurlTransport", "GitHubAPI", "ConcurrencyPrimitives", "HTTPTargets", "SampleData",
        "TestSupport",
        "TestTraits",
        .product(name: "Logging", package: "swift-log"),
      ]),
    .testTarget(
      name: "IssueTrackerTests",
      dependencies: trackerModules + ["IssueTracker", "ReactiveTesting", "TestSupport"]),
    .testTarget(
      name: "IssueTemplatesTests",
      dependencies: trackerModules + [
        "IssueTemplates", "IssueTracker", "TestSupport", "TestTraits",
      ]),
    // Tests kill this program.
    .executableTarget(
      name: "sync-probe", dependencies: trackerModules + ["IssueMirror"], path: "Tests/SyncProbe"),
    .testTarget(
      name: "IssueMirrorTests",
      dependencies: trackerModules + [
        "IssueMirror", "IssueTracker", "ConcurrencyPrimitives", "ReactiveTesting", "SampleData",
        "TestSupport",
        "TestTraits", "sync-probe",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    // Tests kill this program too.
    .executableTarget(
      name: "outbox-probe", dependencies: trackerModules + ["IssueOutbox", "TestSupport"],
      path: "Tests/OutboxProbe"),
    .testTarget(
      name: "IssueOutboxTests",
      dependencies: trackerModules + [
        "IssueOutbox", "IssueTracker", "ConcurrencyPrimitives", "ReactiveTesting", "TestSupport",
        "outbox-probe",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Logging", package: "swift-log"),
      ]),
    .testTarget(
      name: "StyledTextTests", dependencies: ["StyledText", "TestSupport", "TestTraits"]),
    .testTarget(
      name: "TerminalMarkdownTests",
      dependencies: ["StyledText", "TerminalMarkdown", "TestSupport", "TestTraits"],
      exclude: ["Snapshots", "Specification/NOTICE.md", "Specification/examples.json"]),
    // A program with a terminal of its own, because ncurses has one screen per process.
    .executableTarget(
      name: "screen-probe", dependencies: ["StyledText", "TerminalScreen", "TestSupport"],
      path: "Tests/ScreenProbe"),
    .testTarget(
      name: "TerminalScreenTests",
      dependencies: ["StyledText", "TerminalScreen", "TestSupport", "screen-probe"]),
    .testTarget(
      name: "IssueBrowserTests",
      dependencies: trackerModules + [
        "IssueBrowser", "IssueMirror", "IssueOutbox", "IssueTracker", "ConcurrencyPrimitives",
        "StyledText", "TerminalMarkdown", "TerminalScreen", "TestSupport", "TestTraits",
      ],
      exclude: ["Drawing/Snapshots"]
    ),
    .testTarget(
      name: "IssuesCommandTests",
      dependencies: trackerModules + [
        "IssueBrowser", "IssueMirror", "IssueOutbox", "IssueTemplates", "IssueTracker",
        "IssuesCommand", "ConcurrencyPrimitives", "StyledText", "TerminalScreen", "TestSupport",
        "issues",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
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
      name: "mirror-search", dependencies: trackerModules + ["IssueMirror", "IssueTracker"],
      path: "Benchmarks/Sources/mirror-search"),
    .executableTarget(
      name: "mirror-measure",
      dependencies: trackerModules + [
        "IssueMirror", "IssueTracker", .product(name: "GRDB", package: "GRDB.swift"),
      ],
      path: "Benchmarks/Sources/mirror-measure"),
  ]
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
  if onCI {
    target.swiftSettings?.append(.treatAllWarnings(as: .error))
  }
}
