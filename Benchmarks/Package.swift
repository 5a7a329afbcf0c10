// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS("15.4")],
  dependencies: [
    // Named, because a checkout's folder can have any name.
    .package(name: "issue-tracker", path: ".."),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
  ],
  targets: [
    .executableTarget(
      name: "curl-transport-throughput",
      dependencies: [
        .product(name: "CurlTransport", package: "issue-tracker"),
        .product(name: "HTTPTargets", package: "issue-tracker"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
      ]
    ),
    .executableTarget(
      name: "libcurl-throughput", linkerSettings: [.linkedLibrary("curl")]),
    .executableTarget(
      name: "outbox-journal",
      dependencies: [
        .product(name: "GitHubAPI", package: "issue-tracker"),
        .product(name: "IssueOutbox", package: "issue-tracker"),
      ]
    ),
    .executableTarget(
      name: "reactive-throughput",
      dependencies: [.product(name: "Reactive", package: "issue-tracker")]
    ),
  ]
)

for target in package.targets {
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
