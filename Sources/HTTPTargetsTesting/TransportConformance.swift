public import HTTPTargets

/// Checks that a transport keeps the promises of ``/HTTPTargets/Transport``, against a server on 127.0.0.1 that sends
/// each answer byte by byte.
///
/// ```swift
/// @Test(arguments: TransportConformance.Requirement.allCases)
/// func conforms(to requirement: TransportConformance.Requirement) async throws {
///   try await TransportConformance { MyTransport() }.check(requirement)
/// }
/// ```
///
/// A failure throws ``ConformanceFailure``, which fails tests of Swift Testing and of XCTest alike.
public struct TransportConformance: Sendable {
  /// A promise of a transport.
  public enum Requirement: String, CaseIterable, Sendable, CustomStringConvertible {
    /// The request goes out as it is: method, target byte for byte, fields, and a body with its length.
    case sendsRequestsAsTheyAre
    /// A body with a file in it arrives whole, and its progress is reported up to the last byte.
    case sendsFiles
    /// A body that a sequence makes arrives whole, with its length if that is known. One that fails isn't complete.
    case sendsStreams
    /// A URL that isn't http or https fails with `requestMapping`.
    case refusesOtherSchemes
    /// A redirect is an answer like any other.
    case leavesRedirectsAlone
    /// A 401 is an answer like any other, and no cookie comes back.
    case keepsNoCredentials
    /// The same question is asked again, whatever the answer said about caches.
    case keepsNoCache
    /// The head is there before the body, and a part of the body before the next one.
    case streams
    /// A sender stops while nobody reads, and not a byte is lost.
    case appliesBackPressure
    /// A cancelled task gets `cancelled` before the head, and the connection ends.
    case cancelsBeforeTheHead
    /// A cancelled task gets `cancelled` in the middle of a body, and the connection ends.
    case cancelsInTheBody
    /// A task that is cancelled already sends nothing.
    case sendsNothingWhenCancelled
    /// A reply that is dropped ends the connection.
    case endsDroppedReplies
    /// A body longer than the request allows fails with `tooLarge`.
    case limitsBodies
    /// A head without end fails.
    case limitsHeads
    /// The total time-out ends a request, and says which time-out it was.
    case limitsTime
    /// A body that ends early fails with the reason `interrupted`, with a length and in chunks.
    case noticesTruncation
    /// Fields of the same name keep their order.
    case keepsFieldOrder
    /// Fields after the body (trailers) are none of the head.
    case ignoresTrailers
    /// Interim heads (`103`) are none of the head.
    case ignoresInterimHeads
    /// Answers without a body, to `HEAD` and with `204` and `304`, end with the head.
    case endsWithoutBody
    /// A body is decompressed.
    case decompresses
    /// A request that must arrive once isn't repeated when a kept connection breaks.
    case sendsOnce
    /// A host that refuses the connection is the reason `connection`.
    case reportsRefusedConnections
    /// Twenty requests at a time get each its own answer.
    case keepsAnswersApart

    /// The name.
    public var description: String { rawValue }
  }

  let makeTransport: @Sendable () -> any Transport
  let patience: Duration

  /// Creates a check.
  ///
  /// - Parameters:
  ///   - patience: The time after which a requirement counts as failed.
  ///   - makeTransport: Makes the transport. It is made anew for each requirement, without open connections.
  public init(
    patience: Duration = .seconds(60), makeTransport: @escaping @Sendable () -> any Transport
  ) {
    self.makeTransport = makeTransport
    self.patience = patience
  }

  /// Checks one requirement.
  ///
  /// - Throws: ``ConformanceFailure`` if the transport doesn't meet it, in time or at all.
  public func check(_ requirement: Requirement) async throws(ConformanceFailure) {
    let patience = patience
    let transport = makeTransport()
    let run = Task { try await Self.run(requirement, transport) }
    let watch = Task {
      try await Task.sleep(for: patience)
      run.cancel()
      return true
    }
    let result = await withTaskCancellationHandler {
      await run.result
    } onCancel: {
      run.cancel()
    }
    watch.cancel()
    let isLate = (try? await watch.value) == true
    do {
      try result.get()
    } catch let failure as ConformanceFailure {
      throw ConformanceFailure(
        "\(requirement): \(failure.message)" + (isLate ? ", after \(patience)" : ""))
    } catch {
      throw ConformanceFailure("\(requirement): \(error)" + (isLate ? ", after \(patience)" : ""))
    }
    // A wait that was cancelled returns as if it had seen what it waited for.
    if isLate { throw ConformanceFailure("\(requirement): nothing happened within \(patience)") }
  }

  private static func run(_ requirement: Requirement, _ transport: any Transport) async throws {
    let check = ConformanceCheck(transport: transport)
    switch requirement {
    case .sendsRequestsAsTheyAre: try await check.sendsRequestsAsTheyAre()
    case .sendsFiles: try await check.sendsFiles()
    case .sendsStreams: try await check.sendsStreams()
    case .refusesOtherSchemes: try await check.refusesOtherSchemes()
    case .leavesRedirectsAlone: try await check.leavesRedirectsAlone()
    case .keepsNoCredentials: try await check.keepsNoCredentials()
    case .keepsNoCache: try await check.keepsNoCache()
    case .streams: try await check.streams()
    case .appliesBackPressure: try await check.appliesBackPressure()
    case .cancelsBeforeTheHead: try await check.cancelsBeforeTheHead()
    case .cancelsInTheBody: try await check.cancelsInTheBody()
    case .sendsNothingWhenCancelled: try await check.sendsNothingWhenCancelled()
    case .endsDroppedReplies: try await check.endsDroppedReplies()
    case .limitsBodies: try await check.limitsBodies()
    case .limitsHeads: try await check.limitsHeads()
    case .limitsTime: try await check.limitsTime()
    case .noticesTruncation: try await check.noticesTruncation()
    case .keepsFieldOrder: try await check.keepsFieldOrder()
    case .ignoresTrailers: try await check.ignoresTrailers()
    case .ignoresInterimHeads: try await check.ignoresInterimHeads()
    case .endsWithoutBody: try await check.endsWithoutBody()
    case .decompresses: try await check.decompresses()
    case .sendsOnce: try await check.sendsOnce()
    case .reportsRefusedConnections: try await check.reportsRefusedConnections()
    case .keepsAnswersApart: try await check.keepsAnswersApart()
    }
  }
}

/// A promise that a transport doesn't keep.
public struct ConformanceFailure: Error, CustomStringConvertible {
  /// The promise and what happened instead.
  public let message: String

  init(_ message: String) { self.message = message }

  /// The message.
  public var description: String { message }
}
