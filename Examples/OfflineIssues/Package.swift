// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "OfflineIssues",
  platforms: [.macOS("15.4")],
  dependencies: [
    // Named, because the folder of a checkout may be called anything.
    .package(name: "issue-tracker", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "OfflineIssues",
      dependencies: [.product(name: "IssueMirror", package: "issue-tracker")]
    )
  ]
)
