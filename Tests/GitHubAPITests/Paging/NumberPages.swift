import GitHubAPI
import HTTPTargets
import TestSupport

/// A server's list of numbers: page 1 has 10 and 11, page 2 has 20 and 21, and so on.
enum NumberPages {
  static let first = GitHub.issues(repositoryFullName: "a/b")

  /// The page that a request asks for.
  static func page(_ request: LoopbackRequest) -> Int {
    request.queryValue("page").flatMap(Int.init) ?? 1
  }

  /// A page of the list.
  ///
  /// - Parameters:
  ///   - number: The page's number.
  ///   - next: The target of its link to the next page, if any.
  /// - Returns: The answer.
  static func response(_ number: Int, next: String?) -> LoopbackResponse {
    var response = LoopbackResponse.json("[\(number * 10), \(number * 10 + 1)]")
    if let next { response.headers.add("Link", "<\(next)>; rel=\"next\"") }
    return response
  }

  /// A page of a list with so many pages, each with a full link to the next.
  static func response(to request: LoopbackRequest, count: Int) -> LoopbackResponse {
    let page = page(request)
    let next = page < count ? "\(request.origin)/repositories/1/issues?page=\(page + 1)" : nil
    return response(page, next: next)
  }
}

extension PagedListing.Iterator {
  /// Reads to the end.
  ///
  /// - Returns: The pages, and the error that ended them, if one did.
  mutating func rest() async -> (pages: [PagedListing.Page], error: NetworkError?) {
    var pages: [PagedListing.Page] = []
    do throws(NetworkError) {
      while let page = try await next(isolation: nil) { pages.append(page) }
      return (pages, nil)
    } catch {
      return (pages, error)
    }
  }
}
