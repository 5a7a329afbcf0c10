import TestSupport

/// Waits until the calling task is cancelled.
func cancellation() async {
  await Gate().wait()
}

extension Gate {
  /// Waits for the gate as something would that takes no notice of being cancelled.
  func waitStubbornly() async {
    await Task { await wait() }.value
  }
}
