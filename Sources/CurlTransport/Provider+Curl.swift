public import HTTPTargets

extension Provider {
  /// Creates a provider over the shared ``CurlTransport``.
  ///
  /// - Parameters:
  ///   - stubClosure: Tells which targets are answered from their samples; none unless said otherwise.
  ///   - plugins: Observers and adjusters, in order.
  public init(
    stubClosure: @escaping StubClosure = { _ in .never }, plugins: [any Plugin] = []
  ) {
    self.init(stubClosure: stubClosure, plugins: plugins, transport: CurlTransport.shared)
  }
}
