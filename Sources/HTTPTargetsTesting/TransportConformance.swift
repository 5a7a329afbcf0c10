public import HTTPTargets

/// Checks that a transport meets the requirements of ``/HTTPTargets/Transport``, against a server on 127.0.0.1 that
/// sends each response byte by byte.
///
/// ```swift
/// @Test(arguments: TransportConformance.Requirement.allCases)
/// func conforms(to requirement: TransportConformance.Requirement) async throws {
///   try await TransportConformance { MyTransport() }.check(requirement)
/// }
/// ```
///
/// A failure throws ``ConformanceFailure``, which fails a test in both Swift Testing and XCTest.
public struct TransportConformance: Sendable {
  /// A requirement of a transport.
  public enum Requirement: String, CaseIterable, Sendable, CustomStringConvertible {
    /// The request is sent unchanged: method, target byte for byte, fields, and a body with its length.
    case sendsRequestsAsTheyAre
    /// A body that contains a file arrives complete, and its progress is reported up to the last byte.
    case sendsFiles
    /// A body that a sequence produces arrives complete, with its length if known. If the sequence fails, the body is
    /// incomplete.
    case sendsStreams
    /// A URL that isn't http or https fails with `requestMapping`.
    case refusesOtherSchemes
    /// A redirect is returned like any other response.
    case leavesRedirectsAlone
    /// A 401 is returned like any other response, and cookies aren't sent back.
    case keepsNoCredentials
    /// A repeated request is sent again, regardless of the cache fields in the response.
    case keepsNoCache
    /// The head is delivered before the body arrives, and each part of the body before the next one arrives.
    case streams
    /// The sender pauses while the body isn't read, and no bytes are lost.
    case appliesBackPressure
    /// A task that is canceled before the head arrives throws `cancelled`, and the connection closes.
    case cancelsBeforeTheHead
    /// A task that is canceled in the middle of a body throws `cancelled`, and the connection closes.
    case cancelsInTheBody
    /// A task that is already canceled doesn't send the request.
    case sendsNothingWhenCancelled
    /// The connection closes when a reply is released unread.
    case endsDroppedReplies
    /// A body longer than the request allows fails with `tooLarge`.
    case limitsBodies
    /// An endless head fails.
    case limitsHeads
    /// The total timeout ends a request, and the error names that timeout.
    case limitsTime
    /// A body that ends early fails with the reason `interrupted`, whether it has a length or comes in chunks.
    case noticesTruncation
    /// Fields with the same name keep their order.
    case keepsFieldOrder
    /// Fields after the body (trailers) aren't part of the head.
    case ignoresTrailers
    /// Interim heads (`103`) aren't part of the head.
    case ignoresInterimHeads
    /// A response without a body (to `HEAD`, or with the status `204` or `304`) ends with the head.
    case endsWithoutBody
    /// A compressed body is decompressed.
    case decompresses
    /// A request that must arrive only once isn't repeated when a reused connection breaks.
    case sendsOnce
    /// A refused connection fails with the reason `connection`.
    case reportsRefusedConnections
    /// Each of twenty simultaneous requests gets its own response.
    case keepsAnswersApart

    /// The name of the requirement.
    public var description: String { rawValue }
  }

  let makeTransport: @Sendable () -> any Transport
  let patience: Duration

  /// Creates a check.
  ///
  /// - Parameters:
  ///   - patience: The time after which a check fails.
  ///   - makeTransport: Creates a transport without open connections. It is called for each requirement.
  public init(
    patience: Duration = .seconds(60), makeTransport: @escaping @Sendable () -> any Transport
  ) {
    self.makeTransport = makeTransport
    self.patience = patience
  }

  /// Checks one requirement.
  ///
  /// - Throws: ``ConformanceFailure`` if the transport doesn't meet the requirement, or not in time.
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
    // A canceled wait returns as if the awaited event had happened.
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

/// The error for a requirement that a transport doesn't meet.
public struct ConformanceFailure: Error, CustomStringConvertible {
  /// The requirement and the actual behavior.
  public let message: String

  init(_ message: String) { self.message = message }

  /// The message.
  public var description: String { message }
}
