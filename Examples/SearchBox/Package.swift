// swift-tools-version: 6.2

import PackageDescription

// Compiles no libcurl and no other package, because neither product uses one.
let package = Package(
  name: "SearchBox",
  platforms: [.macOS("15.4")],
  dependencies: [
    .package(name: "issue-tracker", path: "../..", traits: [])
  ],
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
