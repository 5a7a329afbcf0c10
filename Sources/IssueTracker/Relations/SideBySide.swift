internal import HTTPTargets

/// Applies a function to each input, at most `limit` at a time, and returns the results in the order of the inputs.
func sideBySide<Input: Sendable, Output: Sendable>(
  _ inputs: [Input], limit: Int = 8,
  _ work: @escaping @Sendable (Input) async throws(NetworkError) -> Output
) async -> [Result<Output, NetworkError>] {
  await withTaskGroup(of: (Int, Result<Output, NetworkError>).self) { group in
    var results: [Int: Result<Output, NetworkError>] = [:]
    for (index, input) in inputs.enumerated() {
      if index >= limit, let (done, result) = await group.next() { results[done] = result }
      group.addTask {
        do throws(NetworkError) {
          return (index, .success(try await work(input)))
        } catch {
          return (index, .failure(error))
        }
      }
    }
    for await (index, result) in group { results[index] = result }
    return inputs.indices.compactMap { results[$0] }
  }
}
