// swift-tools-version: 6.2

import PackageDescription

// Needs no libcurl, because neither product uses it.
let package = Package(
  name: "SearchBox",
  platforms: [.macOS("15.4")],
  dependencies: [.package(name: "issue-tracker", path: "../..")],
  targets: [
    .target(
      name: "SearchBox", dependencies: [.product(name: "Reactive", package: "issue-tracker")]),
    .testTarget(
      name: "SearchBoxTests",
      dependencies: [
        "SearchBox", .product(name: "ReactiveTesting", package: "issue-tracker"),
      ]),
  ]
)
