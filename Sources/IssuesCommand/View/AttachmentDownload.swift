internal import ConcurrencyPrimitives
internal import IssueBrowser
internal import IssueOutbox
internal import IssueTracker
internal import PlatformModules
internal import StyledText

/// Downloads the attachments that an issue and its comments refer to, into a folder.
///
/// Requests never carry a token: attachments aren't on the API's host. A file's name is derived from its address, so that
/// another run skips finished files and resumes an interrupted one.
struct AttachmentDownload: Sendable {
  private static let maximumCount = 500
  private static let maximumSize = 100 << 20

  let folder: String
  let server: GitHubServer
  let session: CommandSession
  private let found = Locked<(issue: GitHub.Issue?, addresses: [String])>((nil, []))

  /// Creates the folder unless it exists.
  init(into folder: String, of server: GitHubServer, _ session: CommandSession)
    throws(CommandFailure)
  {
    (self.folder, self.server, self.session) = (folder, server, session)
    guard unsafe mkdir(folder, 0o777) != 0 else { return }
    let code = errno
    var status = stat()
    guard unsafe stat(folder, &status) == 0 else {
      throw CommandFailure(
        .usage, unsafe "cannot make the folder \(folder): \(String(cString: strerror(code)))")
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw CommandFailure(.usage, "\(folder) isn't a folder")
    }
  }

  // MARK: Finding

  func note(_ issue: GitHub.Issue) {
    found.withLock { $0.issue = issue }
    note(issue.body)
  }

  func note(_ text: String?) {
    guard let text, text.contains("://") else { return }
    let addresses = AttachmentAddress.all(in: text, of: server)
    found.withLock { found in
      for address in addresses where !found.addresses.contains(address) {
        found.addresses.append(address)
      }
    }
  }

  /// Reads the comments of the issue, which weren't shown.
  func noteComments(_ connection: Connection) async throws {
    guard let issue = found.withLock({ $0.issue }), issue.commentsCount > 0,
      let place = issue.url.flatMap({ IssuePlace($0) })
    else { return }
    session.progress.update("Loading the comments on \(place)…")
    defer { session.progress.update("") }
    let comments = IssueComments(
      provider: connection.provider, repository: place.repository, number: place.number)
    do throws(NetworkError) {
      for try await page in comments {
        for comment in page { note(comment.body) }
      }
    } catch {
      throw connection.explanation(of: error, "\(place)")
    }
  }

  // MARK: Downloading

  func run(_ connection: Connection) async throws {
    let addresses = found.withLock { $0.addresses }
    let provider = provider(connection)
    var (missing, finished, skipped) = (0, 0, 0)
    for address in addresses.prefix(Self.maximumCount) {
      let name = AttachmentAddress.fileName(for: address)
      if isPresent(name) {
        skipped += 1
        continue
      }
      do throws(NetworkError) {
        try await download(address, named: name, provider)
        finished += 1
      } catch {
        guard error.code != .cancelled else { throw CommandFailure(.cancelled, "") }
        missing += 1
        let reason =
          error.response?.status == .notFound
          ? "not found; the server shows the files of a private repository only in a browser"
          : error.problem
        session.errors.write("\(address) can't be downloaded: \(reason)")
      }
    }
    session.progress.update("")
    let rest = max(addresses.count - Self.maximumCount, 0)
    guard missing + rest == 0 else {
      let limit = rest > 0 ? ": at most \(Self.maximumCount) are" : ""
      throw CommandFailure(
        .failed,
        "\(missing + rest) of \(addresses.count) attachments weren't downloaded\(limit)")
    }
    guard session.style.layout == .table else { return }
    let already = skipped > 0 ? " (\(skipped) already there)" : ""
    session.errors.write(
      addresses.isEmpty
        ? "There are no attachments." : "Attachments in \(folder): \(finished + skipped)\(already)",
      style: .faint)
  }

  /// Whether the folder has a file with this name and any extension.
  private func isPresent(_ name: String) -> Bool {
    let names = (try? FileNames.all(of: folder)) ?? []
    return names.contains { $0 == name || $0.hasPrefix("\(name).") }
  }

  private func download(
    _ address: String, named name: String, _ provider: Provider<AttachmentFile>
  ) async throws(NetworkError) {
    let path = "\(folder)/\(name)"
    for try await event in provider.events(AttachmentFile(baseURL: address, path: path)) {
      switch event {
      case .progress(let progress):
        let total = progress.expectedBytes.map { " of \(ByteCount.text($0))" } ?? ""
        session.progress.update(
          "Downloading \(name): \(ByteCount.text(progress.completedBytes))\(total)")
      case .completed(let response):
        // An address such as that of a screenshot has no extension.
        guard !name.contains("."), let suffix = AttachmentAddress.suffix(for: response) else {
          break
        }
        // It doesn't replace a file. Without the extension, the file is complete too.
        try? FileManager.default.moveItem(atPath: path, toPath: path + suffix)
      }
    }
  }

  private func provider(_ connection: Connection) -> Provider<AttachmentFile> {
    let configuration = connection.configuration
    return Provider(
      endpointClosure: { target in
        var endpoint = try Endpoint(target)
        endpoint.maximumBodySize = Self.maximumSize
        if let timeouts = configuration.timeouts { endpoint.timeouts = timeouts }
        return endpoint
      },
      plugins: configuration.plugins,
      interceptors: configuration.retries.map { [RetryInterceptor(policy: $0)] } ?? [],
      transport: OwnHostsTransport(
        hosts: ImageHosts(of: server),
        base: connection.isStub ? configuration.transport : session.world.transport(nil)),
      clock: session.world.clock)
  }
}

private struct AttachmentFile: TargetType {
  let baseURL: String
  let file: String

  init(baseURL: String, path: String) {
    (self.baseURL, file) = (baseURL, path)
  }

  var path: URLPath { "" }
  var method: HTTPRequest.Method { .get }
  var task: HTTPTask { .download(to: file) }
  var headers: HTTPFields { [.userAgent: PackageVersion.userAgent] }
  // A video may take longer than five minutes.
  var policy: TargetPolicy { TargetPolicy(timeouts: Timeouts(total: nil)) }
}
