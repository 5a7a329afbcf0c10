// swift-tools-version: 6.2

import PackageDescription

// Apart from the other benchmarks: who compiles those needn't fetch and build what they are compared with.
let package = Package(
  name: "Peers",
  platforms: [.macOS("15.4")],
  dependencies: [
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.81.0"),
  ],
  targets: [
    .executableTarget(
      name: "async-http-client-throughput",
      dependencies: [
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
      ],
      swiftSettings: [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
      ]
    )
  ]
)
