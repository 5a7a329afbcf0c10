// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "OfflineIssues",
  platforms: [.macOS("15.4")],
  dependencies: [
    // Named, because a checkout's folder can have any name.
    .package(name: "issue-tracker", path: "../..", traits: ["IssueMirror"])
  ],
  targets: [
    .executableTarget(
      name: "OfflineIssues",
      dependencies: [.product(name: "IssueMirror", package: "issue-tracker")]
    )
  ]
)
