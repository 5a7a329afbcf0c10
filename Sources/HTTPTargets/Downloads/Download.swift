internal import ConcurrencyPrimitives
internal import HTTPTypes
internal import PlatformModules

/// Performs the actions of ``DownloadStateMachine``. It has its own queue, because a disk can be slow.
actor Download {
  /// The number of bytes to collect before a write. A socket delivers at most 16 KiB at a time.
  static let bufferSize = 256 << 10

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe queue.asUnownedSerialExecutor() }

  /// The path of the file. If the response names the file, this is the path of the folder at first.
  private(set) var path: String
  private nonisolated let queue = BlockingQueue(label: "download")
  private var machine: DownloadStateMachine
  private let isResuming: Bool
  private let folder: String?
  private var file: PartialFile?
  private var isBusy = false
  private(set) var isToBeAskedAgain = false
  /// The failure of a write in this attempt. Later bytes aren't written, because they would follow a gap.
  private var failure: NetworkError?
  private let url: String

  init(to destination: DownloadDestination, from url: String) {
    path = destination.path
    isResuming = destination.isResuming
    folder = destination.isFolder ? destination.path : nil
    self.url = url
    machine = DownloadStateMachine(url: url, isResuming: isResuming, record: nil)
  }

  /// Begins an attempt. Throws if another one is running, because their bytes would be mixed.
  func begin() throws(NetworkError) {
    guard !isBusy else {
      throw NetworkError(.writing, "“\(path)” is being written to by another attempt of this call")
    }
    if let folder {
      guard FileStatus.behind(folder)?.isDirectory == true else {
        throw NetworkError(.writing, "“\(folder)” isn't a folder")
      }
    } else if file == nil {
      let file = try open()
      machine = DownloadStateMachine(
        url: url, isResuming: isResuming, record: file.isShared ? file.record() : nil)
      self.file = file
    }
    isBusy = true
  }

  func end() {
    isBusy = false
  }

  func request(_ request: TargetRequest) throws(NetworkError) -> TargetRequest {
    failure = nil
    isToBeAskedAgain = false
    if folder != nil { return machine.request(request, size: 0) }
    return machine.request(request, size: try use { (file) throws(FileFailure) in try file.size() })
  }

  func receive(
    _ response: TargetResponse, validation: Validation
  ) throws(NetworkError) -> DownloadStateMachine.Action? {
    let action = machine.receive(response, validation: validation)
    switch action {
    case .startAnew:
      if let folder { try open(in: folder, named: DownloadName.name(for: response)) }
      let record = machine.record
      try use { (file) throws(FileFailure) in try file.start(record) }
    case .askAgain:
      isToBeAskedAgain = true
      try use { (file) throws(FileFailure) in try file.start(nil) }
    case .append, .refuse, nil:
      break
    }
    return action
  }

  func append(_ data: Data) throws(NetworkError) {
    guard !data.isEmpty else { return }
    if let failure { throw failure }
    do throws(NetworkError) {
      try use { (file) throws(FileFailure) in try file.append(data) }
    } catch {
      failure = error
      throw error
    }
  }

  func finish() throws(NetworkError) {
    guard let file else { return }
    self.file = nil
    do {
      try file.finish()
    } catch {
      file.leave(keeping: false)
      throw unwritable(error)
    }
  }

  func close() {
    file?.leave(keeping: machine.record != nil)
    file = nil
  }

  private func open() throws(NetworkError) -> PartialFile {
    do {
      return try PartialFile(for: path)
    } catch {
      throw unwritable(error)
    }
  }

  private func open(in folder: String, named name: String) throws(NetworkError) {
    // A previous attempt may have had a different name.
    close()
    let parent = folder.hasSuffix("/") ? folder : "\(folder)/"
    path = parent + name
    do throws(FileFailure) {
      for number in 1...1_000 {
        let candidate = parent + DownloadName.variant(number, of: name)
        guard FileStatus.at(candidate) == nil else { continue }
        path = candidate
        file = try PartialFile(new: candidate)
        return
      }
      throw FileFailure(path, "a thousand files have that name")
    } catch {
      throw unwritable(error)
    }
  }

  private func use<Result>(
    _ body: (PartialFile) throws(FileFailure) -> Result
  ) throws(NetworkError) -> Result {
    do throws(FileFailure) {
      guard let file else { throw FileFailure(path, "it is already finished") }
      return try body(file)
    } catch {
      throw unwritable(error)
    }
  }

  private func unwritable(_ failure: FileFailure) -> NetworkError {
    var message = "“\(path)” can't be written: \(failure.reason)"
    if failure.path != path { message += " (\(failure.path))" }
    return NetworkError(.writing, message, underlying: failure)
  }
}

extension Attempt {
  func download(
    _ body: ResponseBody, to download: Download, _ action: DownloadStateMachine.Action,
    _ head: TargetResponse
  ) async throws(NetworkError) -> TargetResponse {
    var response = head
    let offset: Int
    let total: Int?
    switch action {
    case .askAgain: return response
    case .refuse(let why):
      throw NetworkError(
        .decoding, "\(response.request) can't be downloaded: \(why)", response: response)
    case .startAnew(let size): (offset, total) = (0, size)
    case .append(let start, let size):
      (offset, total) = (start, size)
      // The combined parts have the status 200 (RFC 9110, section 15.3.7.3).
      response.status = .ok
      response.headers[.contentRange] = nil
      response.headers[.contentLength] = "\(size)"
    }
    call.didReceiveHead(response)
    let size = try await write(body, to: download, from: offset, of: total, response.request)
    guard size == total ?? size else {
      throw .transport(
        TransportFailure(.interrupted, code: 0),
        "the response to \(response.request) ended after \(size) of \(total ?? 0) bytes")
    }
    try await download.finish()
    response.file = await download.path
    return response
  }

  private func write(
    _ body: ResponseBody, to download: Download, from offset: Int, of total: Int?,
    _ request: TargetRequest
  ) async throws(NetworkError) -> Int {
    var size = offset
    var buffer = Data()
    var iterator = body.makeAsyncIterator()
    do throws(NetworkError) {
      while let chunk = try await iterator.next(isolation: nil) {
        size += chunk.count
        guard max(size, total ?? 0) <= request.maximumBodySize else {
          throw NetworkError(
            .tooLarge, "the body is longer than \(request.maximumBodySize) bytes")
        }
        // The transport may not know the length of a part.
        guard size <= total ?? size else {
          throw .transport(
            TransportFailure(.interrupted, code: 0),
            "the response to \(request) continues after \(total ?? 0) bytes")
        }
        if buffer.isEmpty { buffer = chunk } else { buffer.append(chunk) }
        if buffer.count >= Download.bufferSize {
          try await download.append(buffer)
          buffer = Data()
        }
        onProgress?(TransferProgress(.receiving, completed: size, expected: total))
      }
    } catch {
      // This lets the next attempt resume after the last received byte.
      try? await download.append(buffer)
      throw error
    }
    try await download.append(buffer)
    return size
  }
}
