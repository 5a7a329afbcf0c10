// swift-tools-version: 6.2

import PackageDescription

// A package of its own, as for your own transport: Foundation's networking links libcurl, which the tests of
// CurlTransport must load themselves.
let package = Package(
  name: "TransportConformance",
  platforms: [.macOS("15.4")],
  dependencies: [
    .package(name: "issue-tracker", path: "../..")
  ],
  targets: [
    .testTarget(
      name: "URLSessionTransportTests",
      dependencies: [
        .product(name: "HTTPTargetsTesting", package: "issue-tracker"),
        .product(name: "URLSessionTransport", package: "issue-tracker"),
      ])
  ]
)
