// swift-tools-version: 6.2

import PackageDescription

// Ports of programs that were written with other libraries. They share one package, so that CI compiles the libraries
// below them once.
let package = Package(
  name: "Ports",
  platforms: [.macOS("15.4")],
  dependencies: [
    .package(
      name: "issue-tracker", path: "../..", traits: ["CurlTransport", "ReactiveTesting"]),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    .target(
      name: "PortSupport",
      dependencies: [
        .product(name: "CurlTransport", package: "issue-tracker"),
        .product(name: "Reactive", package: "issue-tracker"),
      ]),
    // Moya's: a name becomes a repository and its issues.
    .executableTarget(
      name: "IssuesOfName",
      dependencies: [
        "PortSupport",
        .product(name: "CurlTransport", package: "issue-tracker"),
        .product(name: "Reactive", package: "issue-tracker"),
      ]),
    // RxFeedback's: a search with pages as a feedback loop.
    .executableTarget(
      name: "FeedbackSearch",
      dependencies: [
        "PortSupport",
        .product(name: "CurlTransport", package: "issue-tracker"),
        .product(name: "Reactive", package: "issue-tracker"),
      ]),
    // ReactorKit's: the same search as a reactor.
    .executableTarget(
      name: "ReactorSearch",
      dependencies: [
        "PortSupport",
        .product(name: "CurlTransport", package: "issue-tracker"),
        .product(name: "Reactive", package: "issue-tracker"),
      ]),
    // RxSwift's: the same search as an asynchronous sequence.
    .executableTarget(
      name: "PagedSearch",
      dependencies: [
        "PortSupport",
        .product(name: "CurlTransport", package: "issue-tracker"),
        .product(name: "Reactive", package: "issue-tracker"),
      ]),
    // RxSwift's too: a text field that completes what is typed.
    .executableTarget(
      name: "CompletingField",
      dependencies: [
        "PortSupport",
        .product(name: "CurlTransport", package: "issue-tracker"),
        .product(name: "Reactive", package: "issue-tracker"),
      ]),
    .testTarget(
      name: "PortsTests",
      dependencies: [
        "CompletingField", "FeedbackSearch", "IssuesOfName", "PagedSearch", "PortSupport",
        "ReactorSearch",
        .product(name: "CurlTransport", package: "issue-tracker"),
        .product(name: "Reactive", package: "issue-tracker"),
        .product(name: "ReactiveTesting", package: "issue-tracker"),
        .product(name: "FlyingSocks", package: "FlyingFox"),
      ]),
  ]
)
