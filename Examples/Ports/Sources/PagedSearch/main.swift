// Type a line to search GitHub's repositories, and an empty line for the next page. A newer search replaces the one
// before; a line of blanks clears the list.
//
//   swift run PagedSearch                   asks GitHub
//   swift run PagedSearch --stub            answers from sample data, without a network
//   swift run PagedSearch --api-url URL     asks another server

import CurlTransport
import PortSupport

let search = PagedSearch(
  pages: RepositoryPages(Arguments.ofProcess(), transport: CurlTransport.shared))
for await line in search.lines(of: linesOfStandardInput()) { show(line) }
