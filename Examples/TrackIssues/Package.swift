// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "TrackIssues",
  platforms: [.macOS("15.4")],
  dependencies: [
    // Named, because a checkout's folder can have any name.
    .package(name: "issue-tracker", path: "../..", traits: ["IssueTracker"])
  ],
  targets: [
    .executableTarget(
      name: "TrackIssues",
      dependencies: [.product(name: "IssueTracker", package: "issue-tracker")]
    )
  ]
)
