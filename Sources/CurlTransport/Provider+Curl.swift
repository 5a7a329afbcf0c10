public import HTTPTargets

extension Provider {
  /// Creates a provider over the shared ``CurlTransport``.
  ///
  /// Where an API has an initializer of its own for its target, as GitHub's has, that one is meant by
  /// the same arguments: it knows the API's errors.
  ///
  /// - Parameters:
  ///   - stubClosure: Tells which targets are answered from their samples; none unless said otherwise.
  ///   - plugins: Observers and adjusters, in order.
  ///   - interceptors: What wraps a request; the first is outermost.
  @_disfavoredOverload
  public init(
    stubClosure: @escaping StubClosure = { _ in .never }, plugins: [any Plugin] = [],
    interceptors: [any Interceptor] = []
  ) {
    self.init(
      stubClosure: stubClosure, plugins: plugins, interceptors: interceptors,
      transport: CurlTransport.shared)
  }
}
