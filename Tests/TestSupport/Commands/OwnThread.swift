internal import PlatformModules

/// A thread for one blocking call.
///
/// A dispatch queue won't do: on Linux libdispatch starts at most 255 threads, and Swift's tasks run on them too.
/// Waiting for some eighty programs at once would stop the very server that they wait for.
public final class OwnThread: Sendable {
  private let body: @Sendable () -> Void

  private init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }

  /// Runs `body` on a new thread, which ends with it.
  public static func start(_ body: @escaping @Sendable () -> Void) {
    let status = startThread(Unmanaged.passRetained(OwnThread(body)).toOpaque())
    precondition(status == 0, "no thread can be started")
  }

  fileprivate func run() {
    body()
  }
}

/// Starts a detached thread that runs a retained ``OwnThread``.
private func startThread(_ context: UnsafeMutableRawPointer) -> Int32 {
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  defer { pthread_attr_destroy(&attributes) }
  pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
  #if canImport(Darwin)
    var thread: pthread_t?
    return pthread_create(
      &thread, &attributes,
      { context in
        Unmanaged<OwnThread>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, context)
  #else
    var thread = pthread_t()
    return pthread_create(
      &thread, &attributes,
      { context in
        if let context { Unmanaged<OwnThread>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, context)
  #endif
}
