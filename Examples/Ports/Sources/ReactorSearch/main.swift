// Type a line to search GitHub's repositories, and an empty line for the next page. A newer search replaces the one
// before.
//
//   swift run ReactorSearch                   asks GitHub
//   swift run ReactorSearch --stub            answers from sample data, without a network
//   swift run ReactorSearch --api-url URL     asks another server

import CurlTransport
import PortSupport

let pages = RepositoryPages(Arguments.ofProcess(), transport: CurlTransport.shared)
for await line in ReactorSearch.lines(pages, of: linesOfStandardInput()) { show(line) }
