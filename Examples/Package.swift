// swift-tools-version: 6.2

import PackageDescription

let portLibraries: [Target.Dependency] = [
  .product(name: "CurlTransport", package: "issue-tracker"),
  .product(name: "Reactive", package: "issue-tracker"),
]

// One package, so that the libraries below the programs are compiled once. A package in a folder below shows what its
// libraries don't need: Reactive no libcurl, and HTTPTargets no transport of this repository.
let package = Package(
  name: "examples",
  platforms: [.macOS("15.4")],
  dependencies: [
    // Named, because a checkout's folder can have any name. A package of yours that doesn't use IssueMirror disables the
    // trait with `traits: []`.
    .package(name: "issue-tracker", path: ".."),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    .executableTarget(
      name: "TrackIssues",
      dependencies: [.product(name: "IssueTracker", package: "issue-tracker")],
      path: "TrackIssues"),
    .executableTarget(
      name: "OfflineIssues",
      dependencies: [.product(name: "IssueMirror", package: "issue-tracker")],
      path: "OfflineIssues"),

    // Ports of programs that were written with other libraries.
    .target(name: "PortSupport", dependencies: portLibraries, path: "Ports/Sources/PortSupport"),
    // Moya's: a name becomes a repository and its issues.
    port("IssuesOfName"),
    // RxFeedback's: a search with pages as a feedback loop.
    port("FeedbackSearch"),
    // ReactorKit's: the same search as a reactor.
    port("ReactorSearch"),
    // RxSwift's: the same search as an asynchronous sequence.
    port("PagedSearch"),
    // RxSwift's too: a text field that completes what is typed.
    port("CompletingField"),
    .testTarget(
      name: "PortsTests",
      dependencies: portLibraries + [
        "CompletingField", "FeedbackSearch", "IssuesOfName", "PagedSearch", "PortSupport",
        "ReactorSearch",
        .product(name: "ReactiveTesting", package: "issue-tracker"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ],
      path: "Ports/Tests/PortsTests"),
  ]
)

func port(_ name: String) -> Target {
  .executableTarget(
    name: name, dependencies: portLibraries + ["PortSupport"], path: "Ports/Sources/\(name)")
}
