// Type a line to search GitHub's repositories, and an empty line for the next page. A newer search replaces the one
// before.
//
//   swift run FeedbackSearch                   asks GitHub
//   swift run FeedbackSearch --stub            answers from sample data, without a network
//   swift run FeedbackSearch --api-url URL     asks another server

import CurlTransport
import PortSupport

let pages = RepositoryPages(Arguments.ofProcess(), transport: CurlTransport.shared)
for await line in FeedbackSearch.lines(pages, of: linesOfStandardInput()) { show(line) }
